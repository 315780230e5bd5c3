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
      Unmanaged<Box<() -> Void>>.fromOpaque(user!).takeUnretainedValue().content()
      return 0
    }
    Signal.connect(
      UnsafeMutableRawPointer(raw), "close-request", unsafeBitCast(callback, to: GCallback.self),
      Box<() -> Void> { [unowned self] in end() })
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

  func close() { gtk_window_close(raw) }

  /// Stops everything, and has a recording be whole.
  func end() {
    guard let ended = player else { return }
    player = nil
    taps.clear()
    thumbnails?.stop()
    recording?.end(within: 5000)
    camera?.end(within: 500)
    ended.stop()
    guard start.reports else { return }
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

  func show(_ origin: Origin) {
    player?.stop()
    player = nil
    do throws(Problem) {
      let player = try Player(origin)
      player.onFrame = { [unowned self, unowned player] frame in
        if stage.lateness.count == 0 { thumbnails?.begin() }
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
      player.onBuffer = { buffer, caps in
        whole.put(buffer, caps)
        taps.push(buffer, caps)
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
    let name = Terminal.shown(origin.path.split.name)
    switch origin {
    case .photograph:
      player?.stop()
      notice.complain(
        tr("The photograph cannot be shown: %1. Open a picture or film: Ctrl+O", text))
    case .camera:
      notice.complain(
        tr("The camera %1 cannot be used: %2 Close what else uses it, and try again.", name, text))
      showPhotograph()
    case .picture, .film:
      notice.complain(
        tr("%1 cannot be shown: %2 It may be broken, or a decoder may be missing.", name, text))
      showPhotograph()
    }
  }

  // MARK: What pictures go through

  func turn(_ effect: Effect, on isOn: Bool) {
    chain.turn(effect, on: isOn)
    if isOn { player?.retry() }
    if effect == .sticker, isOn, chain.value("location", of: .sticker) == nil { return wear(0) }
    if effect == .look, isOn, chain.value("look", of: .look) == nil { return look("chrome") }
    player?.show(chain)
    tellShelf()
  }

  func set(_ name: String, of effect: Effect, to value: Setting) {
    chain.set(name, of: effect, to: value)
    player?.set(name, of: effect, to: value)
    if effect == .look { tellShelf() }
  }

  /// Puts on a pack from the shelf, or takes off what is worn.
  func wear(_ place: Int?) {
    worn = place
    chain.turn(.sticker, on: place != nil)
    watch = nil
    if let place, shelf.packs.indices.contains(place) {
      let pack = shelf.packs[place]
      set("location", of: .sticker, to: .file(pack.location))
      watch = PackWatch(pack.folder) { [unowned self] in reload(place) }
    }
    player?.show(chain)
    panel?.tell(.sticker, chain)
    tellShelf()
  }

  /// Reads the pack that is worn anew: somebody has saved it.
  private func reload(_ place: Int) {
    let pack = shelf.packs[place]
    // The element reads a pack again under another of its names.
    let manifest = pack.folder.appending("meta.json")
    let isManifest = chain.value("location", of: .sticker) == .file(manifest)
    set("location", of: .sticker, to: .file(isManifest ? pack.folder : manifest))
    shelfView.renew(place, pack, thumbnails)
    notice.say(tr("%1 was read again", tr(pack.name)))
  }

  func look(_ name: String?) {
    chain.turn(.look, on: name != nil)
    if let name { set("look", of: .look, to: .word(name)) }
    player?.show(chain)
    panel?.tell(.look, chain)
    tellShelf()
  }

  /// Sets what a preset sets, and all else as the element has it by itself; files stay where it
  /// names none.
  private func take(_ settings: [(name: String, value: Setting)], of effect: Effect) {
    guard let sample = try? Sample(effect) else { return }
    for property in sample.properties {
      let wanted = settings.first { $0.name == property.name }?.value
      if case .file = property.kind, wanted == nil { continue }
      if effect == .sticker, property.name == "location", case .file(let pack)? = wanted {
        wearNew(pack, isOn: chain.isOn(.sticker))
        continue
      }
      guard chain.value(property.name, of: effect) != wanted else { continue }
      chain.set(property.name, of: effect, to: wanted)
      player?.set(property.name, of: effect, to: wanted ?? .word(property.byItself))
    }
    panel?.tell(effect, chain)
    tellShelf()
  }

  private func tellShelf() {
    var look: String?
    if chain.isOn(.look), case .word(let word)? = chain.value("look", of: .look) { look = word }
    shelfView.tell(pack: chain.isOn(.sticker) ? worn : nil, look: look)
  }

  /// Shows pictures as they came, or as they come out again.
  func compare(_ isOn: Bool) {
    guard isOn != isComparing else { return }
    isComparing = isOn
    player?.show(isOn ? Chain() : chain)
    header?.tell(isComparing: isOn)
  }
}
