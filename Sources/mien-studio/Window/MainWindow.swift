import CGTK4
import Client
import Files
import Programs
import Studio

/// The studio's window.
final class MainWindow {
  let raw: UnsafeMutablePointer<GtkWindow>
  let videoView = VideoView()
  let shelfView = ShelfView()
  let notice = NoticeBar()
  let start: Application.Start
  let recordingBar = RecordingBar()
  let filmBar = FilmBar()
  let countdown = CountdownView()
  /// The length of the countdown in seconds.
  var delay = 0
  var mirror = MirrorChoice()
  var chain = ElementChain() { didSet { chainChanged(from: oldValue) } }
  var history = ChangeHistory<ElementChain>()
  var favorites = Favorites()
  /// The chain before what the user is doing; nil between changes.
  var recordedChain: ElementChain?
  /// Whether the change is one of undo or redo.
  var isRestoring = false
  var shelf: Shelf
  var player: Player?
  var panel: Panel?
  var header: Header?
  /// The picture and the shelf.
  var content: Widget?
  var layout: WindowLayout?
  /// Whether the chain is bypassed.
  var isComparing = false
  var recording: OutputBranch?
  var camera: OutputBranch?
  /// Who looks at the virtual camera; nil where it is off, or not one of PipeWire.
  var consumers: ConsumerMonitor?
  let avatar = AvatarOutput()
  var microphone: Microphone?
  var isMuted = false
  /// The camera that was unplugged while it played; nil where none is waited for.
  var lostCamera: Camera?
  /// Whether a recording failed a moment ago, so that its message cannot have been read yet.
  var hasFailedRecording = false
  /// Whether the window closes unconditionally.
  var isClosing = false
  let snapshots = SnapshotSource()
  let thumbnails = StudioPaths.photograph.map { Thumbnails($0) }
  var packMonitor: PackMonitor?
  /// The index of the pack that is watched.
  var monitoredPack: Int?
  /// The recorder and the virtual camera; used on streaming threads.
  let branches = OutputBranches()

  init(_ program: UnsafeMutablePointer<GtkApplication>, _ start: Application.Start)
    throws(ProgramError)
  {
    self.start = start
    raw = UnsafeMutableRawPointer(gtk_application_window_new(program)!)
      .assumingMemoryBound(to: GtkWindow.self)
    shelf = Shelf(PackFolder.packs)
    Style.load()
    gtk_window_set_default_size(raw, 1180, 760)
    gtk_window_set_title(raw, "Mien Studio")
    gtk_window_set_icon_name(raw, "org.mien.Studio")
    build()
    connect()
  }

