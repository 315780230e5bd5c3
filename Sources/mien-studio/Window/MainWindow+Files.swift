import CGTK4
import Files
import Glibc
import Programs
import Studio

/// Files that are opened, chosen or dropped.
extension MainWindow {
  func chooseFile() {
    FileChoice.openDialog(tr("Open a picture or film"), raw) { [unowned self] in open($0) }
  }

  /// Chooses the file of a property: a background, a pack or a look.
  func chooseFile(for name: String, of kind: ElementKind) {
    FileChoice.openDialog(tr("Choose a file"), raw) { [unowned self] path in
      set(name, of: kind, to: .path(path))
      if kind == .sticker { turn(.sticker, on: true) }
      panel?.update(kind, chain)
    }
  }

  /// Opens a picture, film or camera, or shows what is wrong.
  func open(_ path: FilePath) {
    let shown = Terminal.printable(path)
    switch FileKind(path) {
    case .nothing: notice.warn(tr("There is no file %1.", shown))
    case .folder: return acceptPack(path)
    case .other where path.bytes.starts(with: Array("/dev/video".utf8)):
      return playSource(.camera(Camera(device: path)))
    case .other: notice.warn(tr("%1 is no file.", shown))
    case .file: return playSource(FileChoice.isPicture(path) ? .picture(path) : .film(path))
    }
  }

  /// Opens the camera, or a menu of several.
  func showCamera() {
    DetachedThread.run { [weak self] in
      let cameras = Cameras.find()
      MainLoop.dispatch { self?.showOneOf(cameras) }
    }
  }

  private func showOneOf(_ cameras: [Camera]) {
    guard player != nil else { return }
    switch cameras.count {
    case 0:
      notice.warn(tr("There is no camera. Plug one in and try again, or open a film: Ctrl+O"))
    case 1: playSource(.camera(cameras[0]))
    default: header?.showMenu(cameras) { [unowned self] in playSource(.camera($0)) }
    }
  }

  /// Handles a drop onto the picture: a source, a pack or a look.
  func acceptDrop(_ path: FilePath) {
    if path.hasSuffix("/meta.json") {
      acceptPack(path.split.folder)
    } else if path.hasSuffix(".cube") {
      set("cube", of: .look, to: .path(path))
      turn(.look, on: true)
      panel?.update(.look, chain)
    } else {
      open(path)
    }
  }

  /// Handles a drop onto the shelf: a pack, or a picture as a sticker.
  func acceptOnShelf(_ path: FilePath) {
    if case .file = FileKind(path), FileChoice.isPicture(path) {
      addAndSelectPack(path)
    } else {
      acceptDrop(path)
    }
  }

  private func acceptPack(_ folder: FilePath) {
    guard case .file = FileKind(folder.appending("meta.json")) else {
      return notice.warn(
        tr("%1 is no sticker pack: there is no meta.json in it.", Terminal.printable(folder)))
    }
    addAndSelectPack(folder)
  }

  /// Selects a pack, and adds it to the shelf; `isOn`: whether stickers are switched on.
  func addAndSelectPack(_ path: FilePath, isOn: Bool = true) {
    let name = PackFolder.title(path.split.name.description)
    let pack = Shelf.Pack(name: name, location: path, folder: path)
    let count = shelf.packs.count
    let place = shelf.packs.firstIndex { $0.location == path } ?? shelf.add(pack)
    if shelf.packs.count > count { shelfView.add(pack, thumbnails) }
    selectPack(place)
    if !isOn { turn(.sticker, on: false) }
  }
}
