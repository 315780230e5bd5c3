import Faces
import Pixels
import Support
import Testing

@testable import mien_bench

/// The counts of found and false faces.
@Suite struct FindingScoreTests {
  private func truth(
    x: Double, width: Double = 50, visible: Double = 1, person: Int = 0
  ) -> FaceTruth {
    FaceTruth(
      box: Rectangle(x: x, y: 100, width: width, height: width), width: width, person: person,
      visible: visible)
  }

  private func face(x: Double, width: Double = 50, id: UInt32 = 1) -> Face {
    Face(
      id: id, confidence: 1,
      box: Rectangle(x: x / 1000, y: 0.1, width: width / 1000, height: width / 1000))
  }

  private func score(_ frames: [(faces: [Face], truth: [FaceTruth])]) -> FindingScore {
    var score = FindingScore()
    for frame in frames { score.add(frame.faces, frame.truth, width: 1000, height: 1000) }
    return score
  }

  @Test func oneDetectionIsOneFound() {
    let score = score([([face(x: 105)], [truth(x: 100), truth(x: 112, person: 1)])])
    #expect(score.due.reduce(0, +) == 2)
    #expect(score.found.reduce(0, +) == 1)
    #expect(score.minimum == 0.5)
  }

  @Test func halfCoveredAndTinyFacesAreNeitherRequiredNorFalse() {
    let score = score([
      (
        [face(x: 100), face(x: 300, width: 20)],
        [truth(x: 100, visible: 0.5), truth(x: 300, width: 20), truth(x: 500, visible: 0.5)]
      )
    ])
    #expect(score.due.reduce(0, +) == 0)
    #expect(score.falseFaces == 0)
  }

  @Test func facesBesideAndOnInvisibleOnesAreFalse() {
    let score = score([
      ([face(x: 700), face(x: 100)], [truth(x: 100, visible: 0.05), truth(x: 300)])
    ])
    #expect(score.falseFaces == 2)
  }

  @Test func anotherIDForAPersonIsASwitch() {
    let frames = [3, 3, 4, 4].map { (faces: [face(x: 100, id: $0)], truth: [truth(x: 100)]) }
    let score = score(frames + [([], [truth(x: 100)])])
    #expect(score.switches == 1)
    #expect(score.ids.count == 2)
    #expect(score.persons.count == 1)
  }

  @Test func aFaceInsideAnotherIsNested() {
    #expect(score([([face(x: 100), face(x: 110, width: 20)], [])]).nestedFrames == 1)
    #expect(score([([face(x: 100), face(x: 140)], [])]).nestedFrames == 0)
  }
}