  var widget: Widget {
    Widget(UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GtkWidget.self))
  }

  private func build() {
    let panel = Panel(
      ElementTile.Actions(
        turn: { [unowned self] in turn($0, on: $1) },
        set: { [unowned self] in set($1, of: $0, to: $2) },
        reset: { [unowned self] in reset($1, of: $0) },
        choose: { [unowned self] in chooseFile(for: $1, of: $0) },
        preset: { [unowned self] in applyPreset($1, of: $0) },
        properties: { [unowned self] in chain[$0] },
        warn: { [unowned self] in notice.warn($0) },
        move: { [unowned self] kind, other in change { $0.move(kind, to: other) } },
        step: { [unowned self] kind, isUp in change { $0.move(kind, towardsEnd: isUp) } }))
    self.panel = panel
    let header = Header(self)
    self.header = header
    gtk_window_set_titlebar(raw, header.widget.raw)
    let overlay = Widget(gtk_overlay_new()).expanding(across: true, down: true)
    gtk_overlay_set_child(overlay.opaque, videoView.widget.raw)
    let lower = Widget.box(GTK_ORIENTATION_VERTICAL, 0, notice.widget, filmBar.widget)
    gtk_widget_set_valign(lower.raw, GTK_ALIGN_END)
    gtk_overlay_add_overlay(overlay.opaque, lower.raw)
    gtk_overlay_add_overlay(overlay.opaque, recordingBar.widget.raw)
    gtk_overlay_add_overlay(overlay.opaque, countdown.widget.raw)
    let left = Widget.box(GTK_ORIENTATION_VERTICAL, 0, overlay, shelfView.widget)
    left.expanding(across: true, down: true)
    content = left
    let all = Widget(gtk_overlay_new())
    gtk_overlay_set_child(all.opaque, left.raw)
    gtk_overlay_add_overlay(all.opaque, panel.widget.raw)
    gtk_widget_set_halign(panel.widget.raw, GTK_ALIGN_END)
    gtk_widget_set_margin_end(left.raw, Panel.width)
    gtk_window_set_child(raw, all.raw)
  }

  private func connect() {
    listenToKeys()
    videoView.onClick = { [unowned self] x, y in
      if chain.isOn(.screen), !isComparing { player?.sendClick(x: x, y: y) }
    }
    shelfView.onPack = { [unowned self] in selectPack($0) }
    shelfView.onLook = { [unowned self] in selectLook($0) }
    shelfView.onBackground = { [unowned self] in selectBackground($0) }
    shelfView.onFavorite = { [unowned self] in toggleFavorite($0) }
    filmBar.onPause = { [unowned self] in setPaused($0) }
    filmBar.onSeek = { [unowned self] in seek(to: $0) }
    FileChoice.acceptDrops(on: videoView.widget) { [unowned self] in acceptDrop($0) }
    FileChoice.acceptDrops(on: shelfView.widget) { [unowned self] in acceptOnShelf($0) }
    let callback: @convention(c) (gpointer?, gpointer?) -> gboolean = { _, user in
      Box<() -> Bool>.content(user)() ? 1 : 0
    }
    Signal.connect(
      UnsafeMutableRawPointer(raw), "close-request", unsafeBitCast(callback, to: GCallback.self),
      Box<() -> Bool> { [unowned self] in
        header?.closeMenu()
        countdown.cancel()
        // The window stays open once, to show the result of a recording.
        let isUnread = endRecordingFails() || hasFailedRecording
        hasFailedRecording = false
        if isUnread, !isClosing { return true }
        stopAll()
        notice.stop()
        return false
      })
  }

  /// Opens the window with the file of the command line, or the photograph.
  func open() {
    for pack in shelf.packs { shelfView.add(pack, thumbnails) }
    if let inspector = try? ElementInspector(.look),
      case .choice(let looks)? = inspector.properties.first(where: { $0.name == "look" })?.kind
    {
      for look in looks.dropFirst() {
        shelfView.add(look: look.nick, meaning: look.name, thumbnails)
      }
    }
    for choice in BackgroundChoice.all { shelfView.add(choice, thumbnails) }
    loadFavorites()
    // The default pack of mien decorate.
    if let first = shelf.packs.firstIndex(where: { $0.location == "dog" })
      ?? shelf.packs.indices.first
    {
      selectPack(first)
    }
    if let input = start.input { open(input) }
    if player == nil { showPhotograph() }
    panel?.update(chain)
    clearHistory()
    gtk_window_present(raw)
    watchSize()
    videoView.grabFocus()
  }

  /// Closes the window as the user does; with `force` no message keeps it open.
  func close(force: Bool = false) {
    isClosing = isClosing || force
    gtk_window_close(raw)
  }

  /// Stops everything, after a recording is complete.
  func stopAll() {
    isClosing = true
    guard let ended = player else { return }
    player = nil
    branches.clear()
    avatar.stop()
    thumbnails?.stop()
    _ = endRecordingFails()
    camera?.end(within: 500)
    microphone?.stop()
    ended.stop()
    guard start.reports else { return }
    let lateness = videoView.lateness
    Terminal.printLine(
      "\(lateness.count) frames shown, \(lateness.dropped) left out,"
        + " \((lateness.mean * 1000).fixed(1)) ms late on average,"
        + " \((lateness.maximum * 1000).fixed(1)) ms at most (frame \(lateness.latest)), \(lateness.late) over 100 ms"
    )
  }

  // MARK: Sources

  func showPhotograph() {
    guard let photograph = StudioPaths.photograph else {
      return notice.warn(tr("The photograph is missing. Open a picture or film: Ctrl+O"))
    }
    playSource(.photograph(photograph))
  }

  /// Plays a source.
  ///
  /// `isAudible`: whether a film's audio goes to a loudspeaker.
  /// `isReturning`: a camera that was plugged in again.
  func playSource(_ source: VideoSource, isAudible: Bool = true, isReturning: Bool = false) {
    if !isReturning { lostCamera = nil }
    player?.stop()
    player = nil
    updateSound()
    do throws(ProgramError) {
      let player = try Player(source, isAudible: isAudible, isMuted: isMuted)
      player.onFrame = { [unowned self, unowned player] frame in
        if isReturning, lostCamera != nil {
          lostCamera = nil
          notice.hide()
        }
        if videoView.lateness.count == 0 {
          if start.reports, let time = ProcessTime.now {
            Terminal.printLine("the first frame was there after \((time * 1000).fixed(0)) ms")
          }
          thumbnails?.start()
        }
        videoView.show(frame)
        if let size = player.size, let pixels = videoView.pixels(size) {
          player.setDisplaySize(pixels)
        }
      }
      player.onProblem = { [unowned self] text, kind, isError in
        handleProblem(text, kind, isError, source)
      }
      player.onChange = { [unowned self] kind, property in
        guard let text = self.player?.text(property, of: kind) else { return }
        chain.set(property, of: kind, to: .literal(text))
        panel?.update(kind, chain)
      }
      let (branches, snapshots, avatar) = (branches, snapshots, avatar)
      player.onBuffer = { buffer, caps, time in
        snapshots.store(buffer, caps, at: time)
        branches.push(buffer, caps, at: time)
        avatar.push(buffer)
      }
      player.onSoundBuffer = { branches.push(sound: $0, at: $1, from: .film) }
      player.onSound = { [unowned self] in updateSound() }
      player.onSoundError = { [unowned self] text in
        notice.warn(tr("The film cannot be heard: %1", text))
        playSource(source, isAudible: false)
      }
      self.player = player
      header?.update(source)
      updateMirror()
      player.play(isComparing ? ElementChain() : chain)
      updateFilmBar()
    } catch {
      notice.warn(error.text)
    }
  }

  private func handleProblem(
    _ text: String, _ kind: ElementKind?, _ isError: Bool, _ source: VideoSource
  ) {
    if let kind, isError {
      // Elements that need faces have no use without the detector.
      let without =
        kind == .faces ? ElementKind.allCases.filter { $0.needsFaces && $0 != .background } : []
      for kind in without + [kind] {
        chain.turn(kind, on: false)
        panel?.update(kind, chain)
      }
      updateShelf()
      // An element that fails while it plays has stopped the pipeline.
      if player?.has(kind) ?? false { playSource(source) } else { rebuildChain() }
    }
    guard kind == nil, isError else { return notice.warn(text) }
    let name = source.file.map { Terminal.printable($0.split.name) } ?? ""
    switch source {
    case .photograph:
      player?.stop()
      notice.warn(
        tr("The photograph cannot be shown: %1. Open a picture or film: Ctrl+O", text))
    case .camera(let camera) where player?.hasShownFrames ?? false || lostCamera != nil:
      waitForCamera(camera)
    case .camera(let camera):
      notice.warn(
        tr(
          "The camera %1 cannot be used: %2 Close what else uses it, and try again.", camera.name,
          text))
      showPhotograph()
    case .picture, .film:
      notice.warn(
        tr("%1 cannot be shown: %2 It may be broken, or a decoder may be missing.", name, text))
      showPhotograph()
    }
  }
}
