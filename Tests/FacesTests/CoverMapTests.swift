import Faces
import Pixels
import Testing

/// Maps of what covers a face: where they are sampled, and how they follow their picture.
@Suite(.timeLimit(.minutes(20))) struct CoverMapTests {
  /// A map of 4 x 2 cells on the pixels from (10, 20) to (50, 40) of a frame of 100 x 100; the right
  /// half is covered.
  private static let map: CoverMap = {
    var map = CoverMap()
    (map.width, map.height) = (4, 2)
    map.region = Rectangle(x: 0.1, y: 0.2, width: 0.4, height: 0.2)
    map.alpha = [0, 0, 255, 255, 0, 0, 255, 255]
    return map
  }()

  private static func row(_ sampler: CoverSampler, _ y: Int, from x: Int, _ count: Int) -> [UInt16]?
  {
    let grid = Grid<UInt16>(width: count, height: 1, of: 0)
    return sampler.writeVisibility(row: y, from: x, into: grid.row(0)) ? Array(grid.row(0)) : nil
  }

  @Test func pixelsAreSampledBetweenTheCentresOfCells() throws {
    let sampler = CoverSampler()
    try #require(sampler.set(Self.map, width: 100, height: 100))
    #expect(sampler.visibility(at: Point(x: 15, y: 30)) == 1)
    #expect(sampler.visibility(at: Point(x: 40, y: 30)) == 0)
    #expect(abs(sampler.visibility(at: Point(x: 30, y: 30)) - 0.5) < 1e-5)
    // Beyond the map nothing is covered.
    for point in [Point(x: 70, y: 30), Point(x: 40, y: 60), Point(x: 40, y: 5)] {
      #expect(sampler.visibility(at: point) == 1)
    }
    let row = try #require(Self.row(sampler, 30, from: 0, 100))
    for x in 0..<100 {
      let expected = sampler.visibility(at: Point(x: Double(x) + 0.5, y: 30.5))
      #expect(abs(Float(row[x]) / 65535 - expected) < 1e-3, "\(x)")
    }
    #expect(Self.row(sampler, 80, from: 0, 100) == nil)
    #expect(Self.row(sampler, 30, from: 70, 30) == nil)
  }

  @Test func invalidMapsCoverNothing() {
    let sampler = CoverSampler()
    #expect(!sampler.set(CoverMap(), width: 100, height: 100))
    for region in [
      Rectangle(x: .nan, y: 0, width: 1, height: 1), Rectangle(x: 0, y: 0, width: 0, height: 1),
      Rectangle(x: 1e9, y: 0, width: 1, height: 1),
      Rectangle(x: 0, y: 0, width: 1, height: .infinity),
    ] {
      var map = Self.map
      map.region = region
      #expect(!sampler.set(map, width: 100, height: 100))
    }
    var short = Self.map
    short.alpha.removeLast()
    #expect(!sampler.set(short, width: 100, height: 100))
  }

  @Test func theMapFollowsItsPicture() throws {
    let size = Point(x: 100, y: 100)
    let whole = Rectangle(x: 0, y: 0, width: 100, height: 100)
    let face: Face = {
      var face = Face(confidence: 1, box: Rectangle(x: 0.1, y: 0.2, width: 0.4, height: 0.2))
      face.cover = Self.map
      return face
    }()
    let mirror = try #require(
      FrameTransform(
        matrix: [-1, 0, 99, 0, 1, 0, 0, 0, 1], source: whole, target: whole, size: size,
        newSize: size))
    let mirrored = try #require(face.transformed(by: mirror)).cover
    #expect(mirrored.alpha == [255, 255, 0, 0, 255, 255, 0, 0])
    #expect(abs(mirrored.region.x - 0.5) < 1e-9 && abs(mirrored.region.width - 0.4) < 1e-9)
    let quarter = try #require(
      FrameTransform(
        matrix: [0, -1, 99, 1, 0, 0, 0, 0, 1], source: whole, target: whole, size: size,
        newSize: size))
    let turned = try #require(face.transformed(by: quarter)).cover
    #expect(turned.width == 2 && turned.height == 4)
    #expect(turned.alpha == [0, 0, 0, 0, 255, 255, 255, 255])
    #expect(face.moved(by: Point(x: 0.1, y: 0)).cover.region.x == 0.2)
  }
}
