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
    guard let player else { return }
    var shown: Camera?
    if case .camera(let camera) = player.source { shown = camera }
    switch cameras.count {
    case 0:
      notice.warn(tr("There is no camera. Plug one in and try again, or open a film: Ctrl+O"))
    case 1 where !(shown?.isSameDevice(as: cameras[0]) ?? false): playSource(.camera(cameras[0]))
    default:
      header?.showMenu(cameras, shown: shown) { [unowned self] in playSource(.camera($0)) }
    }
  }

  /// Shows a camera again once it is back, after it was unplugged while it played.
  func waitForCamera(_ camera: Camera) {
    player?.stop()
    let isNew = lostCamera == nil
    lostCamera = camera
    guard isNew else { return }
    notice.warn(tr("The camera %1 is gone. It is shown again once it is plugged in.", camera.name))
    var isLooking = false
    MainLoop.schedule(milliseconds: 1000) { [weak self] in
      guard let self, let lost = lostCamera, !isClosing else { return false }
      // Devices are probed on another thread, one look at a time.
      guard !isLooking, player?.isOver ?? true else { return true }
      isLooking = true
      DetachedThread.run { [weak self] in
        let found = Cameras.find().first { $0.isSameDevice(as: lost) }
        MainLoop.dispatch {
          isLooking = false
          guard let self, let found, self.lostCamera == lost, !self.isClosing else { return }
          var camera = found
          if found.formats.contains(where: { $0.caps == lost.caps }) { camera.caps = lost.caps }
          self.playSource(.camera(camera), isReturning: true)
        }
      }
      return true
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
