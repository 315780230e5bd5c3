import Faces
import Glibc
import Pixels

/// The transform from head coordinates to pixels of the picture: origin, axes and scale.
package struct HeadTransform: Sendable, Equatable {
  /// The point between the pupils, in pixels.
  let origin: Point3
  let right, up, forward: Point3
  /// Pupil distance in space, in pixels.
  let unit: Double
  /// Breadth of the head; 1 is average.
  let relativeBreadth: Double
  /// Height of the face; 1 is average.
  let relativeHeight: Double

  init(_ frame: HeadFrame) {
    (origin, right, up, forward) = (frame.origin, frame.right, frame.up, frame.forward)
    (unit, relativeBreadth) = (frame.unit, frame.relativeBreadth)
    relativeHeight = frame.relativeHeight
  }

  /// Converts a point given in pupil distances to the right of, above and in front of the point
  /// between the eyes to pixels.
  func apply(to p: Point3) -> Point3 {
    origin + right * (p.x * unit) + up * (p.y * unit) + forward * (p.z * unit)
  }
}

/// The occlusion of a billboard or a body by a head: by the face mesh, and by the skull under the hair.
///
/// The face is the mesh; the skull an ellipsoid of common size (14 cm broad, 19 long, its crown
/// 11 over the eyes, with pupils 6.3 apart and hair of half a centimetre).
struct HeadOccluder {
  private let face: SurfaceLayout?
  /// Depth of a billboard in pixels: a linear function of the picture's coordinates; 0 for bodies.
  private let depth: (value: Double, dx: Double, dy: Double)
  private let middle: Point3
  /// The skull's projected axes, each divided by its radius.
  private let axes: (Point3, Point3, Point3)
  private let radius: Double
  /// Depth behind the surface at which occlusion begins, and over which it becomes complete.
  private let slack: Double
  private let fade: Double

  private static let center = Point3(x: 0, y: 0.38, z: -1.15)
  private static let radii = Point3(x: 1.12, y: 1.42, z: 1.5)

