import Pixels
import Testing

@Suite(.timeLimit(.minutes(20))) struct OrientationTests {
  /// The stored positions of the upright picture's top left, top right and bottom left corners,
  /// from the EXIF specification's row-0 and column-0 table.
  @Test(
    arguments: zip(
      Orientation.allCases,
      [
        [0.0, 0.0, 1.0, 0.0, 0.0, 1.0], [1, 0, 0, 0, 1, 1], [1, 1, 0, 1, 1, 0], [0, 1, 1, 1, 0, 0],
        [0, 0, 0, 1, 1, 0], [0, 1, 0, 0, 1, 1], [1, 1, 1, 0, 0, 1], [1, 0, 1, 1, 0, 0],
      ]))
  func cornersAreMappedAsEXIFSpecifies(orientation: Orientation, expected: [Double]) {
    let map = orientation.uprightToStored
    let corners = [Point(x: 0, y: 0), Point(x: 1, y: 0), Point(x: 0, y: 1)].map { map($0) }
    #expect(corners.flatMap { [$0.x, $0.y] } == expected)
    let mirrored: [Orientation] = [.upMirrored, .downMirrored, .leftMirrored, .rightMirrored]
    #expect((map.determinant < 0) == mirrored.contains(orientation))
  }

  @Test func anAffineMapThenItsInverseIsTheIdentity() throws {
    let map = Affine(a: 2, b: 1, c: -0.5, d: 3, tx: 7, ty: -4)
    let inverse = try #require(map.inverse)
    for there in [inverse(map(Point(x: 3, y: 5))), map.then(inverse)(Point(x: 3, y: 5))] {
      #expect(abs(there.x - 3) < 1e-12 && abs(there.y - 5) < 1e-12)
    }
  }
}
