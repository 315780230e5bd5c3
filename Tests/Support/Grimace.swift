package import Pixels

#if canImport(Glibc)
  import Glibc
#endif

/// The photograph's face with other expressions, made by moving regions of the picture along the
/// mesh.
package struct Grimace {
  private let bytes: [UInt8]
  private let mesh: [Point]
  private let side = 512

  /// The photograph in RGB, and the mesh points of its face in pixels.
  package init(_ photograph: OwnedPicture, _ mesh: [Point]) {
    bytes = photograph.tightBytes
    self.mesh = mesh
  }

  package struct Change: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    package static let leftEyeShut = Change(rawValue: 1)
    package static let rightEyeShut = Change(rawValue: 2)
    package static let mouthOpen = Change(rawValue: 4)
    /// Removes the smile that the face has in the photograph.
    package static let sober = Change(rawValue: 8)
  }

  /// The face with a changed expression, optionally mirrored.
  package func picture(_ change: Change, mirrored: Bool = false) -> OwnedPicture {
    if change.contains(.sober) {
      return Grimace(bytes: removeSmile(), mesh: mesh).picture(
        change.subtracting(.sober), mirrored: mirrored)
    }
    var out = bytes
    if change.contains(.leftEyeShut) {
      closeEye(
        upper: [33, 246, 161, 160, 159, 158, 157, 173, 133],
        lower: [33, 7, 163, 144, 145, 153, 154, 155, 133], &out)
    }
    if change.contains(.rightEyeShut) {
      closeEye(
        upper: [362, 398, 384, 385, 386, 387, 388, 466, 263],
        lower: [362, 382, 381, 380, 374, 373, 390, 249, 263], &out)
    }
    if change.contains(.mouthOpen) { openMouth(&out) }
    let picture = OwnedPicture(format: .rgb, width: side, height: side, colorimetry: .rgb)
    picture.withPicture { picture in
      for y in 0..<side {
        let row = picture.plane(0).row(y)
        for x in 0..<side {
          let from = (y * side + (mirrored ? side - 1 - x : x)) * 3
          for c in 0..<3 { row[3 * x + c] = out[from + c] }
        }
      }
    }
    return picture
  }

  private init(bytes: [UInt8], mesh: [Point]) {
    self.bytes = bytes
    self.mesh = mesh
  }

  /// Moves the corners of the mouth inwards and down.
  private func removeSmile() -> [UInt8] {
    let width = mesh[291].x - mesh[61].x
    let pulls = [
      (at: mesh[61], by: Point(x: 0.17, y: 0.1) * width, reach: 0.32 * width),
      (at: mesh[291], by: Point(x: -0.17, y: 0.1) * width, reach: 0.32 * width),
    ]
    var out = bytes
    for (y, x) in product(
      Int(mesh[61].y - width)...Int(mesh[61].y + width),
      Int(mesh[61].x - width)...Int(mesh[291].x + width))
    {
      // The inverse mapping: the source position of this pixel.
      var from = Point(x: Double(x), y: Double(y))
      for pull in pulls {
        let off = Point(x: Double(x), y: Double(y)) - (pull.at + pull.by)
        let share = exp(-(off.x * off.x + off.y * off.y) / (2 * pull.reach * pull.reach))
        from = from - pull.by * share
      }
      for c in 0..<3 { out[(y * side + x) * 3 + c] = sampleBilinear(from, c) }
    }
    return out
  }

  private func sampleBilinear(_ place: Point, _ c: Int) -> UInt8 {
    let (x, y) = (Int(place.x), Int(place.y))
    let (fx, fy) = (place.x - Double(x), place.y - Double(y))
    func byte(_ x: Int, _ y: Int) -> Double { Double(bytes[(y * side + x) * 3 + c]) }
    let upper = byte(x, y) * (1 - fx) + byte(x + 1, y) * fx
    let lower = byte(x, y + 1) * (1 - fx) + byte(x + 1, y + 1) * fx
    return UInt8(upper * (1 - fy) + lower * fy)
  }

  /// Covers the opening of an eye with the skin above it.
  private func closeEye(upper: [Int], lower: [Int], _ out: inout [UInt8]) {
    for x in columnRange(upper) {
      let top = polylineY(upper, at: x) - 1
      let bottom = polylineY(lower, at: x) + 1.5
      // Starts at the crease of the lid, where the skin is even.
      let start = top - 5
      for y in Int(start)...Int(bottom) {
        let share = (Double(y) - start) / (bottom - start)
        copyPixel(x, from: start + share * (top - 1 - start), to: y, &out)
      }
      // Eyelashes.
      for c in 0..<3 {
        let at = (Int(bottom) * side + x) * 3 + c
        out[at] = out[at] / 2
      }
    }
  }

  /// Moves everything below the line between the lips down, and darkens the gap.
  private func openMouth(_ out: inout [UInt8]) {
    let upper = [78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308]
    let columns = columnRange(upper)
    let jaw = mesh[152].y + 14
    let middle = (mesh[78].x + mesh[308].x) / 2
    let half = (mesh[308].x - mesh[78].x) / 2
    for x in columns {
      let across = (Double(x) - middle) / half
      let drop = 18 * max(0, 1 - across * across).squareRoot()
      let line = polylineY(upper, at: x) + 0.5 * (mesh[14].y - mesh[13].y) * (1 - across * across)
      for y in Int(line)..<Int(jaw) {
        if Double(y) < line + drop {
          for c in 0..<3 { out[(y * side + x) * 3 + c] = c == 0 ? 48 : 16 }
        } else {
          let share = (Double(y) - line - drop) / max(1, jaw - line - drop)
          copyPixel(x, from: line + share * (jaw - line), to: y, &out)
        }
      }
    }
  }

  private func columnRange(_ line: [Int]) -> ClosedRange<Int> {
    Int(mesh[line[0]].x.rounded())...Int(mesh[line[line.count - 1]].x.rounded())
  }

  /// The y coordinate of a polyline of mesh points, ordered from left to right.
  private func polylineY(_ line: [Int], at x: Int) -> Double {
    for (a, b) in zip(line, line.dropFirst()) where Double(x) <= mesh[b].x {
      let share = (Double(x) - mesh[a].x) / max(1e-6, mesh[b].x - mesh[a].x)
      return mesh[a].y + max(0, min(share, 1)) * (mesh[b].y - mesh[a].y)
    }
    return mesh[line[line.count - 1]].y
  }

  private func copyPixel(_ x: Int, from source: Double, to y: Int, _ out: inout [UInt8]) {
    let row = Int(source)
    let share = source - Double(row)
    for c in 0..<3 {
      let a = Double(bytes[(row * side + x) * 3 + c])
      let b = Double(bytes[((row + 1) * side + x) * 3 + c])
      out[(y * side + x) * 3 + c] = UInt8(a + share * (b - a))
    }
  }
}
