import CGStreamer
import Faces
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

  /// Puts a custom meta of this name, with what `fill` sets, in the place of the one that was there.
  static func replace(
    _ name: StaticString, on buffer: Buffer, _ fill: (borrowing Structure) -> Void
  ) {
    if let old = gst_buffer_get_custom_meta(buffer, name.characters) {
      gst_buffer_remove_meta(buffer, cast(old))
    }
    guard let meta = gst_buffer_add_custom_meta(buffer, name.characters) else { return }
    let contents = Structure(name)
    fill(contents)
    let source = contents.take()
    copyFields(of: source, into: gst_custom_meta_get_structure(meta))
    gst_structure_free(source)
  }

  /// How many faces the metadata on a buffer has; 0 without it.
  static func count(on buffer: Buffer) -> Int {
    guard let meta = gst_buffer_get_custom_meta(buffer, name.characters),
      let list = gst_structure_get_value(gst_custom_meta_get_structure(meta), "faces"),
      g_type_check_value_holds(list, cgst_type_array()) != 0
    else { return 0 }
    return Int(gst_value_array_get_size(list))
  }

  /// Reads the faces into `faces`, reusing its storage; false when there is no such metadata.
  static func read(from buffer: Buffer, into faces: inout [Face]) -> Bool {
    guard let meta = gst_buffer_get_custom_meta(buffer, name.characters) else { return false }
    return read(gst_custom_meta_get_structure(meta), into: &faces)
  }

  private static func read(_ fields: UnsafePointer<GstStructure>?, into faces: inout [Face]) -> Bool
  {
    guard let list = gst_structure_get_value(fields, "faces"),
      g_type_check_value_holds(list, cgst_type_array()) != 0
    else { return false }
    var count = 0
    for index in 0..<gst_value_array_get_size(list) {
      guard let item = gst_value_array_get_value(list, index),
        g_type_check_value_holds(item, cgst_type_structure()) != 0,
        let structure = gst_value_get_structure(item)
      else { continue }
      faces.makeRoom(at: count)
      read(structure, into: &faces[count])
      count += 1
    }
    faces.removeLast(faces.count - count)
    return true
  }

  /// Puts the faces of `meta` where they are in another frame on its buffer, beside those that are
  /// there, as where frames are put into one.
  private static func place(
    _ meta: UnsafeMutablePointer<GstCustomMeta>, _ placement: FramePlacement,
    _ size: (width: Int, height: Int), on target: Buffer
  ) -> gboolean {
    var faces: [Face] = []
    guard read(gst_custom_meta_get_structure(meta), into: &faces) else { return 0 }
    faces = faces.compactMap { $0.placed(placement) }
    var others: [Face] = []
    if read(from: target, into: &others) {
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

  private static func read(_ s: UnsafePointer<GstStructure>, into face: inout Face) {
    var id: guint = 0
    gst_structure_get_uint(s, "id", &id)
    face.id = id
    face.confidence = double(s, "confidence") ?? 0
    face.box = Rectangle(
      x: double(s, "x") ?? 0, y: double(s, "y") ?? 0, width: double(s, "width") ?? 0,
      height: double(s, "height") ?? 0)
    face.pose = double(s, "roll").map {
      HeadPose(roll: $0, yaw: double(s, "yaw") ?? 0, pitch: double(s, "pitch") ?? 0)
    }
    face.expression = double(s, "smile").map {
      Expression(
        leftEyeOpen: double(s, "left-eye-open") ?? 1,
        rightEyeOpen: double(s, "right-eye-open") ?? 1,
        mouthOpen: double(s, "mouth-open") ?? 0, smile: $0)
    }
    readFloats(s, "keypoints", per: 2, into: &face.keypoints) {
      Point(x: Double($0(0)), y: Double($0(1)))
    }
    readFloats(s, "landmarks", per: 3, into: &face.landmarks) {
      Landmark(x: $0(0), y: $0(1), z: $0(2))
    }
  }

  private static func double(_ s: UnsafePointer<GstStructure>, _ field: StaticString) -> Double? {
    var value = 0.0
    return gst_structure_get_double(s, field.characters, &value) != 0 ? value : nil
  }

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
    let count = Int(size) / (4 * per)
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

extension [Face] {
  /// Appends a face, to be filled, where there is none yet at `place`.
  mutating func makeRoom(at place: Int) {
    guard place == count else { return }
    append(Face(confidence: 0, box: .zero))
  }
}
