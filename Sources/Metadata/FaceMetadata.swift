import Faces
import Frames
import Pixels

/// The `MienFaces` metadata: the faces in a frame.
///
/// One GstCustomMeta per buffer, also if no face was found. Coordinates are normalized to the
/// frame, so copying, converting and scaling keep the metadata unchanged. Elements that crop and
/// flip transform it from GStreamer 1.28 on; earlier versions drop it by its tags. docs/metadata.md
/// lists the fields.
package enum FaceMetadata {
  static let name: StaticString = "MienFaces"

  /// Registers the metadata with GStreamer; called when the plugin is loaded.
  package static func register() {
    registerMetadata(name) { fields, placement, size, target in
      if placement.isScale, !target.hasCustom(name) { return .unchanged }
      addTransformed(fields, placement, size, on: target)
      return .done
    }
  }

  /// Replaces the faces of a frame of the given size in pixels; `scene` is the number of its scene.
  static func attach(
    _ faces: [Face], scene: UInt32, width: Int, height: Int, to metadata: BufferMetadata
  ) {
    let contents = Structure(name)
    contents.set("width", UInt32(width))
    contents.set("height", UInt32(height))
    contents.set("scene", scene)
    contents.set("faces", arrayOf: faces.count) { faceStructure(faces[$0]) }
    metadata.replace(name, contents)
  }

  /// The number of faces in the metadata of a buffer; 0 without it.
  static func faceCount(in metadata: BufferMetadata) -> Int {
    var count = 0
    metadata.forEach(name) { fields in
      count += fields?.list("faces")?.count ?? 0
      return true
    }
    return count
  }

  /// Adds the faces of a frame to the buffer of another frame, transformed by its placement.
  private static func addTransformed(
    _ fields: Fields?, _ placement: FrameTransform, _ size: (width: Int, height: Int),
    on target: BufferMetadata
  ) {
    var faces: [Face] = []
    // A face whose box cannot be read is kept, because elements that hide faces need it.
    var reader = FaceReader(
      width: size.width, height: size.height, misread: .anywhere, readsCovers: true)
    _ = reader.readFaceList(fields, into: &faces)
    faces = faces.compactMap { face in
      face.box.isFinite && face.box.width > 0 && face.box.height > 0
        ? face.transformed(by: placement) : face
    }
    var others: [Face] = []
    var present = FaceReader(
      width: size.width, height: size.height, misread: .anywhere, readsCovers: true)
    if present.readMienFaces(of: target, into: &others) {
      // Faces of composited streams have the same ids, so those of further streams get higher ones.
      let start = ((others.map(\.id).max() ?? 0) >> 28) &+ 1
      for index in faces.indices { faces[index].id = faces[index].id &+ start &<< 28 }
      faces = others + faces
    }
    attach(
      faces, scene: fields?.uint("scene").map { UInt32(truncatingIfNeeded: $0) } ?? 0,
      width: size.width, height: size.height, to: target)
  }

  private static func faceStructure(_ face: Face) -> Structure {
    let s = Structure("face")
    s.set("id", face.id)
    s.set("confidence", face.confidence)
    s.set("x", face.box.x)
    s.set("y", face.box.y)
    s.set("width", face.box.width)
    s.set("height", face.box.height)
    s.set(poseOf: face)
    if !face.keypoints.isEmpty {
      s.set("keypoints", floats: 2 * face.keypoints.count) { floats in
        for (index, point) in face.keypoints.enumerated() {
          floats[2 * index] = Float(point.x)
          floats[2 * index + 1] = Float(point.y)
        }
      }
    }
    if !face.landmarks.isEmpty {
      s.set("landmarks", floats: 3 * face.landmarks.count) { floats in
        for (index, point) in face.landmarks.enumerated() {
          floats[3 * index] = point.x
          floats[3 * index + 1] = point.y
          floats[3 * index + 2] = point.z
        }
      }
    }
    s.set(expressionOf: face)
    for (name, numbers) in [
      ("blendshapes" as StaticString, face.blendshapes), ("transform", face.transform),
    ]
    where !numbers.isEmpty {
      s.set(name, floats: numbers.count) { floats in
        for (index, number) in numbers.enumerated() { floats[index] = number }
      }
    }
    s.set(coverOf: face)
    return s
  }

  /// Reads a face; `missing` replaces missing and invalid numbers of its box, and `withCover` says
  /// whether its cover is read.
  static func readFace(_ s: Fields, into face: inout Face, missing: Double, withCover: Bool) {
    face.id = s.id("id")
    face.confidence = s.number("confidence") ?? 0
    face.box = Rectangle(
      x: s.number("x") ?? missing, y: s.number("y") ?? missing,
      width: s.number("width") ?? missing,
      height: s.number("height") ?? missing)
    face.pose = s.number("roll").map {
      HeadPose(
        roll: $0, yaw: s.number("yaw") ?? 0,
        pitch: s.number("pitch") ?? 0)
    }
    face.expression = s.number("smile").map {
      Expression(
        leftEyeOpen: s.number("left-eye-open") ?? 1,
        rightEyeOpen: s.number("right-eye-open") ?? 1,
        mouthOpen: s.number("mouth-open") ?? 0, smile: $0)
    }
    if !withCover || !readCover(s, into: &face.cover) { face.cover.clear() }
    readPoints(s, "blendshapes", size: 1, exactly: Blendshape.count, into: &face.blendshapes) {
      $0.float(at: $1)
    }
    readPoints(s, "transform", size: 1, exactly: 16, into: &face.transform) { $0.float(at: $1) }
    readPoints(s, "keypoints", size: 2, into: &face.keypoints) { $0.point(at: $1) }
    readPoints(s, "landmarks", size: 3, into: &face.landmarks) {
      Landmark(x: $0.float(at: $1), y: $0.float(at: $1 + 1), z: $0.float(at: $1 + 2))
    }
  }

  /// The maximum number of points read per face, more than any mesh has; many faces may share
  /// bytes.
  private static let maximumPoints = 512

  /// Reads groups of `size` floats, none unless there are `exactly` as many; an array of the right
  /// length keeps its storage.
  private static func readPoints<T>(
    _ fields: Fields, _ name: StaticString, size: Int, exactly expected: Int? = nil,
    into array: inout [T], _ make: (ByteView, Int) -> T
  ) {
    guard let bytes = fields.bytes(name),
      expected == nil || bytes.count == expected.map({ 4 * size * $0 })
    else {
      array.removeAll(keepingCapacity: true)
      return
    }
    let count = min(bytes.count / (4 * size), maximumPoints)
    if array.count > count { array.removeLast(array.count - count) }
    for index in 0..<count {
      let item = make(bytes, index * size)
      if index < array.count { array[index] = item } else { array.append(item) }
    }
  }
}
