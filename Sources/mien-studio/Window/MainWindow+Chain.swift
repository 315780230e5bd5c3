import Files
import Programs
import Studio

/// What pictures go through: which elements, and what is set on them.
extension MainWindow {
  func turn(_ effect: Effect, on isOn: Bool) {
    chain.turn(effect, on: isOn)
    if isOn { player?.retry() }
    if effect == .sticker, isOn, chain.value("location", of: .sticker) == nil { return wear(0) }
    if effect == .look, isOn, chain.value("look", of: .look) == nil { return look("chrome") }
    // By itself it leaves faces as they are.
    if effect == .shape, isOn, chain[.shape].isEmpty, let sample = try? Sample(.shape) {
      take(sample.settings(ofPreset: "natural"), of: .shape)
    }
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
  func take(_ settings: [(name: String, value: Setting)], of effect: Effect) {
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

  func tellShelf() {
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
