import Faces
import Pixels
import Support
import Testing
import Vision

/// A real hand before a real face, against outlines that were drawn by eye.
@Suite(.timeLimit(.minutes(10))) struct RealHandTests {
  @Test func aRealHandIsFreeOfPaintAndLittleOfTheFaceIs() throws {
    var settings = FaceFinder.Settings()
    settings.occlusion = true
    let finder = try FaceFinder.loaded(settings)
    let last = OutlinedHand.all.map(\.frame).max() ?? 0
    var frame = 0
    var scores: [Int: CoverScore] = [:]
    try RealScene.moods.forEachFrame(.i420) { picture, time in
      defer { frame += 1 }
      guard frame <= last else { return }
      let faces = try finder.found(in: picture, time: time, settings: settings)
      guard let hand = OutlinedHand.all.first(where: { $0.frame == frame }),
        let face = faces.first
      else { return }
      let (width, height) = (picture.width, picture.height)
      scores[frame, default: CoverScore()].add(
        face, hand.truth(width: width, height: height),
        original: MeshIndex.oval.map {
          face.landmarks[$0].inPixels(Double(width), Double(height))
        })
    }
    // Skin in slits between fingers and beside them is lost with them.
    for (frame, limit) in [(80, 5.5), (120, 7.5)] {
      let score = try #require(scores[frame])
      #expect(score.hiddenPercent > 98, "frame \(frame): \(score.hiddenPercent)")
      #expect(score.freedPercent < limit, "frame \(frame): \(score.freedPercent)")
    }
  }
}