  /// Prepares the occlusion of a billboard by a head that has moved by `offset` pixels.
  ///
  /// `face` is its mesh, rasterised with depths as texture coordinates.
  init?(_ head: HeadTransform, face: SurfaceLayout?, of billboard: Billboard, offset: Point) {
    guard head.unit > 0.5 else { return nil }
    let (a, b, c) = (
      billboard.corners[0].position, billboard.corners[1].position, billboard.corners[2].position
    )
    let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)
    guard abs(area) > 1e-6 else { return nil }
    let dx = ((b.z - a.z) * (c.y - a.y) - (c.z - a.z) * (b.y - a.y)) / area
    let dy = ((c.z - a.z) * (b.x - a.x) - (b.z - a.z) * (c.x - a.x)) / area
    guard (a.z - a.x * dx - a.y * dy).isFinite, dx.isFinite, dy.isFinite else { return nil }
    self.init(head, face, offset, height: 1, depth: (a.z - a.x * dx - a.y * dy, dx, dy))
  }

  /// Prepares the occlusion of a body, by a skull as high as the head.
  init?(_ head: HeadTransform, face: SurfaceLayout?, offset: Point) {
    guard head.unit > 0.5 else { return nil }
    self.init(head, face, offset, height: head.relativeHeight, depth: (0, 0, 0))
  }

  private init(
    _ head: HeadTransform, _ face: SurfaceLayout?, _ offset: Point, height: Double,
    depth: (value: Double, dx: Double, dy: Double)
  ) {
    (self.face, self.depth) = (face, depth)
    let position = head.apply(
      to: Point3(x: Self.center.x, y: Self.center.y * height, z: Self.center.z))
    middle = Point3(x: position.x + offset.x, y: position.y + offset.y, z: position.z)
    let r = Self.radii * head.unit
    axes = (
      head.right * (1 / (r.x * head.relativeBreadth)), head.up * (1 / (r.y * height)),
      head.forward * (1 / r.z)
    )
    radius = r.x
    (slack, fade) = (0.14 * head.unit, 0.08 * head.unit)
  }

  /// Multiplies `coverage`, in 1/65535, by the fraction of each pixel that the head does not
  /// occlude.
  func occlude(_ row: Int, _ columns: Range<Int>, _ coverage: Row<UInt16>, _ scratch: SpriteScratch)
  {
    let y = Double(row) + 0.5
    let start = depth.value + depth.dy * y + depth.dx * (Double(columns.lowerBound) + 0.5)
    occlude(row, columns, coverage, LinearDepth(start: start, step: depth.dx), scratch)
  }

  /// The same for something at these depths.
  func occlude(
    _ row: Int, _ columns: Range<Int>, _ coverage: Row<UInt16>, _ depths: some DepthRow,
    _ scratch: SpriteScratch
  ) {
    occludeBySkull(Double(row) + 0.5, columns, coverage, depths)
    guard let face else { return }
    let own = face.columns(row).clamped(to: columns)
    guard !own.isEmpty else { return }
    let us = scratch.u[0..<own.count]
    let covered = scratch.gain[0..<own.count]
    face.writeCoordinates(row, own, scratch.u, scratch.v, nothing: .max)
    face.writeCoverage(
      row, own, covered, scratch.blocks[0..<SurfaceKernels.blockCount(columns: own.count)],
      scratch.coverageDeltas)
    let shift = own.lowerBound - columns.lowerBound
    let shared = coverage[from: shift, count: own.count]
    let values = depths.values(from: shift, less: (slack, 0, 0), slope: 0, unit: 1)
    let scale = Float(1 / fade)
    for i in 0..<min(shared.count, us.count, covered.count) {
      let behind = (values[i] - Float(us[i]) * Self.unit) * scale
      let seen = 1 - min(max(behind, 0), 1) * Float(covered[i]) / 65535
      shared[i] = UInt16(truncatingIfNeeded: nearest(Float(shared[i]) * seen))
    }
  }

  /// Pixels for one unit of a rasterised depth: depths count 1/16 pixel, as texture coordinates
  /// 1/65536.
  static let unit: Float = 16 / 65536
  /// Divisor of depths in pixels that are rasterised as texture coordinates.
  static let depthScale = 16.0

  private func occludeBySkull(
    _ y: Double, _ columns: Range<Int>, _ coverage: Row<UInt16>, _ depths: some DepthRow
  ) {
    // |A t + B| = 1 along a pixel's ray, with t the depth from the skull's middle; see
    // `HeadTransform.apply`. B is linear in the column, so A B is too, and the part of B B
    // perpendicular to the ray is a parabola.
    let (p, q, r) = axes
    let along = Point3(x: p.z, y: q.z, z: r.z)
    let (down, square) = (y - middle.y, along.dot(along))
    guard square > 1e-18 else { return }
    let across = Point3(x: p.x, y: q.x, z: r.x)
    let left = Double(columns.lowerBound) + 0.5 - middle.x
    let b = across * left + Point3(x: p.y, y: q.y, z: r.y) * down
    let (mixed, mixing) = (along.dot(b), along.dot(across))
    let curvature = across.dot(across) - mixing * mixing / square
    guard curvature > 1e-18 else { return }
    // Columns are counted from the parabola's minimum.
    let lowest = -(across.dot(b) - mixing * mixed / square) / curvature
    let minimum = b.dot(b) - mixed * mixed / square - curvature * lowest * lowest
    guard minimum < Self.maximumSquaredDistance, abs(lowest) < 1e6 else { return }
    let half = ((Self.maximumSquaredDistance - minimum) / curvature).squareRoot()
    let first = max(0, Int(max(lowest - half, 0)))
    let end = min(coverage.count, columns.count, Int(max(min(lowest + half, 1e6), 0)) + 1)
    guard first < end else { return }
    let offset = Double(first) - lowest
    let front = -(mixed + mixing * Double(first)) / square
    Self.occludeByEllipsoid(
      coverage[first..<end], minimum: Float(max(minimum, 0)), curvature: Float(curvature),
      offset: Float(offset),
      radius: Float(radius), depth: Float(1 / square.squareRoot()),
      layer: depths.values(
        from: first, less: (middle.z, slack, front), slope: mixing / square, unit: fade),
      fade: Float(1 / fade))
  }

  /// Squared distance from the middle, in radii, beyond which the skull occludes nothing.
  private static let maximumSquaredDistance = 1.1

  /// Removes from `coverage` what an ellipsoid occludes. Pixel i has the squared distance `minimum`
  /// + `curvature` (i + `offset`)^2 from its middle, in radii; the front lies sqrt(1 - that) times
  /// `depth` before the middle. `layer` is the depth behind the middle, in units of the fade.
  private static func occludeByEllipsoid(
    _ coverage: Row<UInt16>, minimum: Float, curvature: Float, offset: Float, radius: Float,
    depth: Float,
    layer: some DepthValues, fade: Float
  ) {
    let thick = depth * fade
    for i in 0..<coverage.count {
      let position = Float(Int32(truncatingIfNeeded: i))
      let t = position + offset
      let squaredDistance = minimum + curvature * t * t
      let edge = min(max(0.5 + (1 - max(squaredDistance, 0).squareRoot()) * radius, 0), 1)
      let before = max(1 - squaredDistance, 0).squareRoot() * thick
      let behind = min(max(layer[i] + before, 0), 1)
      let kept = Float(coverage[i]) * (1 - edge * behind)
      coverage[i] = UInt16(truncatingIfNeeded: nearest(kept))
    }
  }
}
