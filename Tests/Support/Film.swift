package import Pixels

#if canImport(Glibc)
  import Glibc
#endif

/// Synthetic frames: the head of the photograph, moved by the test, on a plain background.
package final class Film {
  /// The bounds of the head in the photograph; the head is the ellipse in this box.
  package static let head = Rectangle(x: 130, y: 6, width: 190, height: 200)
  /// The centre of the face, about which heads are rotated and by which they are positioned.
  package static let face = Point(x: 224, y: 124)
  /// The distance between the pupils, in the photograph's pixels.
  package static let eyeDistance = 43.45

  package let width: Int
  package let height: Int
  package let frame: OwnedPicture
  private let photograph: [UInt8]
  /// The photograph's bytes; all films share one decoded copy.
  private static let decoded = Result { try Photograph.load(.rgb).tightBytes }
  private let grounds: [[UInt8]]
  private var random = SplitMix(1)

  package init(width: Int, height: Int) throws {
    self.width = width
    self.height = height
    frame = OwnedPicture(format: .rgb, width: width, height: height, colorimetry: .rgb)
    photograph = try Self.decoded.get()
    grounds = [(37.0, 29.0, 24.0), (-61.0, 47.0, 80.0)].map { across, down, depth in
      var ground: [UInt8] = []
      ground.reserveCapacity(width * height * 3)
      for y in 0..<height {
        for x in 0..<width {
          let shade = UInt8(96 + depth * sin(Double(x) / across) * cos(Double(y) / down))
          ground.append(shade)
          ground.append(shade &+ 10)
          ground.append(shade &+ 24)
        }
      }
      return ground
    }
  }

  /// The transform from the photograph to the frame, which maps the centre of the face to `at`.
  package static func place(
    at: Point, scale: Double = 1, degrees: Double = 0, mirrored: Bool = false
  ) -> Affine {
    let (c, s) = (cos(degrees * .pi / 180) * scale, sin(degrees * .pi / 180) * scale)
    let m = mirrored ? -1.0 : 1.0
    return Affine(
      a: c * m, b: s * m, c: -s, d: c, tx: at.x - c * m * face.x + s * face.y,
      ty: at.y - s * m * face.x - c * face.y)
  }

  /// Draws the heads over one of two backgrounds, the last head in front.
  package func draw(_ heads: [Affine], ground: Int = 0) {
    let ground = grounds[ground]
    frame.withPicture { picture in
      for y in 0..<height {
        let row = picture.plane(0).row(y)
        ground.withUnsafeBufferPointer { ground in
          _ = memcpy(row.base, ground.baseAddress! + y * width * 3, width * 3)
        }
      }
      for head in heads { draw(head, picture) }
    }
  }

  /// Fills the frame with one colour.
  package func fill(_ code: UInt8) {
    frame.withPicture { picture in
      for y in 0..<height { picture.plane(0).row(y).fill(code) }
    }
  }

  /// Adds new noise with a standard deviation of about `deviation` codes.
  package func addNoise(_ deviation: Double) {
    frame.withPicture { picture in
      var random = self.random
      let scale = Int(deviation * 256 * 1.22)
      for y in 0..<height {
        let row = picture.plane(0).row(y)
        for x in 0..<row.count {
          // The sum of three bytes is nearly normal, with a standard deviation of 128.
          let bits = random.next()
          let sum = Int(bits & 255) &+ Int((bits &>> 8) & 255) &+ Int((bits &>> 16) & 255)
          let noisy = Int(row[x]) &+ ((sum &- 382) &* scale) / (128 &* 256)
          row[x] = UInt8(max(0, min(noisy, 255)))
        }
      }
      self.random = random
    }
  }

  private func draw(_ head: Affine, _ picture: borrowing Picture) {
    guard let back = head.inverse else { return }
    let box = Self.head
    let corners = [
      Point(x: box.x, y: box.y), Point(x: box.maxX, y: box.y), Point(x: box.x, y: box.maxY),
      Point(x: box.maxX, y: box.maxY),
    ].map { head($0) }
    let left = max(0, Int(corners.map(\.x).min()!.rounded(.down)))
    let right = min(width - 1, Int(corners.map(\.x).max()!.rounded(.up)))
    let top = max(0, Int(corners.map(\.y).min()!.rounded(.down)))
    let bottom = min(height - 1, Int(corners.map(\.y).max()!.rounded(.up)))
    guard left <= right, top <= bottom else { return }
    let center = box.center
    let (rx, ry) = (2 / box.width, 2 / box.height)
    photograph.withUnsafeBufferPointer { source in
      let source = source.baseAddress!
      for y in top...bottom {
        let row = picture.plane(0).row(y).base
        for x in left...right {
          let px = back.a * Double(x) + back.c * Double(y) + back.tx
          let py = back.b * Double(x) + back.d * Double(y) + back.ty
          let (ex, ey) = ((px - center.x) * rx, (py - center.y) * ry)
          // 256 inside, falling to 0 over the outer tenth of the ellipse.
          let inside = (1 - ex * ex - ey * ey) * 1280
          if inside <= 0 { continue }
          let alpha = Int(min(inside, 256))
          let fx = Int(px * 256)
          let fy = Int(py * 256)
          let wx = fx & 255
          let wy = fy & 255
          let p = ((fy &>> 8) &* 512 &+ (fx &>> 8)) &* 3
          for c in 0..<3 {
            let a = Int(source[p &+ c]) &* (256 &- wx) &+ Int(source[p &+ c &+ 3]) &* wx
            let b =
              Int(source[p &+ c &+ 1536]) &* (256 &- wx) &+ Int(source[p &+ c &+ 1539])
              &* wx
            let value = (a &* (256 &- wy) &+ b &* wy) &>> 16
            let old = Int(row[3 &* x &+ c])
            row[3 &* x &+ c] = UInt8((value &* alpha &+ old &* (256 &- alpha)) &>> 8)
          }
        }
      }
    }
  }
}
