import Faces
import Files
import Pixels

/// The coordinate system of an item without an anchor.
enum StickerSpace: String, CaseIterable { case head }

/// Reads one item of a manifest.
struct PackItemReader {
  let version: Int
  let folder: PackFolder

  /// The item; nil if there are faults, which `fields` then holds.
  func read(_ fields: inout PackFields) -> StickerItem? {
    if version > 2, fields.hasNumber("type", 2) { return readSurface(&fields) }
    let attachment = readAttachment(&fields)
    var isOnFace = true
    if case .screen? = attachment { isOnFace = false }
    var isInSpace = false
    switch attachment {
    case .head?, .body?: isInSpace = true
    default: break
    }
    let scale = fields.number(
      "scaleWidth", isOnFace ? -20...100 : 0.001...100, default: isInSpace ? 1 : nil)
    let width = fields.number("width", 1...65536)
    let height = fields.number("height", 1...65536)
    // Version 1 requires these members, later versions have defaults.
    let zero: Double? = version == 1 ? nil : 0
    let offsetX = fields.number("offsetX", -100...100, default: zero)
    let offsetY = fields.number("offsetY", -100...100, default: zero)
    let duration = fields.number("frameDuration", 1...60_000, default: version == 1 ? nil : 100)
    let trigger = readTrigger(&fields)
    var item = StickerItem(
      attachment: attachment ?? .screen(.centre), scaleWidth: scale ?? 1, width: width ?? 1,
      height: height ?? 1)
    item.offsetX = offsetX ?? 0
    item.offsetY = offsetY ?? 0
    item.frameDuration = Int64((duration ?? 100) * 1e6)
    item.trigger = trigger ?? .always
    if version > 1 {
      readCommon(&fields, &item)
      item.rotates = fields.bool("rotate", default: true) ?? true
      item.keep = fields.number("keep", 0...1, default: 0) ?? 0
      item.fadeAngles = readFadeAngles(&fields)
    }
    readFiles(&fields, &item)
    return fields.faults.isEmpty ? item : nil
  }

  /// Reads the members that all types have.
  private func readCommon(_ fields: inout PackFields, _ item: inout StickerItem) {
    item.loop = fields.int("loop", 0...1_000_000, default: 0) ?? 0
    item.alpha = fields.number("alpha", 0...1, default: 1) ?? 1
    item.blend = fields.choice("blend", SpriteBlend.self, default: .over) ?? .over
    item.z = fields.number("z", -1e6...1e6, default: 0) ?? 0
  }

  /// Reads an item of type 2, which is a texture on the face.
  private func readSurface(_ fields: inout PackFields) -> StickerItem? {
    var surface = StickerSurface()
    surface.region = fields.choice("region", SurfaceRegion.self, default: .face) ?? .face
    surface.softness =
      fields.number("soft", 0...0.25, default: surface.region.softness) ?? 0
    surface.shade = fields.number("shade", 0...1, default: 0) ?? 0
    if fields.has("spare") {
      let names = fields.strings("spare", 0...2) ?? []
      surface.spared = []
      for name in names {
        switch name {
        case "eyes": surface.spared.insert(.eyes)
        case "mouth": surface.spared.insert(.mouth)
        default: fields.addFault("spare", "must contain only \"eyes\" and \"mouth\"")
        }
      }
    }
    let hasPicture = fields.has("file") || fields.has("folder")
    if !hasPicture { surface.color = fields.color("color") }
    if hasPicture, fields.has("color") {
      fields.addFault("color", "is only for items without a picture")
    }
    var item = StickerItem(attachment: .surface(surface), scaleWidth: 1, width: 1, height: 1)
    item.trigger = readTrigger(&fields) ?? .always
    let duration = fields.number("frameDuration", 1...60_000, default: 100)
    item.frameDuration = Int64((duration ?? 100) * 1e6)
    readCommon(&fields, &item)
    if hasPicture { readFiles(&fields, &item) }
    return fields.faults.isEmpty ? item : nil
  }

