import Faces
import Files
import Inference
import Pixels
import Support
import Testing
import Threads
import XNNPACKReference

@testable import Vision

/// Faces of one picture that several threads process in parallel.
@Suite(.timeLimit(.minutes(20))) struct RegionNetworkPoolTests {
  /// The faces that a finder finds in each of three pictures.
  private static func faces(_ crowd: Crowd, threads: Int, _ backEnd: BackEnd) throws
    -> [[Face]]
  {
    let pool = ThreadPool(exactly: threads)
    let finder = FaceFinder()
    let settings = FaceFinder.Settings()
    for network in FaceFinder.networks(for: settings) {
      let path = FilePath(Photograph.models + "/" + network.fileName)
      guard network != .yuNet else {
        try finder.install(network, from: path, threads: pool)
        continue
      }
      let model = try TFLiteModel(path: path)
      try finder.install(Graph(model, threads: pool, backEnd: backEnd), as: network)
    }
    return try (0..<3).map { try finder.found(in: crowd.picture, frame: $0, settings: settings) }
  }

  @Test(arguments: [BackEnd.engine, .xnnpack])
  func severalFacesAreBitExactForEveryThreadCount(_ backEnd: BackEnd) throws {
    let crowd = try Crowd(width: 960, height: 540)
    crowd.draw(7, widths: 80...100, seed: 3)
    let alone = try Self.faces(crowd, threads: 1, backEnd)
    #expect(alone[2].count { $0.expression != nil } >= 5)
    for threads in 2...3 {
      #expect(try Self.faces(crowd, threads: threads, backEnd) == alone, "\(threads) threads")
    }
  }
}
