import Files
import Studio

/// Changes of the chain and of its elements' properties.
extension MainWindow {
  func turn(_ kind: ElementKind, on isOn: Bool) {
    chain.turn(kind, on: isOn)
    if isOn { player?.allowRetry() }
    if kind == .sticker, isOn, chain.value("location", of: .sticker) == nil { return selectPack(0) }
    if kind == .look, isOn, chain.value("look", of: .look) == nil { return selectLook("chrome") }
    // With its defaults it does not change faces.
    if kind == .shape, isOn, chain[.shape].isEmpty, let inspector = try? ElementInspector(.shape) {
      applyPreset(inspector.properties(ofPreset: "natural"), of: .shape)
    }
    player?.rebuildChain(chain)
    updateShelf()
  }

  func set(_ name: String, of kind: ElementKind, to value: PropertyValue) {
    chain.set(name, of: kind, to: value)
    player?.set(name, of: kind, to: value)
    if kind == .look { updateShelf() }
  }

  /// Selects a pack of the shelf, or none.
  func selectPack(_ place: Int?) {
    worn = place
    chain.turn(.sticker, on: place != nil)
    packMonitor = nil
    if let place, shelf.packs.indices.contains(place) {
      let pack = shelf.packs[place]
      set("location", of: .sticker, to: .path(pack.location))
      packMonitor = PackMonitor(pack.folder) { [unowned self] in reloadPack(place) }
    }
    player?.rebuildChain(chain)
    panel?.update(.sticker, chain)
    updateShelf()
  }

  /// Reloads the selected pack after a change of its files.
  private func reloadPack(_ place: Int) {
    let pack = shelf.packs[place]
    // A different location of the same pack makes the element load it again.
    let manifest = pack.folder.appending("meta.json")
    let isManifest = chain.value("location", of: .sticker) == .path(manifest)
    set("location", of: .sticker, to: .path(isManifest ? pack.folder : manifest))
    shelfView.reload(place, pack, thumbnails)
    notice.inform(tr("%1 was read again", tr(pack.name)))
  }

  func selectLook(_ name: String?) {
    chain.turn(.look, on: name != nil)
    if let name { set("look", of: .look, to: .literal(name)) }
    player?.rebuildChain(chain)
    panel?.update(.look, chain)
    updateShelf()
  }

  /// Applies a preset: other properties get their defaults, except files.
  func applyPreset(_ preset: [PropertyAssignment], of kind: ElementKind) {
    guard let inspector = try? ElementInspector(kind) else { return }
    for property in inspector.properties {
      let wanted = preset.first { $0.name == property.name }?.value
      if case .file = property.kind, wanted == nil { continue }
      if kind == .sticker, property.name == "location", case .path(let pack)? = wanted {
        addAndSelectPack(pack, isOn: chain.isOn(.sticker))
        continue
      }
      guard chain.value(property.name, of: kind) != wanted else { continue }
      chain.set(property.name, of: kind, to: wanted)
      player?.set(property.name, of: kind, to: wanted ?? .literal(property.defaultText))
    }
    panel?.update(kind, chain)
    updateShelf()
  }

  func updateShelf() {
    var look: String?
    if chain.isOn(.look), case .literal(let nick)? = chain.value("look", of: .look) { look = nick }
    shelfView.update(pack: chain.isOn(.sticker) ? worn : nil, look: look)
  }

  /// Bypasses the chain, or ends that.
  func setComparing(_ isOn: Bool) {
    guard isOn != isComparing else { return }
    isComparing = isOn
    player?.rebuildChain(isOn ? ElementChain() : chain)
    header?.update(isComparing: isOn)
  }
}
