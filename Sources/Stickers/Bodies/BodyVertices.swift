import Pixels

/// A vertex of a body in the picture.
struct BodyVertex: BitwiseCopyable {
  /// In pixels; the depth away from the camera.
  var x, y, depth: Double
  var inverseDepth: Double
  /// Gain of the light on it.
  var gain: Double

  static let none = BodyVertex(x: 0, y: 0, depth: 0, inverseDepth: 1, gain: 1)
}

/// Memory for drawing bodies, kept from frame to frame.
final class BodyScratch {
  private let vertices = Grid<BodyVertex>(of: .none)
  /// The body, rasterised with depths and gains as texture coordinates.
  private let surface = SurfaceScratch()

  /// Projects the vertices of `mesh`.
  func project(
    _ mesh: SurfaceMesh, _ body: BodyPlacement, _ light: BodyLight, shade: Double
  ) -> Row<BodyVertex> {
    vertices.resize(width: max(mesh.positions.count, 1), height: 1)
    let vertices = vertices.row(0)
    for index in 0..<min(vertices.count, mesh.positions.count) {
      let corner = body.project(mesh.positions[index])
      var normal = body.direction(mesh.normals[index])
      // A sheet is seen from either side.
      if mesh.isTwoSided, normal.z > 0 { normal = normal * -1 }
      vertices[index] = BodyVertex(
        x: corner.position.x, y: corner.position.y, depth: corner.position.z,
        inverseDepth: corner.inverseDepth, gain: 1 + shade * (light.gain(normal) - 1))
    }
    return vertices
  }

  /// Rasterises the body with its depths and gains; nil if nothing is visible.
  func layout(
    _ texture: SurfaceTexture, _ vertices: Row<BodyVertex>, height: Int
  ) -> SurfaceLayout? {
    let mesh = texture.mesh
    guard
      SurfaceLayout.projectVertices(
        mesh, SurfaceVertices(body: vertices), Point(x: 1, y: 1), surface) != nil
    else { return nil }
    let corners = surface.corners.row(0)
    for index in 0..<min(corners.count, vertices.count) {
      let depth = vertices[index].depth / HeadOccluder.depthScale
      guard abs(depth) < 16_000 else { return nil }
      var corner = corners[index]
      (corner.u, corner.v) = (depth, vertices[index].gain * BodyShading.gainScale)
      corners[index] = corner
    }
    return SurfaceLayout(mesh, isPainted: texture.isPainted, height: height, surface)
  }
}

/// The depths and the light of a body at the pixels of a row.
struct BodyShading {
  private let layout: SurfaceLayout
  /// Whether taps are red, green and blue; and black in codes.
  private let isRGB: Bool
  private let black: UInt16

  /// Factor of gains that are rasterised as texture coordinates, which count 1/65536.
  static let gainScale = 16.0

  init(_ layout: SurfaceLayout, _ target: SpriteTarget) {
    self.layout = layout
    isRGB = target.layout.family == .rgb
    black = isRGB ? 0 : UInt16(target.colorimetry.lumaOffset)
  }

  func apply(_ gains: Row<UInt16>, to taps: SpriteTaps) {
    SurfaceLight.scale(taps, by: gains, isRGB: isRGB, black: black)
  }

  /// Writes the depths in pixels to `depths`, and the gains in 1/16384 to `gains`.
  func write(
    _ row: Int, _ columns: Range<Int>, depths: Row<Float>, gains: Row<UInt16>,
    _ scratch: SpriteScratch
  ) {
    layout.writeCoordinates(row, columns, scratch.u, scratch.v)
    let (us, vs) = (scratch.u[0..<columns.count], scratch.v[0..<columns.count])
    for i in 0..<min(depths.count, us.count) { depths[i] = Float(us[i]) * HeadOccluder.unit }
    // 16 units in 1/65536 are 64 in 1/16384.
    for i in 0..<min(gains.count, vs.count) {
      gains[i] = UInt16(truncatingIfNeeded: max(0, min(vs[i] &>> 6, 65535)))
    }
  }
}