  private func readAttachment(_ fields: inout PackFields) -> StickerAttachment? {
    guard let type = fields.int("type", version > 2 ? 0...2 : 0...1) else { return nil }
    let isNamed = version > 1 && fields.has("anchor")
    if type == 0 {
      if version > 2, fields.has("space") {
        guard fields.choice("space", StickerSpace.self) != nil else { return nil }
        return fields.has("body") ? readBody(&fields) : readQuad(&fields)
      }
      if isNamed {
        guard let anchor = fields.choice("anchor", StickerAnchor.self) else { return nil }
        guard anchor != .screen else {
          fields.addFault("anchor", "\"screen\" needs type 1, which names a side of the frame")
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

  /// Reads two different points in the head's space.
  func readEnds(_ fields: inout PackFields) -> (from: Point3, to: Point3)? {
    guard let from = fields.numbers("from", count: 3, -20...20),
      let to = fields.numbers("to", count: 3, -20...20)
    else { return nil }
    guard from != to else {
      fields.addFault("to", "must differ from \"from\"")
      return nil
    }
    func point(_ p: [Double]) -> Point3 { Point3(x: p[0], y: p[1], z: p[2]) }
    return (point(from), point(to))
  }

  /// Reads a direction; the default if it is missing, nil and a fault if it is invalid.
  func readDown(_ fields: inout PackFields, default missing: Point3) -> Point3? {
    guard fields.has("down") else { return missing }
    guard let down = fields.numbers("down", count: 3, -20...20) else { return nil }
    let direction = Point3(x: down[0], y: down[1], z: down[2])
    if direction.unit == nil { fields.addFault("down", "must not be a zero vector") }
    return direction
  }

  private func readQuad(_ fields: inout PackFields) -> StickerAttachment? {
    guard let ends = readEnds(&fields) else { return nil }
    var quad = StickerQuad(from: ends.from, to: ends.to)
    guard let down = readDown(&fields, default: quad.down) else { return nil }
    quad.down = down
    quad.isRound = fields.bool("round", default: false) ?? false
    quad.isOccluded = fields.bool("hidden", default: true) ?? true
    return .head(quad)
  }

  private func readTrigger(_ fields: inout PackFields) -> StickerTrigger? {
    if version > 1, fields.has("trigger") || !fields.has("triggerType") {
      if let text = fields.text("trigger"),
        text.contains(">") || text.hasPrefix(StickerTrigger.gesturePrefix)
          || Blendshape(name: text) != nil
      {
        switch StickerTrigger.parse(text) {
        case .success(let trigger): return trigger
        case .failure(let error): fields.addFault("trigger", error.reason)
        }
        return nil
      }
      return fields.choice("trigger", StickerTrigger.self, default: .always)
    }
    return fields.int("triggerType", 0...4).map {
      [.always, .face, .mouthOpen, .blink, .frown][$0]
    }
  }

  private func readFadeAngles(_ fields: inout PackFields) -> ClosedRange<Double>? {
    guard fields.has("hide"), let degrees = fields.ints("hide", count: 2, 0...90) else {
      return nil
    }
    guard degrees[0] < degrees[1] else {
      fields.addFault("hide", "must be two different angles in degrees, the smaller one first")
      return nil
    }
    return Double(degrees[0])...Double(degrees[1])
  }

  private func readFiles(_ fields: inout PackFields, _ item: inout StickerItem) {
    if version > 1, fields.has("file") {
      guard let name = fields.string("file") else { return }
      fields.recordingFault("file") { () throws(FieldError) in
        try folder.checkFile(FilePath(name), folder.kind(name))
        item.files = [FilePath(name)]
        item.isSingleFile = true
      }
      return
    }
    let count = fields.int("frames", 1...PackReader.maximumFrames)
    guard let name = fields.string("folder") else { return }
    fields.recordingFault("folder") { () throws(FieldError) in
      guard try folder.kind(name) == .folder else {
        throw FieldError("\(folder.displayPath(FilePath(name))) is not a folder")
      }
    }
    guard let count, fields.faults.isEmpty else { return }
    var found = count
    fields.recordingFault("folder") { () throws(FieldError) in
      (item.files, found) = try folder.pictures(in: name, count: count)
    }
    guard found >= count else {
      fields.addFault(
        "frames", "is \(count), but \(folder.displayPath(FilePath(name))) has \(found) pictures")
      return
    }
  }
}
