import Pixels
import Support
import Testing

@testable import Vision

/// Faces that share a region of the segmentation network.
@Suite struct FaceClusteringTests {
  private let region = PersonRegion(
    VideoFormat(
      format: .nv12, width: 1280, height: 720, colorimetry: .bt709, chromaSite: .mpeg2))
  private var clustering: FaceClustering { FaceClustering(region: region) }

  private func face(_ x: Double, _ y: Double, width: Double) -> Rectangle {
    Rectangle(x: x, y: y, width: width, height: 1.25 * width)
  }

  /// Four faces above five.
  private var twoRows: [Rectangle] {
    (0..<4).map { face(230 + 256 * Double($0), 110, width: 38) }
      + (0..<5).map { face(100 + 256 * Double($0), 260, width: 60) }
  }

  @Test func oneRegionDoesForFacesNearTheCamera() {
    #expect(!clustering.needsClusters([face(500, 200, width: 60)], isDivided: false))
    let pair = [face(350, 150, width: 200), face(560, 170, width: 190)]
    #expect(!clustering.needsClusters(pair, isDivided: false))
  }

  @Test func smallFacesFarApartNeedClusters() {
    #expect(clustering.needsClusters(twoRows, isDivided: false))
  }

  @Test func theNetworkSeesEachFaceLargeEnough() throws {
    let clusters = clustering.clusters(twoRows)
    #expect(clusters.flatMap { $0 }.sorted() == Array(twoRows.indices))
    for cluster in clusters {
      let faces = cluster.map { twoRows[$0] }
      let box = try #require(region.enclosing(faces))
      for face in faces { #expect(region.samples(of: face, in: box) >= 30) }
    }
  }

  @Test func facesBesideEachOtherShareARegion() {
    let faces = [
      face(100, 200, width: 60), face(170, 205, width: 58), face(1000, 200, width: 60),
    ]
    #expect(clustering.clusters(faces).map { $0.sorted() } == [[0, 1], [2]])
  }

  @Test func aCrowdHasFewClusters() {
    let crowd = (0..<64).map { face(20 * Double($0), 11 * Double($0 * 7 % 64), width: 9) }
    let clusters = clustering.clusters(crowd)
    #expect(clusters.count <= FaceClustering.maximumCount)
    #expect(clusters.flatMap { $0 }.sorted() == Array(crowd.indices))
  }

  @Test func facesOutsideTheFrameAreNoFault() {
    var random = SplitMix(5)
    for _ in 0..<200 {
      let faces = (0..<9).map { _ in
        Rectangle(
          x: 20000 * Double(random.uniform()) - 10000, y: 20000 * Double(random.uniform()) - 10000,
          width: 1e-3 + 20000 * Double(random.uniform()),
          height: 1e-3 + 20000 * Double(random.uniform()))
      }
      #expect(clustering.clusters(faces).flatMap { $0 }.count == faces.count)
    }
  }
}
