package import Inference
package import Pixels

/// Measures how far an eye is open with MediaPipe's iris_landmark network, which follows eyelids
/// much more closely than the face mesh does.
///
/// Not for two threads at once.
package final class EyeLids {
  /// Of the mediapipe 0.10.14 wheel.
  package static let fileName = "iris_landmark.tflite"
  private static let side = 64

  /// An eye as the network sees it.
  package struct Eye: Sendable, Equatable {
    /// Height over width of the opening.
    package var aspect: Double
    /// Middle of the iris, in pixels of the upright picture.
    package var iris: Point
  }

  private let graph: Graph
  private let sampler: RegionSampler
  private let contour: Int
  private let iris: Int

  /// Takes the loaded network; refuses one whose tensors are not this model's.
  package init(_ graph: Graph) throws(ModelError) {
    self.graph = graph
    let contourShape = [1, 213]
    let irisShape = [1, 15]
    try graph.expect(input: [1, Self.side, Self.side, 3], outputs: [contourShape, irisShape])
    guard let contour = graph.output(shape: contourShape), let iris = graph.output(shape: irisShape)
    else { throw ModelError("\(graph.name) has no outputs of an iris model") }
    self.contour = contour
    self.iris = iris
    sampler = RegionSampler(width: Self.side, height: Self.side, range: 0...1)
  }

  /// Looks at one eye of `mesh`, the image's left or right one; nil where it cannot be read.
  ///
  /// The region is MediaPipe's (iris_landmark_landmarks_to_roi.pbtxt): both corners, level, square,
  /// 2.3 times their distance. The network knows eyes at the image's left; the other is mirrored.
  package func measure(
    _ picture: borrowing Picture, orientation: Orientation = .up, mesh: Mesh, isLeft: Bool
  ) throws(ModelError) -> Eye? {
    let a = (isLeft ? mesh[33] : mesh[362]).flat
    let b = (isLeft ? mesh[133] : mesh[263]).flat
    let width = abs(b.x - a.x)
    let height = abs(b.y - a.y)
    let box = Rectangle(x: min(a.x, b.x), y: min(a.y, b.y), width: width, height: height)
    var region = Region(face: box, from: a, to: b)
    region.width *= 2.3 / 1.5
    region.height = region.width
    guard region.isUsable else { return nil }
    let count = Double(Self.side)
    let toUpright = region.map(from: Self.side)
    let mirror = Affine(a: -1, b: 0, c: 0, d: 1, tx: count - 1, ty: 0)
    let map = (isLeft ? toUpright : mirror.then(toUpright)).then(
      View(picture, orientation).toStoredPixels)
    unsafe sampler.sample(picture, map, border: .replicate, into: graph.input)
    try graph.invoke()
    let points = unsafe graph.output(contour)
    func point(_ index: Int) -> Point3 {
      unsafe Point3(
        x: Double(points[3 * index]), y: Double(points[3 * index + 1]),
        z: Double(points[3 * index + 2]))
    }
    // Of the 16 contour points, those of mesh points 160, 144, 158, 153, 33 and 133.
    let aspect =
      (point(11).distance(to: point(3)) + point(13).distance(to: point(5)))
      / (2 * point(0).distance(to: point(8)))
    let centers = unsafe graph.output(iris)
    let x = unsafe Double(centers[0])
    let center = toUpright(Point(x: isLeft ? x : count - x, y: unsafe Double(centers[1])))
    guard aspect.isFinite, center.x.isFinite, center.y.isFinite else { return nil }
    return Eye(aspect: aspect, iris: center)
  }
}
