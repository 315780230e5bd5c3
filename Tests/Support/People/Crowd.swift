package import Pixels

/// Synthetic group pictures: small real faces with their surroundings, in rows before a real
/// background.
package final class Crowd {
  /// A head in a portrait, with the box of its face in pixels.
  private struct Sitter {
    let picture: OwnedPicture
    let face: Rectangle
  }

  /// The faces as detected at full size, where all of them are detected.
  private static let sitters: [(RealScene, [Rectangle])] = [
    (
      .group,
      [
        Rectangle(x: 530, y: 320, width: 99, height: 115),
        Rectangle(x: 680, y: 300, width: 109, height: 119),
        Rectangle(x: 310, y: 247, width: 97, height: 112),
        Rectangle(x: 220, y: 73, width: 92, height: 98),
        Rectangle(x: 440, y: 220, width: 79, height: 88),
      ]
    ),
    (.hiker, [Rectangle(x: 194, y: 174, width: 186, height: 223)]),
    (.highForehead, [Rectangle(x: 427, y: 220, width: 289, height: 335)]),
    (.portrait, [Rectangle(x: 373, y: 125, width: 238, height: 292)]),
    (.smile, [Rectangle(x: 194, y: 276, width: 290, height: 359)]),
    (.flags, [Rectangle(x: 645, y: 303, width: 275, height: 315)]),
  ]

  package let width: Int
  package let height: Int
  /// The drawn faces, in pixels.
  package private(set) var faces: [Rectangle] = []
  package let picture: OwnedPicture
  private let people: [Sitter]
  private let ground: OwnedPicture

  package init(width: Int, height: Int) throws {
    (self.width, self.height) = (width, height)
    picture = OwnedPicture(format: .rgb, width: width, height: height, colorimetry: .rgb)
    people = try Self.sitters.flatMap { scene, faces in
      let picture = try scene.picture()
      return faces.map { Sitter(picture: picture, face: $0) }
    }
    ground = try RealScene.letters.picture()
  }

  /// Draws `count` faces with widths in this range, in pixels; each seed begins with another
  /// person.
  package func draw(_ count: Int, widths: ClosedRange<Double>, seed: UInt64) {
    var random = SplitMix(seed)
    copyScaled(
      ground,
      from: Rectangle(x: 0, y: 0, width: Double(ground.width), height: Double(ground.height)),
      to: Rectangle(x: 0, y: 0, width: Double(width), height: Double(height)))
    faces = []
    let columns = 7
    let rows = (count + columns - 1) / columns
    let cell = (width: Double(width) / Double(columns), height: Double(height) / Double(rows))
    for index in 0..<count {
      let sitter = people[(index + Int(seed)) % people.count]
      let wide =
        widths.lowerBound
        + (widths.upperBound - widths.lowerBound) * Double(random.below(1000)) / 999
      let scale = wide / sitter.face.width
      // Hair, neck and background are the context of the detector.
      let (margin, top) = (0.45 * sitter.face.width, 0.5 * sitter.face.height)
      let around = Rectangle(
        x: sitter.face.x - margin, y: sitter.face.y - top,
        width: sitter.face.width + 2 * margin, height: sitter.face.height + 1.8 * top)
      let slack = (
        x: cell.width - around.width * scale - 4, y: cell.height - around.height * scale - 4
      )
      let place = Point(
        x: Double(index % columns) * cell.width + 2
          + slack.x * Double(random.below(1000)) / 999,
        y: Double(index / columns) * cell.height + 2
          + slack.y * Double(random.below(1000)) / 999)
      copyScaled(
        sitter.picture, from: around,
        to: Rectangle(
          x: place.x, y: place.y, width: around.width * scale, height: around.height * scale))
      faces.append(
        Rectangle(
          x: place.x + margin * scale, y: place.y + top * scale, width: wide,
          height: sitter.face.height * scale))
    }
  }

  /// Scales one rectangle onto another; each pixel is the mean of the pixels that it covers.
  private func copyScaled(_ source: OwnedPicture, from: Rectangle, to: Rectangle) {
    let (sx, sy) = (from.width / to.width, from.height / to.height)
    source.withPicture { source in
      let input = source.plane(0)
      picture.withPicture { target in
        let output = target.plane(0)
        for y in max(0, Int(to.y))..<min(height, Int(to.maxY)) {
          let row = output.row(y)
          let top = from.y + (Double(y) - to.y) * sy
          let rows = Self.pixelRange(top, top + sy, source.height)
          for x in max(0, Int(to.x))..<min(width, Int(to.maxX)) {
            let left = from.x + (Double(x) - to.x) * sx
            let columns = Self.pixelRange(left, left + sx, source.width)
            (row[3 * x], row[3 * x + 1], row[3 * x + 2]) = Self.meanColor(input, rows, columns)
          }
        }
      }
    }
  }

  /// The mean colour of a rectangle of RGB.
  private static func meanColor(
    _ plane: Plane, _ rows: Range<Int>, _ columns: Range<Int>
  ) -> (UInt8, UInt8, UInt8) {
    var sums = SIMD3<Int>.zero
    for y in rows {
      let pixels = plane.row(y)
      for x in columns {
        sums &+= SIMD3(Int(pixels[3 * x]), Int(pixels[3 * x + 1]), Int(pixels[3 * x + 2]))
      }
    }
    let means = sums / (rows.count * columns.count)
    return (UInt8(means.x), UInt8(means.y), UInt8(means.z))
  }

  /// The pixels of an interval, at least one.
  private static func pixelRange(_ low: Double, _ high: Double, _ count: Int) -> Range<Int> {
    let first = max(0, min(count - 1, Int(low)))
    return first..<max(first + 1, min(count, Int(high)))
  }
}
