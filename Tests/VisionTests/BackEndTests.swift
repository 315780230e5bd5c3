import Files
import Inference
import Pixels
import Support
import Testing
import Threads
import XNNPACKReference

@testable import Vision

/// The engine compared with XNNPACK on regions of a real picture.
@Suite(.timeLimit(.minutes(20))) struct BackEndTests {
  /// Regions of the photograph, randomly translated, rotated and scaled about its face.
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

  /// The differences between two back ends, in pixels of the photograph and in scores.
  private struct Distance {
    var place = 0.0
    var score = 0.0
    var crops = 0

    static func + (a: Distance, b: Distance) -> Distance {
      Distance(
        place: max(a.place, b.place), score: max(a.score, b.score), crops: a.crops + b.crops)
    }
  }

  private static func forEachPair(
    of own: Graph, _ other: Graph, output: Int, _ body: (Float, Float) -> Void
  ) {
    own.withOutput(output) { a in
      other.withOutput(output) { b in for index in a.indices { body(a[index], b[index]) } }
    }
  }

  /// The differences for some regions, with graphs of its own.
  private static func distance(
    _ model: TFLiteModel, _ regions: ArraySlice<Region>, isMesh: Bool,
    _ picture: borrowing Picture
  ) throws -> Distance {
    let own = try Graph(model, backEnd: .engine)
    let other = try Graph(model, backEnd: .xnnpack)
    let side = own.inputShape[1]
    let sampler = RegionSampler(width: side, height: side, range: isMesh ? 0...1 : -1...1)
    var worst = Distance()
    for region in regions {
      own.withInput {
        sampler.sample(
          picture, region.map(from: side), border: .replicate, own.inputLayout, into: &$0)
      }
      let layout = own.inputLayout
      own.withInput { input in
        other.fillInput { place in
          let (pixel, channel) = place.quotientAndRemainder(dividingBy: 3)
          return input[
            pixel / side * layout.row + pixel % side * layout.column + channel * layout.channel]
        }
      }
      try own.invoke()
      try other.invoke()
      // From pixels of the network's input to those of the photograph.
      let scale = region.width / Double(side)
      forEachPair(of: own, other, output: 0) {
        worst.place = max(worst.place, Double(abs($0 - $1)) * scale)
      }
      forEachPair(of: own, other, output: 1) {
        worst.score = max(worst.score, abs(logistic(Double($0)) - logistic(Double($1))))
      }
      worst.crops += 1
    }
    return worst
  }

  @Test(arguments: [FaceDetector.fileName, FaceMeshModel.Kind.points468.fileName])
  func bothBackEndsAgreeOnFiveHundredCrops(_ name: String) throws {
    let model = try TFLiteModel(path: FilePath(Photograph.models + "/" + name))
    let picture = try Photograph.load(.rgb)
    let regions = Self.regions(500)
    let found = Monitor<[Result<Distance, any Error>]>([])
    let threads = ThreadPool(exactly: 2)
    picture.withPicture { (picture: borrowing Picture) in
      threads.runSlices(regions.count) { _, range in
        let own = Result {
          try Self.distance(
            model, regions[range], isMesh: name == FaceMeshModel.Kind.points468.fileName, picture)
        }
        found.updateAndNotify { $0.append(own) }
      }
    }
    let worst = try found.withLock { $0 }.reduce(Distance()) { try $0 + $1.get() }
    #expect(worst.crops == 500)
    #expect(worst.place < 0.05)
    #expect(worst.score < 1e-4)
    #expect(worst.place > 0)
  }
}
