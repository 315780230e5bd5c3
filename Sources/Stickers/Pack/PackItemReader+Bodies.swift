import Pixels

/// The kinds of bodies.
enum StickerBodyKind: String, CaseIterable { case lathe, torus, sheet }

extension PackItemReader {
  /// Reads the members of an item with a body; nil if there are faults.
  func readBody(_ fields: inout PackFields) -> StickerAttachment? {
    guard let kind = fields.choice("body", StickerBodyKind.self),
      let ends = readEnds(&fields), let shape = readShape(kind, &fields)
    else { return nil }
    var body = StickerBody(shape, from: ends.from, to: ends.to)
    guard let down = readDown(&fields, default: body.down) else { return nil }
    body.down = down
    if down.unit != nil, body.axes == nil {
      fields.addFault("down", "must not be parallel to the line from \"from\" to \"to\"")
    }
    if kind != .sheet { body.depth = fields.number("depth", 0.05...20, default: 1) ?? 1 }
    if fields.has("anchor") {
      guard let anchor = fields.choice("anchor", StickerAnchor.self) else { return nil }
      guard anchor != .screen, !anchor.isOnHand else {
        fields.addFault("anchor", "\"\(anchor.rawValue)\" is no point of a head")
        return nil
      }
      body.anchor = anchor
    }
    body.isOccluded = fields.bool("hidden", default: true) ?? true
    body.shade = fields.number("shade", 0...1, default: 1) ?? 1
    return fields.faults.isEmpty ? .body(body) : nil
  }

  private func readShape(
    _ kind: StickerBodyKind, _ fields: inout PackFields
  ) -> StickerBody.Shape? {
    switch kind {
    case .lathe: readProfile(&fields).map { .lathe($0) }
    case .torus: fields.number("thickness", 0.001...20).map { .torus($0) }
    case .sheet:
      if fields.has("bend") {
        fields.numbers("bend", count: 2, -5...5).map { .sheet(Point(x: $0[0], y: $0[1])) }
      } else {
        .sheet(.zero)
      }
    }
  }

  /// Reads pairs of a radius and a height.
  private func readProfile(_ fields: inout PackFields) -> [Point]? {
    guard let pairs = fields.array("profile", 2...StickerBody.maximumProfile) else { return nil }
    var profile: [Point] = []
    for pair in pairs {
      let numbers = pair.array?.compactMap(\.number) ?? []
      guard numbers.count == 2, pair.array?.count == 2 else {
        fields.addFault("profile", "must contain only pairs of a radius and a height")
        return nil
      }
      guard (0...4).contains(numbers[0]), (-20...20).contains(numbers[1]) else {
        fields.addFault(
          "profile",
          "must contain radii from 0 to 4 and heights from -20 to 20, has "
            + "\(numbers[0]) and \(numbers[1])")
        return nil
      }
      profile.append(Point(x: numbers[0], y: numbers[1]))
    }
    guard profile.contains(where: { $0.x > 0 }), Set(profile.map { [$0.x, $0.y] }).count > 1 else {
      fields.addFault("profile", "must have two different points and a radius over 0")
      return nil
    }
    return profile
  }
}
