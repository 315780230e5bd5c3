import Faces
import Glibc
import Pixels

/// How a head stands: where it is and which way its axes point, in pixels of the picture.
package struct StickerHead: Sendable, Equatable {
  /// Between the pupils.
  let origin: Point3
  let right, up, forward: Point3
  /// Distance of the pupils in space.
  let unit: Double
  /// How broad it is beside one of common breadth.
  let breadth: Double

  init(_ frame: HeadFrame) {
    (origin, right, up, forward) = (frame.origin, frame.right, frame.up, frame.forward)
    (unit, breadth) = (frame.unit, frame.breadth)
  }

  /// A place in pupil distances right of, over and before the middle between the eyes, in pixels.
  func place(_ p: Point3) -> Point3 {
    origin + right * (p.x * unit) + up * (p.y * unit) + forward * (p.z * unit)
  }
}

/// What a head hides of a board: where the board's plane lies behind the face, or behind the skull
/// under the hair.
///
/// The face is the mesh; the skull an ellipsoid of common size (14 cm broad, 19 long, its crown
/// 11 over the eyes, with pupils 6.3 apart and hair of half a centimetre).
struct HeadCover {
  private let face: SurfaceLayout?
  /// Depth of the board: linear in the picture.
  private let depth: (value: Double, dx: Double, dy: Double)
  private let middle: Point3
  /// The skull's axes as they are seen, each divided by its radius.
  private let axes: (Point3, Point3, Point3)
  private let radius: Double
  /// How far behind the surface things must be to be hidden, and over how much more they fade.
  private let slack: Double
  private let fade: Double

  private static let center = Point3(x: 0, y: 0.38, z: -1.15)
  private static let radii = Point3(x: 1.12, y: 1.42, z: 1.5)

  /// Of a board on a head that has moved by `offset`; `face` is the mesh laid out with its depths for
  /// places in the texture.
  init?(_ head: StickerHead, face: SurfaceLayout?, hiding board: StickerBoard, offset: Point) {
    guard head.unit > 0.5 else { return nil }
    let (a, b, c) = (
      board.corners[0].place, board.corners[1].place, board.corners[2].place
    )
    let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)
    guard abs(area) > 1e-6 else { return nil }
    let dx = ((b.z - a.z) * (c.y - a.y) - (c.z - a.z) * (b.y - a.y)) / area
    let dy = ((c.z - a.z) * (b.x - a.x) - (b.z - a.z) * (c.x - a.x)) / area
    depth = (a.z - a.x * dx - a.y * dy, dx, dy)
    guard depth.value.isFinite, dx.isFinite, dy.isFinite else { return nil }
    self.face = face
    let place = head.place(Self.center)
    middle = Point3(x: place.x + offset.x, y: place.y + offset.y, z: place.z)
    let r = Self.radii * head.unit
    axes = (
      head.right * (1 / (r.x * head.breadth)), head.up * (1 / r.y), head.forward * (1 / r.z)
    )
    radius = r.x
    (slack, fade) = (0.14 * head.unit, 0.08 * head.unit)
  }

  /// Takes from `share`, how much of each pixel is covered, what the head hides of it.
  func hide(_ row: Int, _ columns: Range<Int>, _ share: Row<UInt16>, _ scratch: SpriteScratch) {
    let y = Double(row) + 0.5
    let start = depth.value + depth.dy * y + depth.dx * (Double(columns.lowerBound) + 0.5)
    hideBehindSkull(y, columns, share, start)
    guard let face else { return }
    let own = face.columns(row).clamped(to: columns)
    guard !own.isEmpty else { return }
    let (us, vs) = (scratch.u[0..<own.count], scratch.v[0..<own.count])
    let covered = scratch.gain[0..<own.count]
    face.lay(row, own, us, vs, nothing: .max)
    face.cover(row, own, covered, scratch.coverage)
    let shift = own.lowerBound - columns.lowerBound
    let part = share[from: shift, count: own.count]
    let first = Float(start + depth.dx * Double(shift) - slack)
    let (step, scale) = (Float(depth.dx), Float(1 / fade))
    for i in 0..<min(part.count, us.count, covered.count) {
      let behind = (first + step * Float(i) - Float(us[i]) * Self.unit) * scale
      let seen = 1 - min(max(behind, 0), 1) * Float(covered[i]) / 65535
      part[i] = UInt16(truncatingIfNeeded: nearest(Float(part[i]) * seen))
    }
  }

  /// Depths are kept in 1/16 of a pixel, as places in a texture are in 1/65536.
  private static let unit: Float = 16 / 65536
  /// What a depth in pixels is divided by to be a place in a texture.
  static let depthScale = 16.0

  private func hideBehindSkull(
    _ y: Double, _ columns: Range<Int>, _ share: Row<UInt16>, _ start: Double
  ) {
    // |A t + B| = 1 along a pixel's ray, t from the middle's depth: see `StickerHead.place`.
    let (p, q, r) = axes
    let along = Point3(x: p.z, y: q.z, z: r.z)
    let (down, square) = (y - middle.y, along.dot(along))
    guard square > 1e-18 else { return }
    let across = Point3(x: p.x, y: q.x, z: r.x)
    let left = Double(columns.lowerBound) + 0.5 - middle.x
    var b = across * left + Point3(x: p.y, y: q.y, z: r.y) * down
    var layer = start - middle.z - slack
    for i in 0..<min(share.count, columns.count) {
      let mixed = along.dot(b)
      let reach = b.dot(b) - mixed * mixed / square
      if reach < 1.1 {
        let edge = min(max(0.5 + (1 - reach.squareRoot()) * radius, 0), 1)
        let front = (-mixed - (max(1 - reach, 0) * square).squareRoot()) / square
        let behind = min(max((layer - front) / fade, 0), 1)
        let seen = Float(1 - edge * behind)
        share[i] = UInt16(truncatingIfNeeded: nearest(Float(share[i]) * seen))
      }
      b = b + across
      layer += depth.dx
    }
  }
}
