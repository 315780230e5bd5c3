import CGStreamer
import Faces
package import Frames
import Pixels

/// The `MienFaces` metadata: what is known of the faces in a frame.
///
/// One GstCustomMeta per buffer, present also when no face was found. Places are shares of the
/// frame, so copying, converting and scaling keep it as it is; elements that crop and flip move it
/// from GStreamer 1.28 on, and before drop it by its tags. Fields are listed in docs/metadata.md.
package enum FaceMetadata {
  static let name: StaticString = "MienFaces"

  /// Makes the metadata known to GStreamer; to be called when the plugin is loaded.
  package static func register() {
    guard gst_meta_get_info(name.characters) == nil else { return }
    let names: [StaticString] = ["video", "orientation", "size"]
    var tags: [UnsafePointer<gchar>?] = names.map(\.characters) + [nil]
    _ = gst_meta_register_custom(
      name.characters, &tags,
      { target, meta, _, type, data, _ in
        switch MetaTransform(type, data) {
        case .whole: return MetaTransform.copy(meta, to: target!)
        case .placed(let placement, let size):
          let isFirst =
            gst_buffer_get_custom_meta(target, FaceMetadata.name.characters) == nil
          return placement.isScale && isFirst
            ? MetaTransform.copy(meta, to: target!)
            : FaceMetadata.place(meta!, placement, size, on: target!)
        case .dropped: return 1
        case .unknown: return 0
        }
      }, nil, nil)
  }

  /// Puts `faces`, measured on a frame of the given size, in the place of what was there.
  static func attach(_ faces: [Face], width: Int, height: Int, to buffer: Buffer) {
    replace(name, on: buffer) { contents in
      contents.set("width", UInt32(width))
      contents.set("height", UInt32(height))
      contents.set("faces", arrayOf: faces.count) { describe(faces[$0]) }
    }
  }

  /// Puts a custom meta of this name, with what `fill` sets, in the place of those that were there.
  static func replace(
    _ name: StaticString, on buffer: Buffer, _ fill: (borrowing Structure) -> Void
  ) {
    // All of them: a reader would take an older one for this.
    while let old = gst_buffer_get_custom_meta(buffer, name.characters),
      gst_buffer_remove_meta(buffer, cast(old)) != 0
    {}
    guard let meta = gst_buffer_add_custom_meta(buffer, name.characters) else { return }
    let contents = Structure(name)
    fill(contents)
    let source = contents.take()
    copyFields(of: source, into: gst_custom_meta_get_structure(meta))
    gst_structure_free(source)
  }

  /// How many faces the metadata on a buffer has; 0 without it.
  static func count(on buffer: Buffer) -> Int {
    var count = 0
    FaceList.forEachMeta(on: buffer) { fields in
      count += FaceList(fields)?.count ?? 0
      return true
    }
    return count
  }

  /// Puts the faces of `meta` where they are in another frame on its buffer, beside those that are
  /// there, as where frames are put into one.
  private static func place(
    _ meta: UnsafeMutablePointer<GstCustomMeta>, _ placement: FramePlacement,
    _ size: (width: Int, height: Int), on target: Buffer
  ) -> gboolean {
    var faces: [Face] = []
    // A place that cannot be read stays one: whoever hides faces has to know of it.
    var reader = FaceReader(width: size.width, height: size.height, misread: .anywhere)
    _ = reader.read(gst_custom_meta_get_structure(meta), into: &faces)
    faces = faces.compactMap { face in
      face.box.isFinite && face.box.width > 0 && face.box.height > 0
        ? face.placed(placement) : face
    }
    var others: [Face] = []
    var present = FaceReader(width: size.width, height: size.height, misread: .anywhere)
    if present.readMienFaces(of: target, into: &others) {
      // Two streams number their faces alike: each that joins counts from a place of its own.
      let start = ((others.map(\.id).max() ?? 0) >> 28) &+ 1
      for index in faces.indices { faces[index].id = faces[index].id &+ start &<< 28 }
      faces = others + faces
    }
    attach(faces, width: size.width, height: size.height, to: target)
    return 1
  }

  private static func describe(_ face: Face) -> Structure {
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
    return s
  }

  /// Reads a face; `missing` stands for a number of its box that is missing, or is none.
  static func read(_ s: UnsafePointer<GstStructure>, into face: inout Face, missing: Double) {
    face.id = FieldNumber.id(s, "id")
    face.confidence = FieldNumber.double(s, "confidence") ?? 0
    face.box = Rectangle(
      x: FieldNumber.double(s, "x") ?? missing, y: FieldNumber.double(s, "y") ?? missing,
      width: FieldNumber.double(s, "width") ?? missing,
      height: FieldNumber.double(s, "height") ?? missing)
    face.pose = FieldNumber.double(s, "roll").map {
      HeadPose(
        roll: $0, yaw: FieldNumber.double(s, "yaw") ?? 0,
        pitch: FieldNumber.double(s, "pitch") ?? 0)
    }
    face.expression = FieldNumber.double(s, "smile").map {
      Expression(
        leftEyeOpen: FieldNumber.double(s, "left-eye-open") ?? 1,
        rightEyeOpen: FieldNumber.double(s, "right-eye-open") ?? 1,
        mouthOpen: FieldNumber.double(s, "mouth-open") ?? 0, smile: $0)
    }
    readFloats(s, "keypoints", per: 2, into: &face.keypoints) {
      Point(x: Double($0(0)), y: Double($0(1)))
    }
    readFloats(s, "landmarks", per: 3, into: &face.landmarks) {
      Landmark(x: $0(0), y: $0(1), z: $0(2))
    }
  }

  /// More points than any mesh has: those after them are not read, for many faces may share them.
  private static let mostPoints = 512

  /// Reads groups of `per` floats; an array of the right length keeps its memory.
  private static func readFloats<T>(
    _ s: UnsafePointer<GstStructure>, _ field: StaticString, per: Int, into array: inout [T],
    _ make: ((Int) -> Float) -> T
  ) {
    var size: gsize = 0
    guard let value = gst_structure_get_value(s, field.characters),
      g_type_check_value_holds(value, cgst_type_bytes()) != 0,
      let bytes = g_value_get_boxed(value),
      let data = g_bytes_get_data(OpaquePointer(bytes), &size)
    else {
      array.removeAll(keepingCapacity: true)
      return
    }
    let count = min(Int(size) / (4 * per), mostPoints)
    if array.count > count { array.removeLast(array.count - count) }
    for index in 0..<count {
      let item = make { data.loadUnaligned(fromByteOffset: (index * per + $0) * 4, as: Float.self) }
      if index < array.count { array[index] = item } else { array.append(item) }
    }
  }

  static func copyFields(
    of source: UnsafeMutablePointer<GstStructure>?, into target: UnsafeMutablePointer<GstStructure>?
  ) {
    gst_structure_foreach(
      source,
      { field, value, target in
        gst_structure_id_set_value(target!.assumingMemoryBound(to: GstStructure.self), field, value)
        return 1
      }, target)
  }
}
