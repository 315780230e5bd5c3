package import Pixels

/// A person in a frame: a sprite, where the centre of its face is, and its scale.
package struct PlacedPerson {
  package let sprite: PersonSprite
  package let center: Point
  /// At most 1.
  package let scale: Double

  package init(_ sprite: PersonSprite, at center: Point, scale: Double = 1) {
    (self.sprite, self.center, self.scale) = (sprite, center, scale)
  }

  /// The alpha at a position in the frame.
  var alpha: (Double, Double) -> Float {
    { sprite.alpha(($0 - center.x) / scale, ($1 - center.y) / scale) }
  }

  private var box: Rectangle {
    FaceTruth.box(
      around: center, width: sprite.face.width * scale, height: sprite.face.height * scale,
      angle: sprite.look.angle)
  }

  /// Draws persons, the farthest first, over an RGB picture, and returns the visible faces.
  package static func draw(
    _ people: [PlacedPerson], on picture: borrowing Picture
  ) -> [FaceTruth] {
    for person in people {
      person.sprite.draw(at: person.center, scale: person.scale, on: picture)
    }
    let (width, height) = (Double(picture.width), Double(picture.height))
    return people.indices.compactMap { number in
      let person = people[number]
      let visible = person.visibleFraction(width, height, before: people[(number + 1)...])
      return visible > 0
        ? FaceTruth(
          box: person.box, width: person.sprite.face.width * person.scale, person: number,
          visible: visible) : nil
    }
  }

  /// The fraction of the face that is inside a frame and not covered by nearer persons.
  private func visibleFraction(
    _ width: Double, _ height: Double, before nearer: ArraySlice<PlacedPerson>
  ) -> Double {
    var (total, seen) = (0, 0)
    let box = box
    for (row, column) in product(0..<20, 0..<20) {
      let (u, v) = ((Double(column) + 0.5) / 20 - 0.5, (Double(row) + 0.5) / 20 - 0.5)
      guard u * u + v * v <= 0.25 else { continue }
      total += 1
      let (x, y) = (box.center.x + u * box.width, box.center.y + v * box.height)
      guard x >= 0, y >= 0, x < width, y < height else { continue }
      if !nearer.contains(where: { $0.alpha(x, y) > 0.5 }) { seen += 1 }
    }
    return Double(seen) / Double(total)
  }
}
