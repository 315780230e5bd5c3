import Faces
import Files
import Glibc
import Inference
import Pixels
import Stickers
import Support
import Testing

@testable import Vision

/// The photograph's face as a mesh that can be turned, and pictures to lay on it.
enum SkinScene {
  private static let face = Result { () throws -> [Point3] in
    var settings = FaceFinder.Settings()
    settings.tracking = false
    let finder = try FaceFinder.loaded(settings)
    let faces = try finder.found(in: Photograph.load(.rgb), time: nil, settings: settings)
    let face = try #require(faces.first)
    let frame = try #require(HeadFrame(face, width: 512, height: 512))
    let mesh = try #require(frame.mesh)
    // In the head's own axes, its oval one wide.
    let points = (0..<Face.landmarkCount).map { index -> Point3 in
      let p = mesh[index] - frame.origin
      return Point3(x: p.dot(frame.right), y: -p.dot(frame.up), z: -p.dot(frame.forward))
    }
    let across = MeshIndex.oval.map { points[$0].x }
    let scale = 1 / ((across.max() ?? 1) - (across.min() ?? 0))
    return points.map { $0 * scale }
  }

  /// Its points on a picture, in pixels: the oval of a face that looks ahead is `width` wide.
  static func points(yaw: Double, width: Double, middle: Point) throws -> [Point3] {
    let (c, s) = (cos(yaw * .pi / 180), sin(yaw * .pi / 180))
    return try face.get().map { p in
      let turned = Point3(x: p.x * c - p.z * s, y: p.y - 0.25, z: p.x * s + p.z * c)
      return Point3(x: middle.x, y: middle.y, z: 0) + turned * width
    }
  }

  /// A picture of colours that change slowly, with blots that have edges.
  static func paint(side: Int) -> [UInt8] {
    var pixels: [UInt8] = []
    for (y, x) in product(0..<side, 0..<side) {
      let (u, v) = ((Double(x) + 0.5) / Double(side), (Double(y) + 0.5) / Double(side))
      func wave(_ value: Double) -> Double { 0.5 + 0.4 * sin(2 * .pi * value) }
      let blot = wave(5 * u) * wave(5 * v) > 0.55
      for value in [wave(4 * u + v), wave(3 * v - 2 * u), blot ? 0.85 : 0.25] {
        pixels.append(UInt8(255 * value))
      }
      pixels.append(255)
    }
    return pixels
  }

  static func texture(
    _ pixels: [UInt8], side: Int, for format: PixelFormat, blend: SpriteBlend = .over,
    sparing spared: SurfaceMesh.Openings = [.eyes, .mouth]
  ) throws -> SurfaceTexture {
    SurfaceTexture(
      try #require(
        SpriteScene.sprite(pixels, width: side, height: side, for: format, blend: blend)),
      on: .face(without: spared))
  }

  /// A picture of one colour.
  static func flat(_ color: (UInt8, UInt8, UInt8, UInt8), side: Int = 16) -> [UInt8] {
    (0..<side * side).flatMap { _ in [color.0, color.1, color.2, color.3] }
  }
}
