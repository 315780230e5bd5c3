import Files
import Inference
import Pixels
import Support
import Testing
import Threads

@testable import Vision

/// Results of the genuine mediapipe 0.10.14 on the photograph and on crops of it.
@Suite(.timeLimit(.minutes(20))) struct FaceMeshTests {
  struct Reference: Sendable, CustomTestStringConvertible {
    let crop: (left: Int, top: Int, right: Int, bottom: Int)
    /// x, y in pixels of the crop by number of the point.
    let points: [Int: [Double]]
    var testDescription: String { "\(crop)" }
  }

  static let whole = Reference(
    crop: (0, 0, 512, 512),
    points: [
      0: [223.600, 140.466, -9.495], 1: [224.097, 131.180, -23.310],
      4: [224.368, 126.955, -25.089], 5: [224.736, 120.970, -23.895],
      10: [227.502, 72.432, -11.206], 13: [223.545, 142.736, -5.792],
      14: [223.127, 149.601, -3.437], 33: [194.646, 100.938, 3.926],
      61: [201.849, 139.454, 6.931], 133: [213.822, 103.647, 0.531],
      145: [204.429, 104.167, -0.681], 152: [221.343, 175.487, 8.711],
      159: [202.836, 97.818, -1.775], 168: [225.915, 101.037, -11.156],
      234: [179.030, 111.051, 41.350], 263: [256.708, 104.076, 4.481],
      291: [245.913, 142.235, 7.181], 362: [237.438, 104.774, 0.839],
      454: [270.860, 116.257, 42.082],
    ])

  static let references = [
    whole,
    Reference(
      crop: (60, 20, 460, 320),
      points: [
        1: [163.287, 111.429], 33: [134.171, 80.663], 263: [196.573, 83.479],
        152: [161.813, 156.048],
      ]),
    Reference(
      crop: (100, 0, 360, 400),
      points: [
        1: [124.292, 130.796], 33: [94.502, 100.597], 263: [157.088, 104.041],
        152: [121.703, 175.733],
      ]),
    Reference(
      crop: (190, 60, 512, 400),
      points: [
        1: [33.777, 71.963], 33: [3.258, 40.675], 263: [66.926, 43.760], 152: [31.200, 117.150],
      ]),
  ]

  @Test(arguments: references)
  func pointsMatchTheReference(reference: Reference) throws {
    let picture = try Photograph.load(.rgb, crop: reference.crop)
    let detection = try #require(
      try FaceDetectorTests.detector().detected(in: picture).first)
    let (probability, mesh) = try Self.mesh().measured(
      picture, Region(detection.pixels(of: picture)))
    #expect(probability > 0.99)
    for (index, place) in reference.points {
      let found = [mesh[index].x, mesh[index].y, mesh[index].z]
      for (a, b) in zip(found, place) { #expect(abs(a - b) < 0.1, "point \(index)") }
    }
  }

  @Test func theSecondRegionIsThatOfTheFirstMesh() throws {
    let picture = try Photograph.load(.rgb)
    let detection = try #require(
      try FaceDetectorTests.detector().detected(in: picture).first)
    let first = Region(detection.pixels(of: picture))
    for (a, b) in zip(first.numbers, [225.237411, 130.543304, 143.016357, 0.09438877]) {
      #expect(abs(a - b) < 0.02)
    }
    let mesh = try Self.mesh()
    let second = try mesh.measured(picture, first).1.region
    for (a, b) in zip(second.numbers, [225.077698, 123.739708, 155.240997, 0.05052134]) {
      #expect(abs(a - b) < 0.02)
    }
    let again = try mesh.measured(picture, second).1
    let expected: [Int: [Double]] = [
      1: [222.843, 131.176], 33: [194.168, 100.942], 263: [256.759, 104.352],
      152: [220.412, 176.410], 10: [227.325, 69.858],
    ]
    for (index, place) in expected {
      #expect(abs(again[index].x - place[0]) < 0.1)
      #expect(abs(again[index].y - place[1]) < 0.1)
    }
  }

  @Test(arguments: PixelFormat.eightBit)
  func everyFormatGivesNearlyTheSamePoints(format: PixelFormat) throws {
    let picture = try Photograph.load(format)
    let region = Region(
      center: Point(x: 225.237, y: 130.543), width: 143.016, height: 143.016, angle: 0.0943888)
    let (probability, mesh) = try Self.mesh().measured(picture, region)
    #expect(probability > 0.99)
    for (index, place) in Self.whole.points {
      let offset = mesh[index].xy - Point(x: place[0], y: place[1])
      #expect(offset.length < (format == .gray8 ? 3 : 0.8), "point \(index)")
    }
  }

  @Test func theProbabilityIsLowWithoutAFace() throws {
    let picture = try Photograph.load(.rgb)
    let region = Region(center: Point(x: 60, y: 300), width: 120, height: 120)
    #expect(try Self.mesh().measured(picture, region).0 <= 0.5)
  }

  @Test(arguments: [Double.nan, .infinity, -1e300, 1e300, 0, -5])
  func invalidRegionsHaveNoFace(value: Double) throws {
    let picture = try Photograph.load(.rgb, width: 33, height: 17)
    let mesh = try Self.mesh()
    let regions = [
      Region(center: Point(x: value, y: 3), width: 20, height: 20),
      Region(center: Point(x: 3, y: 3), width: value, height: 20),
      Region(center: Point(x: 3, y: 3), width: 20, height: 20, angle: value),
    ]
    for region in regions { #expect(try (0...1).contains(mesh.measured(picture, region).0)) }
  }

  static func mesh() throws -> FaceMeshModel {
    try FaceMeshModel(
      Graph(path: FilePath(Photograph.models + "/" + FaceMeshModel.Kind.points468.fileName)))
  }
}

extension FaceMeshModel {
  func measured(
    _ picture: OwnedPicture, _ region: Region, orientation: Orientation = .up
  ) throws -> (Double, Mesh) {
    let found = try picture.withPicture { (p: borrowing Picture) throws(ModelError) in
      try measure(p, orientation: orientation, regions: [region], unless: CancellationFlag())[0]
    }
    return (try #require(found).probability, found?.mesh ?? .empty)
  }
}

extension Region {
  var numbers: [Double] { [center.x, center.y, width, angle] }
}

extension Detection {
  func pixels(of picture: OwnedPicture) -> Detection {
    mapped(
      by: Affine(
        a: Double(picture.width), b: 0, c: 0, d: Double(picture.height), tx: 0, ty: 0))
  }
}
