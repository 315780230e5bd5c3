import CGTK4
import Files
import Programs
import Studio

/// The studio's window: what is shown, through what, and what is done with it.
final class MainWindow {
  let raw: UnsafeMutablePointer<GtkWindow>
  let stage = Stage()
  let shelfView = ShelfView()
  let notice = Notice()
  let start: Application.Start
  var chain = Chain()
  var shelf: Shelf
  /// The pack that is worn, by its place on the shelf.
  var worn: Int?
  var player: Player?
  var panel: Panel?
  var header: Header?
  /// Whether the user holds down what shows pictures as they came.
  var isComparing = false
  var recording: Tap?
  var camera: Tap?
  var microphone: Microphone?
  var isMuted = false
  /// A recording broke off a moment ago, and hardly anybody can have read so.
  var hasBrokenOff = false
  /// Nobody will read any more what the window says.
  var isClosing = false
  /// When the first frame was there, in seconds from the start of the program.
  private var startTime: Double?
  let whole = Whole()
  let thumbnails = Places.photograph.map { Thumbnails($0) }
  var watch: PackWatch?
  /// What gets every whole frame; asked for on a streaming thread.
  let taps = Taps()

  init(_ program: UnsafeMutablePointer<GtkApplication>, _ start: Application.Start) throws(Problem)
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
      Card.Model(
        turn: { [unowned self] in turn($0, on: $1) },
        set: { [unowned self] in set($1, of: $0, to: $2) },
        choose: { [unowned self] in choose($1, of: $0) },
        preset: { [unowned self] in take($1, of: $0) },
        settings: { [unowned self] in chain[$0] },
        complain: { [unowned self] in notice.complain($0) }))
    self.panel = panel
    let header = Header(self)
    self.header = header
    gtk_window_set_titlebar(raw, header.widget.raw)
    let overlay = Widget(gtk_overlay_new()).expanding(across: true, down: true)
    gtk_overlay_set_child(overlay.opaque, stage.widget.raw)
    gtk_overlay_add_overlay(overlay.opaque, notice.widget.raw)
    let left = Widget.box(GTK_ORIENTATION_VERTICAL, 0, overlay, shelfView.widget)
    left.expanding(across: true, down: true)
    let all = Widget.box(GTK_ORIENTATION_HORIZONTAL, 0, left, panel.widget)
    gtk_window_set_child(raw, all.raw)
  }

  private func connect() {
    listenToKeys()
    stage.onClick = { [unowned self] x, y in
      if chain.isOn(.screen), !isComparing { player?.click(x: x, y: y) }
    }
    shelfView.onPack = { [unowned self] in wear($0) }
    shelfView.onLook = { [unowned self] in look($0) }
    FileChoice.takeDrops(on: stage.widget) { [unowned self] in accept($0) }
    FileChoice.takeDrops(on: shelfView.widget) { [unowned self] in acceptOnShelf($0) }
    let callback: @convention(c) (gpointer?, gpointer?) -> gboolean = { _, user in
      Unmanaged<Box<() -> Bool>>.fromOpaque(user!).takeUnretainedValue().content() ? 1 : 0
    }
    Signal.connect(
      UnsafeMutableRawPointer(raw), "close-request", unsafeBitCast(callback, to: GCallback.self),
      Box<() -> Bool> { [unowned self] in
        header?.closeMenu()
        // What became of a recording is read in the window, which stays for it once.
        let isUnread = recordingBreaksOff() || hasBrokenOff
        hasBrokenOff = false
        if isUnread, !isClosing { return true }
        end()
        notice.stop()
        return false
      })
  }

  /// Shows the window, and in it what the command line asked for, or else the photograph.
  func open() {
    for pack in shelf.packs { shelfView.add(pack, thumbnails) }
    if let sample = try? Sample(.look),
      case .choice(let looks)? = sample.properties.first(where: { $0.name == "look" })?.kind
    {
      for look in looks.dropFirst() {
        shelfView.add(look: look.nick, meaning: look.meaning, thumbnails)
      }
    }
    // What mien decorate wears, too, when nothing is said.
    if let first = shelf.packs.firstIndex(where: { $0.location == "dog" })
      ?? shelf.packs.indices.first
    {
      wear(first)
    }
    if let input = start.input { open(input) }
    if player == nil { showPhotograph() }
    panel?.tell(chain)
    gtk_window_present(raw)
    stage.grabFocus()
  }

  /// Closes as the user would; where that `mustBe` nothing keeps it open.
  func close(mustBe: Bool = false) {
    isClosing = isClosing || mustBe
    gtk_window_close(raw)
  }

  /// Stops everything, and has a recording be whole.
  func end() {
    isClosing = true
    guard let ended = player else { return }
    player = nil
    taps.clear()
    thumbnails?.stop()
    _ = recordingBreaksOff()
    camera?.end(within: 500)
    microphone?.stop()
    ended.stop()
    guard start.reports else { return }
    if let startTime {
      Terminal.say("the first frame was there after \((startTime * 1000).fixed(0)) ms")
    }
    let lateness = stage.lateness
    Terminal.say(
      "\(lateness.count) frames shown, \(lateness.skipped) left out,"
        + " \((lateness.mean * 1000).fixed(1)) ms late on average,"
        + " \((lateness.latest * 1000).fixed(1)) ms at most, \(lateness.late) over 100 ms")
  }

  // MARK: What is shown

  func showPhotograph() {
    guard let photograph = Places.photograph else {
      return notice.complain(tr("The photograph is missing. Open a picture or film: Ctrl+O"))
    }
    show(.photograph(photograph))
  }

  /// `speaks`: whether a film is to be heard.
  func show(_ origin: Origin, speaks: Bool = true) {
    player?.stop()
    player = nil
    tellSound()
    do throws(Problem) {
      let player = try Player(origin, speaks: speaks, isMuted: isMuted)
      player.onFrame = { [unowned self, unowned player] frame in
        if stage.lateness.count == 0 {
          startTime = ProcessTime.now
          thumbnails?.begin()
        }
        stage.show(frame)
        if let size = player.size, let pixels = stage.pixels(size) { player.fit(pixels) }
      }
      player.onTrouble = { [unowned self] text, effect, isError in
        trouble(text, effect, isError, origin)
      }
      player.onChange = { [unowned self] effect, property in
        guard let text = self.player?.text(property, of: effect) else { return }
        chain.set(property, of: effect, to: .word(text))
        panel?.tell(effect, chain)
      }
      let (taps, whole) = (taps, whole)
      player.onBuffer = { buffer, caps, time in
        whole.put(buffer, caps, at: time)
        taps.push(buffer, caps, at: time)
      }
      player.onPiece = { taps.push(sound: $0, at: $1, from: .film) }
      player.onSound = { [unowned self] in tellSound() }
      player.onSilence = { [unowned self] text in
        notice.complain(tr("The film cannot be heard: %1", text))
        show(origin, speaks: false)
      }
      self.player = player
      header?.tell(origin)
      player.play(chain)
    } catch {
      notice.complain(error.text)
    }
  }

  private func trouble(_ text: String, _ effect: Effect?, _ isError: Bool, _ origin: Origin) {
    if let effect, isError {
      // What is hung on faces has nothing to hang on where none are found.
      let without = effect == .faces ? Effect.allCases.filter { $0.needsFaces && $0 != .room } : []
      for effect in without + [effect] {
        chain.turn(effect, on: false)
        panel?.tell(effect, chain)
      }
      tellShelf()
      // One that failed while it played has stopped all that comes after it.
      if player?.has(effect) ?? false { show(origin) } else { player?.show(chain) }
    }
    guard effect == nil, isError else { return notice.complain(text) }
    let name = origin.file.map { Terminal.shown($0.split.name) } ?? ""
    switch origin {
    case .photograph:
      player?.stop()
      notice.complain(
        tr("The photograph cannot be shown: %1. Open a picture or film: Ctrl+O", text))
    case .camera(let camera):
      notice.complain(
        tr(
          "The camera %1 cannot be used: %2 Close what else uses it, and try again.", camera.name,
          text))
      showPhotograph()
    case .picture, .film:
      notice.complain(
        tr("%1 cannot be shown: %2 It may be broken, or a decoder may be missing.", name, text))
      showPhotograph()
    }
  }
}
