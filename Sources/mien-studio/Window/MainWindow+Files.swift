import CGTK4
import Files
import Glibc
import Programs
import Studio

/// What is opened, chosen and dropped.
extension MainWindow {
  func chooseFile() {
    FileChoice.ask(tr("Open a picture or film"), raw) { [unowned self] in open($0) }
  }

  /// Chooses the file of an element's property: a background, a pack, a look.
  func choose(_ name: String, of effect: Effect) {
    FileChoice.ask(tr("Choose a file"), raw) { [unowned self] path in
      set(name, of: effect, to: .file(path))
      if effect == .sticker { turn(.sticker, on: true) }
      panel?.tell(effect, chain)
    }
  }

  /// Shows a picture, film or camera; says what is wrong where it is none.
  func open(_ path: FilePath) {
    let shown = Terminal.shown(path)
    switch FileKind(path) {
    case .nothing: notice.complain(tr("There is no file %1.", shown))
    case .folder: return acceptPack(path)
    case .other where path.bytes.starts(with: Array("/dev/video".utf8)):
      return show(.camera(Camera(device: path)))
    case .other: notice.complain(tr("%1 is no file.", shown))
    case .file: return show(FileChoice.isPicture(path) ? .picture(path) : .film(path))
    }
  }

  /// Shows the camera; of several the one that the user chooses.
  func showCamera() {
    Worker.run { [weak self] in
      let cameras = Cameras.find()
      MainLoop.soon { self?.choose(cameras) }
    }
  }

  private func choose(_ cameras: [Camera]) {
    guard player != nil else { return }
    switch cameras.count {
    case 0:
      notice.complain(tr("There is no camera. Plug one in and try again, or open a film: Ctrl+O"))
    case 1: show(.camera(cameras[0]))
    default: header?.offer(cameras) { [unowned self] in show(.camera($0)) }
    }
  }

  /// What was dropped onto the picture: something to show, a pack to wear, or a look.
  func accept(_ path: FilePath) {
    if path.hasSuffix("/meta.json") {
      acceptPack(path.split.folder)
    } else if path.hasSuffix(".cube") {
      set("cube", of: .look, to: .file(path))
      turn(.look, on: true)
      panel?.tell(.look, chain)
    } else {
      open(path)
    }
  }

  /// What was dropped onto the shelf is worn, a picture too.
  func acceptOnShelf(_ path: FilePath) {
    if case .file = FileKind(path), FileChoice.isPicture(path) {
      wearNew(path)
    } else {
      accept(path)
    }
  }

  private func acceptPack(_ folder: FilePath) {
    guard case .file = FileKind(folder.appending("meta.json")) else {
      return notice.complain(
        tr("%1 is no sticker pack: there is no meta.json in it.", Terminal.shown(folder)))
    }
    wearNew(folder)
  }

  /// Wears a pack that may not lie on the shelf yet; where `isOn` is false, when the user wants it.
  func wearNew(_ path: FilePath, isOn: Bool = true) {
    let name = PackFolder.title(path.split.name.description)
    let pack = Shelf.Pack(name: name, location: path, folder: path)
    let count = shelf.packs.count
    let place = shelf.packs.firstIndex { $0.location == path } ?? shelf.add(pack)
    if shelf.packs.count > count { shelfView.add(pack, thumbnails) }
    wear(place)
    if !isOn { turn(.sticker, on: false) }
  }
}
