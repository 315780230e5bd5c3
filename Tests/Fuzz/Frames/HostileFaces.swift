import CGStreamer
import Faces
import Harness
import Pixels
import Support

/// Puts metadata of faces and of people on buffers: likely ones, and such as nobody makes.
enum HostileFaces {
  private static let fields = [
    "id", "confidence", "x", "y", "width", "height", "roll", "yaw", "pitch", "keypoints",
    "landmarks", "left-eye-open", "right-eye-open", "mouth-open", "smile", "faces",
  ]

  /// Puts any kind of it on a writable buffer, or none.
  static func attach(
    to buffer: UnsafeMutablePointer<GstBuffer>, _ chooser: inout some Chooser
  ) {
    // Most frames have the word of one detector, some of several, which may be of one kind.
    let detectors = chooser.chance(3, in: 4) ? 1 : chooser.below(4)
    for _ in 0..<detectors { attachOne(buffer, &chooser) }
    if chooser.chance(1, in: 4) { attachMask(buffer, &chooser) }
  }

  private static func attachOne(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ chooser: inout some Chooser
  ) {
    switch chooser.below(12) {
    case 0: break
    case 1: AttachedFace.attach([], to: buffer)
    case 2: attachLikely(buffer, &chooser)
    case 3: attachRegion(buffer, &chooser)
    case 4: attachLikelyRegions(buffer, &chooser)
    case 5..<9:
      AttachedFields.attach(boxes(&chooser), asArray: chooser.chance(7, in: 8), to: buffer)
    default: attachStrange(buffer, &chooser)
    }
  }

  /// Boxes that could be, their numbers of any type; now and then one number that is none.
  private static func boxes(_ chooser: inout some Chooser) -> [AttachedFields.Entry] {
    let count = chooser.chance(1, in: 200) ? 2000 : 1 + chooser.below(4)
    return (0..<count).map { _ in
      func share() -> Double { Double(chooser.below(128)) / 96 - 0.1 }
      let kind = chooser.below(8)
      func make(_ number: Double) -> FieldValue {
        if chooser.chance(1, in: 64) { return odd(&chooser) }
        switch kind {
        case 0..<4: return .double(number)
        case 4..<7: return .float(Float(number))
        default: return chooser.chance(1, in: 2) ? .int(Int32(number)) : .int64(Int64(number))
        }
      }
      return AttachedFields.face(
        id: chooser.chance(7, in: 8)
          ? .uint(UInt32(chooser.below(8))) : .int(Int32(chooser.below(8))),
        x: share(), y: share(), width: share(), height: share(), make)
    }
  }

  private static func odd(_ chooser: inout some Chooser) -> FieldValue {
    switch chooser.below(6) {
    case 0: .text("0.5")
    case 1: .nothing
    case 2: .float(Float(chooser.number()))
    case 3: .uint64(chooser.bits())
    case 4: .bool(true)
    default: .double(chooser.number())
    }
  }

  /// Regions within a small frame, as trackers number them.
  private static func attachLikelyRegions(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ chooser: inout some Chooser
  ) {
    for _ in 0..<(chooser.chance(1, in: 200) ? 3000 : 1 + chooser.below(4)) {
      AttachedFields.attachRegion(
        id: Int32(chooser.below(8)), x: UInt32(chooser.below(40)), y: UInt32(chooser.below(32)),
        width: UInt32(chooser.below(40)), height: UInt32(chooser.below(40)), to: buffer)
    }
  }

  /// One to three faces with meshes that could be.
  private static func attachLikely(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ chooser: inout some Chooser
  ) {
    let faces = (0...chooser.below(3)).map { index -> AttachedFace in
      let face = HeadMesh.make(
        middle: Point(x: Double(chooser.below(1000)), y: Double(chooser.below(800))),
        unit: Double(20 + chooser.below(256)), roll: Double(chooser.below(91)) - 45,
        yaw: Double(chooser.below(121)) - 60, pitch: Double(chooser.below(61)) - 30)
      return AttachedFace(
        id: UInt32(index + 1), x: Double(chooser.below(100)) / 128,
        y: Double(chooser.below(100)) / 128, width: Double(chooser.below(128)) / 128,
        height: Double(chooser.below(128)) / 128,
        keypoints: [0.3, 0.3, 0.5, 0.3, 0.4, 0.4, 0.4, 0.5, 0.2, 0.3, 0.6, 0.3],
        landmarks: face.landmarks.flatMap { [$0.x, $0.y, $0.z] })
    }
    AttachedFace.attach(faces, to: buffer)
  }

  /// The metadata with fields of any type and any value.
  private static func attachStrange(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ chooser: inout some Chooser
  ) {
    guard let meta = gst_buffer_add_custom_meta(buffer, "MienFaces") else { return }
    let structure = gst_custom_meta_get_structure(meta)
    for name in ["width", "height"] where chooser.chance(7, in: 8) {
      set(structure, name, &chooser)
    }
    var list = GValue()
    let isArray = chooser.chance(7, in: 8)
    g_value_init(&list, isArray ? cgst_type_array() : cgst_type_list())
    // All of one type, as GStreamer wants it; rarely very many.
    let isRight = chooser.chance(15, in: 16)
    let count = chooser.chance(1, in: 400) ? 1000 : chooser.below(5)
    for _ in 0..<count {
      var item = GValue()
      if isRight {
        g_value_init(&item, cgst_type_structure())
        let face = gst_structure_new_empty("face")
        for _ in 0..<(1 + chooser.below(12)) { set(face, chooser.one(of: fields), &chooser) }
        g_value_take_boxed(&item, UnsafeRawPointer(face))
      } else {
        g_value_init(&item, cgst_type_double)
        g_value_set_double(&item, chooser.number())
      }
      if isArray {
        gst_value_array_append_and_take_value(&list, &item)
      } else {
        gst_value_list_append_and_take_value(&list, &item)
      }
    }
    gst_structure_take_value(structure, "faces", &list)
  }

