import Faces
import Inference
import Pixels
import Stickers
import Support
import Testing

@testable import Vision

/// Lipstick on a film of a woman who cries and laughs.
@Suite(.timeLimit(.minutes(20))) struct LipstickFilmTests {
  private func lipstick(_ colorimetry: Colorimetry) throws -> SurfaceTexture {
    let side = SurfaceRegion.side
    let picture = SpriteScene.picture(
      rgba: SkinScene.flat((200, 0, 0, 255), side: side), width: side, height: side)
    picture.withPicture {
      SurfaceRegion.lips.applyMask($0, softness: SurfaceRegion.lips.softness)
    }
    let space = SpriteSpace(format: .i420, colorimetry: colorimetry, blend: .over)
    return SurfaceTexture(
      try #require(Sprite.make(from: picture, space: space)), on: .face(without: [.mouth]))
  }

  /// Luma inside a ring of points, by the pixel's number in the frame.
  private func luma(_ picture: borrowing Picture, inside ring: [Point]) -> [Int: UInt8] {
    var codes: [Int: UInt8] = [:]
    let (low, high) = ring.boundingCorners
    let rows = max(0, Int(low.y))..<min(picture.height, Int(high.y))
    let columns = max(0, Int(low.x))..<min(picture.width, Int(high.x))
    for (y, x) in product(rows, columns)
    where isInside(ring, Point(x: Double(x) + 0.5, y: Double(y) + 0.5)) {
      codes[y * picture.width + x] = picture.component(0)[x, y]
    }
    return codes
  }

  @Test func teethStayWhiteInAnOpenMouth() throws {
    let scene = RealScene.moods
    let (width, height) = scene.size
    var (frames, teeth, colored, lips) = (0, 0, 0, 0)
    try scene.forEachFrame(.i420) { picture, _, faces in
      guard let face = faces.first, (face.expression?.mouthOpen ?? 0) > 0.2,
        let frame = HeadFrame(face, width: width, height: height), let mesh = frame.mesh
      else { return }
      let points = (0..<Face.landmarkCount).map { mesh[$0] }
      let ring = MeshIndex.lips.map { points[$0].xy }
      let texture = try lipstick(picture.colorimetry)
      let before = picture.withPicture { luma($0, inside: ring) }
      picture.withPicture {
        _ = SpriteCompositor(width: width).draw(texture, on: points, picture: $0)
      }
      let after = picture.withPicture { luma($0, inside: ring) }
      frames += 1
      for (place, code) in before {
        let change = abs(Int(after[place] ?? 0) - Int(code))
        if code > 190 {
          teeth += 1
          colored += change > 20 ? 1 : 0
        } else if change > 20 {
          lips += 1
        }
      }
    }
    #expect(frames > 50 && teeth > 1000 && lips > 1000)
    #expect(Double(colored) < 0.01 * Double(teeth), "\(colored) of \(teeth) pixels of teeth")
  }
}
