import Files
import Pixels

/// What an item's places are measured in, where it has no anchor.
enum StickerSpace: String, CaseIterable { case head }

/// Reads one item of a manifest.
struct PackItemReader {
  let version: Int
  let folder: PackFolder

  /// The item, or nil where anything is wrong; then `fields` says what.
  func read(_ fields: inout PackFields) -> StickerItem? {
    let place = place(&fields)
    var isOnFace = true
    if case .screen? = place { isOnFace = false }
    var isInSpace = false
    if case .head? = place { isInSpace = true }
    let scale = fields.number(
      "scaleWidth", isOnFace ? -20...100 : 0.001...100, missing: isInSpace ? 1 : nil)
    let width = fields.number("width", 1...65536)
    let height = fields.number("height", 1...65536)
    // What version 1 must say version 2 may leave out.
    let zero: Double? = version == 1 ? nil : 0
    let offsetX = fields.number("offsetX", -100...100, missing: zero)
    let offsetY = fields.number("offsetY", -100...100, missing: zero)
    let duration = fields.number("frameDuration", 1...60_000, missing: version == 1 ? nil : 100)
    let trigger = trigger(&fields)
    var item = StickerItem(
      place: place ?? .screen(.centre), scaleWidth: scale ?? 1, width: width ?? 1,
      height: height ?? 1)
    item.offsetX = offsetX ?? 0
    item.offsetY = offsetY ?? 0
    item.frameDuration = Int64((duration ?? 100) * 1e6)
    item.trigger = trigger ?? .always
    if version > 1 {
      item.loop = fields.int("loop", 0...1_000_000, missing: 0) ?? 0
      item.alpha = fields.number("alpha", 0...1, missing: 1) ?? 1
      item.blend = fields.choice("blend", SpriteBlend.self, missing: .over) ?? .over
      item.rotates = fields.bool("rotate", missing: true) ?? true
      item.keep = fields.number("keep", 0...1, missing: 0) ?? 0
      item.hiding = hiding(&fields)
      item.z = fields.number("z", -1e6...1e6, missing: 0) ?? 0
    }
    files(&fields, &item)
    return fields.faults.isEmpty ? item : nil
  }

  private func place(_ fields: inout PackFields) -> StickerPlace? {
    guard let type = fields.int("type", 0...1) else { return nil }
    let isNamed = version > 1 && fields.has("anchor")
    if type == 0 {
      if version > 2, fields.has("space") {
        return fields.choice("space", StickerSpace.self).flatMap { _ in quad(&fields) }
      }
      if isNamed {
        guard let anchor = fields.choice("anchor", StickerAnchor.self) else { return nil }
        guard anchor != .screen else {
          fields.fault("anchor", "\"screen\" is for items of type 1, which name a side of it")
          return nil
        }
        return .anchor(anchor)
      }
      return fields.ints("alignIndexes", count: 3, 0...75).map {
        .points(first: $0[0], centre: $0[1], last: $0[2])
      }
    }
    if isNamed {
      return fields.choice("anchor", StickerScreenAnchor.self).map { .screen($0) }
    }
    return fields.int("alignPos", 0...4).map {
      .screen([.top, .left, .bottom, .right, .centre][$0])
    }
  }

  private func quad(_ fields: inout PackFields) -> StickerPlace? {
    guard let from = fields.numbers("from", count: 3, -20...20),
      let to = fields.numbers("to", count: 3, -20...20)
    else { return nil }
    guard from != to else {
      fields.fault("to", "must be another place than \"from\"")
      return nil
    }
    return .head(
      StickerQuad(
        from: Point3(x: from[0], y: from[1], z: from[2]), to: Point3(x: to[0], y: to[1], z: to[2])))
  }

  private func trigger(_ fields: inout PackFields) -> StickerTrigger? {
    if version > 1, fields.has("trigger") || !fields.has("triggerType") {
      return fields.choice("trigger", StickerTrigger.self, missing: .always)
    }
    return fields.int("triggerType", 0...4).map {
      [.always, .face, .mouthOpen, .blink, .frown][$0]
    }
  }

  private func hiding(_ fields: inout PackFields) -> ClosedRange<Double>? {
    guard fields.has("hide"), let degrees = fields.ints("hide", count: 2, 0...90) else {
      return nil
    }
    guard degrees[0] < degrees[1] else {
      fields.fault("hide", "must be two angles, the smaller one first")
      return nil
    }
    return Double(degrees[0])...Double(degrees[1])
  }

  private func files(_ fields: inout PackFields, _ item: inout StickerItem) {
    if version > 1, fields.has("file") {
      guard let name = fields.string("file") else { return }
      fields.noting("file") { () throws(JSONProblem) in
        try folder.checkFile(FilePath(name), folder.kind(name))
        item.files = [FilePath(name)]
        item.isSingleFile = true
      }
      return
    }
    let count = fields.int("frames", 1...PackReader.maximumFrames)
    guard let name = fields.string("folder") else { return }
    fields.noting("folder") { () throws(JSONProblem) in
      guard try folder.kind(name) == .folder else {
        throw JSONProblem("\(folder.shown(FilePath(name))) is not a folder")
      }
    }
    guard let count, fields.faults.isEmpty else { return }
    var found = count
    fields.noting("folder") { () throws(JSONProblem) in
      (item.files, found) = try folder.pictures(in: name, count: count)
    }
    guard found >= count else {
      fields.fault(
        "frames", "is \(count), but \(folder.shown(FilePath(name))) has \(found) pictures")
      return
    }
  }
}