  /// A mask that could be, with up to two fields of any type and value.
  private static func attachMask(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ chooser: inout some Chooser
  ) {
    guard let meta = gst_buffer_add_custom_meta(buffer, "MienMask") else { return }
    let structure = gst_custom_meta_get_structure(meta)
    for name in ["width", "height"] {
      var value = GValue()
      g_value_init(&value, cgst_type_uint)
      g_value_set_uint(&value, guint(1 + chooser.below(24)))
      gst_structure_take_value(structure, name, &value)
    }
    for (name, number) in [("x", 0.0), ("y", 0), ("w", 1), ("h", 1.02)] {
      var value = GValue()
      g_value_init(&value, cgst_type_double)
      g_value_set_double(&value, number)
      gst_structure_take_value(structure, name, &value)
    }
    var alpha = GValue()
    g_value_init(&alpha, cgst_type_bytes())
    g_value_take_boxed(&alpha, UnsafeRawPointer(bytes(&chooser)))
    gst_structure_take_value(structure, "alpha", &alpha)
    for _ in 0..<chooser.below(3) {
      let names = ["width", "height", "x", "y", "w", "h", "alpha"]
      set(structure, chooser.one(of: names), &chooser)
    }
  }

  private static func set(
    _ structure: UnsafeMutablePointer<GstStructure>?, _ name: String, _ chooser: inout some Chooser
  ) {
    var value = value(&chooser)
    gst_structure_take_value(structure, name, &value)
  }

  /// A value of any type that a structure can hold.
  private static func value(_ chooser: inout some Chooser) -> GValue {
    var value = GValue()
    switch chooser.below(10) {
    case 0..<4:
      g_value_init(&value, cgst_type_double)
      g_value_set_double(&value, chooser.number())
    case 4..<7:
      g_value_init(&value, cgst_type_bytes())
      g_value_take_boxed(&value, UnsafeRawPointer(bytes(&chooser)))
    case 7:
      g_value_init(&value, cgst_type_uint)
      g_value_set_uint(&value, guint(truncatingIfNeeded: chooser.bits()))
    case 8:
      g_value_init(&value, cgst_type_int)
      g_value_set_int(&value, gint(truncatingIfNeeded: chooser.bits()))
    default:
      g_value_init(&value, cgst_type_string)
      g_value_set_string(&value, chooser.chance(1, in: 2) ? nil : "face")
    }
    return value
  }

  /// Floats, as many as a field of points has, or fewer, or more, or a part of one.
  private static func bytes(_ chooser: inout some Chooser) -> OpaquePointer? {
    let count = chooser.one(of: [
      0, 1, 3, 4, 8, 12, 24, 48, 50, 1404 * 4, 1404 * 4 - 1, 1403 * 4, 478 * 12, 8192,
    ])
    guard count > 0, let block = g_malloc(gsize(count)) else { return g_bytes_new(nil, 0) }
    pattern.withUnsafeBytes { block.copyMemory(from: $0.baseAddress!, byteCount: count) }
    if count >= 4 {
      for _ in 0..<chooser.below(8) {
        block.storeBytes(
          of: Float(chooser.number()), toByteOffset: 4 * chooser.below(count / 4), as: Float.self)
      }
    }
    return g_bytes_new_take(block, gsize(count))
  }

  private static let pattern = (0..<2048).map { Float($0 % 97) / 100 }

  /// A region "face" of another detector, with parameters or without.
  private static func attachRegion(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ chooser: inout some Chooser
  ) {
    func side() -> guint {
      chooser.chance(1, in: 4)
        ? guint(truncatingIfNeeded: chooser.bits()) : guint(chooser.below(64))
    }
    let region = gst_buffer_add_video_region_of_interest_meta(
      buffer, chooser.chance(7, in: 8) ? "face" : "car", side(), side(), side(), side())
    for name in ["detection", "object_id", "landmarks"] where chooser.chance(1, in: 2) {
      let parameter = gst_structure_new_empty(name)
      for field in ["confidence", "id", "model_name", "x_min"] where chooser.chance(1, in: 2) {
        set(parameter, field, &chooser)
      }
      if chooser.chance(3, in: 4) { setTensor(parameter, &chooser) }
      gst_video_region_of_interest_meta_add_param(region, parameter)
    }
  }

  private static func setTensor(
    _ structure: UnsafeMutablePointer<GstStructure>?, _ chooser: inout some Chooser
  ) {
    var value = GValue()
    g_value_init(&value, cgst_type_variant)
    let type = g_variant_type_new(chooser.chance(7, in: 8) ? "ay" : "ad")
    let bytes = bytes(&chooser)
    g_value_set_variant(&value, g_variant_new_from_bytes(type, bytes, 0))
    g_bytes_unref(bytes)
    g_variant_type_free(type)
    gst_structure_take_value(structure, "data_buffer", &value)
  }
}
