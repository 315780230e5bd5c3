import Faces
import Frames
import Pixels

/// GstVideoRegionOfInterestMeta "face": faces in the form that other plugins' elements read.
///
/// Parameters are those of DL Streamer's `gvawatermark` and `gvametaconvert`: `detection` (x_min,
/// y_min, x_max, y_max normalized to the frame, confidence), `object_id` (id) and `landmarks`
/// (format "landmark_points", floats normalized to the region).
enum RegionMetadata {
  private static let label: StaticString = "face"
  /// Distinguishes our regions from those of other detectors.
  private static let modelName: StaticString = "mien"

  /// Removes the regions of an earlier `facedetect` from the buffer.
  static func removeOwn(from metadata: BufferMetadata) {
    metadata.removeRegions(ofModel: modelName)
  }

  /// Adds the region of a face; `detection` is the id of its GstAnalytics detection, by which DL
  /// Streamer relates the two.
  static func attach(
    _ face: Face, width: Int, height: Int, detection number: UInt32? = nil,
    to metadata: BufferMetadata
  ) {
    let frame = Rectangle(x: 0, y: 0, width: Double(width), height: Double(height))
    let clipped = face.box.scaled(x: frame.width, y: frame.height).intersection(frame)
    let box = PixelBox(normalized: face.box, width: width, height: height)
    guard let region = metadata.addRegion(label, box, id: number) else { return }

    let detection = Structure("detection")
    detection.set("x_min", clipped.x / frame.width)
    detection.set("y_min", clipped.y / frame.height)
    detection.set("x_max", clipped.maxX / frame.width)
    detection.set("y_max", clipped.maxY / frame.height)
    detection.set("confidence", face.confidence)
    detection.set("model_name", modelName.description)
    region.addParameter(detection)

    if face.id != 0 {
      let object = Structure("object_id")
      object.set("id", Int32(bitPattern: face.id))
      region.addParameter(object)
    }
    let points = points(of: face)
    guard !points.isEmpty, !box.isEmpty else { return }
    let landmarks = Structure("landmarks")
    landmarks.set("format", "landmark_points")
    landmarks.set("model_name", modelName.description)
    landmarks.set("precision", Int32(10))  // float32
    landmarks.set("layout", Int32(0))  // any
    landmarks.set("dims", array: [1, UInt32(points.count * 2)])
    landmarks.set("data_buffer", tensor: points.count * 2) { floats in
      let pixels = box.rectangle
      for (index, point) in points.enumerated() {
        floats[2 * index] = Float((point.x * frame.width - pixels.x) / pixels.width)
        floats[2 * index + 1] = Float((point.y * frame.height - pixels.y) / pixels.height)
      }
    }
    region.addParameter(landmarks)
  }

  /// Left eye, right eye, nose tip and mouth corners; without a mesh the mouth's centre replaces
  /// the corners.
  private static func points(of face: Face) -> [Point] {
    guard let left = face[.leftEye], let right = face[.rightEye], let nose = face[.noseTip],
      let mouth = face[.mouthCenter]
    else { return [] }
    let (leftCorner, rightCorner) = MeshIndex.mouthCorners
    guard face.landmarks.count > rightCorner else { return [left, right, nose, mouth] }
    let corners = [leftCorner, rightCorner].map { face.landmarks[$0] }
    return [left, right, nose] + corners.map { Point(x: Double($0.x), y: Double($0.y)) }
  }

  /// A region's box, normalized to the frame.
  static func box(of region: RegionOfInterest, width: Int, height: Int) -> Rectangle {
    region.box.rectangle.scaled(x: 1 / Double(width), y: 1 / Double(height))
  }

  /// The tracking id of a region's face; 0 for none.
  static func id(of region: RegionOfInterest) -> UInt32 {
    region.parameter("object_id")?.id("id") ?? 0
  }

  /// Sets `face` from a region.
  static func read(_ region: RegionOfInterest, width: Int, height: Int, into face: inout Face) {
    face.box = box(of: region, width: width, height: height)
    face.confidence = region.parameter("detection").map { $0.number("confidence") ?? 1 } ?? 1
    face.id = id(of: region)
    face.pose = nil
    face.expression = nil
    face.transform.removeAll(keepingCapacity: true)
    face.cover.clear()
    face.landmarks.removeAll(keepingCapacity: true)
    face.blendshapes.removeAll(keepingCapacity: true)
    face.keypoints.removeAll(keepingCapacity: true)
    guard let points = region.parameter("landmarks")?.tensor("data_buffer"),
      points.count >= 4 * 2 * 4
    else { return }
    let box = face.box
    func point(_ index: Int) -> Point {
      let point = points.point(at: 2 * index)
      return Point(x: box.x + point.x * box.width, y: box.y + point.y * box.height)
    }
    for index in 0..<3 { face.keypoints.append(point(index)) }
    // Five points end with the corners of the mouth, four with its centre.
    face.keypoints.append(points.count >= 5 * 2 * 4 ? (point(3) + point(4)) * 0.5 : point(3))
  }
}
