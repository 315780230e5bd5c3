import Files
import Inference
import Pixels
import Support
import Testing

@testable import Vision

/// The engine beside XNNPACK, on what the networks see of a real picture.
@Suite struct BackEndTests {
  /// Regions of the photograph, shifted, turned and scaled at random about the face that is in it.
  private static func regions(_ count: Int) -> [Region] {
    var random = SplitMix(5)
    func spread(_ low: Double, _ high: Double) -> Double {
      low + (high - low) * Double(random.uniform())
    }
    return (0..<count).map { _ in
      let side = spread(90, 420)
      return Region(
        center: Point(x: 224 + spread(-0.2, 0.2) * side, y: 124 + spread(-0.2, 0.2) * side),
        width: side, height: side, angle: spread(-0.6, 0.6))
    }
  }

  @Test(arguments: [FaceDetector.Model.fullRange.fileName, FaceMesh.fileName])
  func bothBackEndsSeeTheSameInFiveHundredCrops(_ name: String) throws {
    let model = try TFLiteModel(path: FilePath(Photograph.models + "/" + name))
    let own = try Graph(model, backEnd: .own)
    let other = try Graph(model, backEnd: .xnnpack)
    let side = own.inputShape[1]
    let isMesh = name == FaceMesh.fileName
    let sampler = RegionSampler(width: side, height: side, range: isMesh ? 0...1 : -1...1)
    let picture = try Photograph.load(.rgb)
    var worst = (place: 0.0, score: 0.0)
    for region in Self.regions(500) {
      func outputs(_ graph: Graph) throws -> [[Float]] {
        picture.withPicture { (picture: borrowing Picture) in
          graph.withInput {
            sampler.sample(picture, region.map(from: side), border: .replicate, into: &$0)
          }
        }
        try graph.invoke()
        return graph.outputShapes.indices.map { number in
          graph.withOutput(number) { values in values.indices.map { values[$0] } }
        }
      }
      let (a, b) = (try outputs(own), try outputs(other))
      // From pixels of the network's input to those of the photograph.
      let scale = region.width / Double(side)
      for (one, two) in zip(a[0], b[0]) {
        worst.place = max(worst.place, Double(abs(one - two)) * scale)
      }
      for (one, two) in zip(a[1], b[1]) {
        worst.score = max(worst.score, abs(logistic(Double(one)) - logistic(Double(two))))
      }
    }
    #expect(worst.place < 0.05)
    #expect(worst.score < 1e-4)
    #expect(worst.place > 0)
  }
}
