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
    rebuildChain()
    updateShelf()
  }

  /// Has the player use the chain, or none while the picture is shown as it came.
  func rebuildChain() { player?.rebuildChain(isComparing ? ElementChain() : chain) }

  /// Sets the default.
  func reset(_ property: ElementProperty, of kind: ElementKind) {
    chain.set(property.name, of: kind, to: nil)
    player?.set(property.name, of: kind, to: .literal(property.defaultText))
    panel?.update(kind, chain)
    updateShelf()
  }

  func set(_ name: String, of kind: ElementKind, to value: PropertyValue) {
    chain.set(name, of: kind, to: value)
    player?.set(name, of: kind, to: value)
    updateShelf()
  }

  /// The index of the pack that stickers are of.
  private var worn: Int? {
    guard chain.isOn(.sticker), case .path(let location)? = chain.value("location", of: .sticker)
    else { return nil }
    return shelf.index(of: location)
  }

  /// Selects a pack of the shelf, or none.
  func selectPack(_ place: Int?) {
    chain.turn(.sticker, on: place != nil)
    if let place, shelf.packs.indices.contains(place) {
      set("location", of: .sticker, to: .path(shelf.packs[place].location))
    }
    rebuildChain()
    panel?.update(.sticker, chain)
    updateShelf()
  }

  /// Watches the files of the pack that stickers are of.
  private func watchPack(_ place: Int?) {
    guard monitoredPack != place else { return }
    monitoredPack = place
    packMonitor = place.map { place in
      PackMonitor(shelf.packs[place].folder) { [unowned self] in reloadPack(place) }
    }
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
    rebuildChain()
    panel?.update(.look, chain)
    updateShelf()
  }

  /// Selects what is behind people; a picture is asked for.
  func selectBackground(_ choice: BackgroundChoice) {
    guard choice != .picture else {
      updateShelf()
      return FileChoice.openDialog(tr("Choose a background"), raw) { [unowned self] path in
        change { $0.setBackground(picture: path) }
      }
    }
    change { $0.setBackground(choice) }
  }

  /// Changes the chain, and the elements and controls with it.
  func change(_ body: (inout ElementChain) -> Void) {
    var new = chain
    body(&new)
    apply(new)
  }

  /// Replaces the chain.
  func apply(_ new: ElementChain) {
    for kind in Set(new.changes(from: chain).map(\.kind)) {
      let properties = (try? ElementInspector(kind))?.properties ?? []
      for change in new.changes(from: chain) where change.kind == kind {
        let standard = properties.first { $0.name == change.name }?.defaultText
        if let value = change.value ?? standard.map({ .literal($0) }) {
          player?.set(change.name, of: kind, to: value)
        }
      }
    }
    if !new.elements.filter({ !chain.isOn($0) }).isEmpty { player?.allowRetry() }
    chain = new
    rebuildChain()
    panel?.update(chain)
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
    let worn = worn
    watchPack(worn)
    shelfView.update(pack: worn, look: look, backgrounds: chain.backgrounds)
  }

  /// Bypasses the chain, or ends that.
  func setComparing(_ isOn: Bool) {
    guard isOn != isComparing else { return }
    isComparing = isOn
    rebuildChain()
    header?.update(isComparing: isOn)
  }
}
