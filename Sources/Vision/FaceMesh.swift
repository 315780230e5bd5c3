import Faces
package import Inference
package import Pixels

/// Measures 468 points of a face with MediaPipe's face_landmark network.
///
/// Reads 192 x 192 samples of the region whatever the picture's size. Not for two threads at once.
package final class FaceMesh {
  /// Of the mediapipe 0.10.14 wheel.
  package static let fileName = "face_landmark.tflite"
  private static let side = 192

  private let graph: Graph
  private let sampler: RegionSampler
  private let points: Int
  private let flag: Int

  /// Takes the loaded network; refuses one whose tensors are not this model's.
  package init(_ graph: Graph) throws(ModelError) {
    self.graph = graph
    let pointShape = [1, 1, 1, Face.landmarkCount * 3]
    let flagShape = [1, 1, 1, 1]
    try graph.expect(input: [1, Self.side, Self.side, 3], outputs: [pointShape, flagShape])
    guard let points = graph.output(shape: pointShape), let flag = graph.output(shape: flagShape)
    else { throw ModelError("\(graph.name) has no outputs of a face mesh") }
    self.points = points
    self.flag = flag
    sampler = RegionSampler(width: Self.side, height: Self.side, range: 0...1)
  }

  /// Looks for a face in `region`, in pixels of the upright picture, and writes its points to
  /// `mesh`, in the same pixels.
  ///
  /// Returns how surely there is a face, 0...1; at 0.5 or below there is none and `mesh` keeps
  /// what it had.
  package func measure(
    _ picture: borrowing Picture, orientation: Orientation = .up, region: Region,
    into mesh: inout Mesh
  ) throws(ModelError) -> Double {
    guard region.isUsable else { return 0 }
    let toUpright = region.map(from: Self.side)
    let map = toUpright.then(
      View(picture, orientation).toStoredPixels)
    unsafe sampler.sample(picture, map, border: .replicate, into: graph.input)
    try graph.invoke()
    let presence = logistic(Double(unsafe graph.output(flag)[0]))
    guard presence > 0.5 else { return presence }
    let values = unsafe graph.output(points)
    let depth = region.width / Double(Self.side)
    for index in 0..<Face.landmarkCount {
      let place = unsafe toUpright(
        Point(x: Double(values[3 * index]), y: Double(values[3 * index + 1])))
      let z = unsafe Double(values[3 * index + 2]) * depth
      guard place.x.isFinite, place.y.isFinite, z.isFinite else { return 0 }
      mesh.points[index] = Point3(x: place.x, y: place.y, z: z)
    }
    return presence
  }
}
