import CGStreamer
import Faces
import Harness
import Pixels
import Support

/// Attaches metadata of faces and people to buffers: plausible, malformed, or with values out of range.
enum FaceMetadataGenerator {
  private static let fields = [
    "id", "confidence", "x", "y", "width", "height", "roll", "yaw", "pitch", "keypoints",
    "landmarks", "left-eye-open", "right-eye-open", "mouth-open", "smile", "faces",
  ]

  /// Attaches random metadata, or none, to a writable buffer.
  static func attach(
    to buffer: UnsafeMutablePointer<GstBuffer>, _ random: inout some RandomSource
  ) {
    // Most frames have metadata of one detector, some of several, possibly of the same kind.
    let detectors = random.chance(3, in: 4) ? 1 : random.below(4)
    for _ in 0..<detectors { attachOne(buffer, &random) }
    if random.chance(1, in: 4) { attachMask(buffer, &random) }
  }

  private static func attachOne(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ random: inout some RandomSource
  ) {
    switch random.below(12) {
    case 0: break
    case 1: AttachedFace.attach([], to: buffer)
    case 2: attachPlausibleFaces(buffer, &random)
    case 3: attachRegion(buffer, &random)
    case 4: attachPlausibleRegions(buffer, &random)
    case 5..<9:
      AttachedFields.attach(plausibleEntries(&random), asArray: random.chance(7, in: 8), to: buffer)
    default: attachMalformed(buffer, &random)
    }
  }

  /// Plausible boxes with numbers of any GType; rarely with a value that is not a number.
  private static func plausibleEntries(_ random: inout some RandomSource) -> [AttachedFields.Entry]
  {
    let count = random.chance(1, in: 200) ? 2000 : 1 + random.below(4)
    return (0..<count).map { _ in
      func share() -> Double { Double(random.below(128)) / 96 - 0.1 }
      let kind = random.below(8)
      func make(_ number: Double) -> FieldValue {
        if random.chance(1, in: 64) { return unusualValue(&random) }
        switch kind {
        case 0..<4: return .double(number)
        case 4..<7: return .float(Float(number))
        default: return random.chance(1, in: 2) ? .int(Int32(number)) : .int64(Int64(number))
        }
      }
      return AttachedFields.face(
        id: random.chance(7, in: 8)
          ? .uint(UInt32(random.below(8))) : .int(Int32(random.below(8))),
        x: share(), y: share(), width: share(), height: share(), make)
    }
  }

  private static func unusualValue(_ random: inout some RandomSource) -> FieldValue {
    switch random.below(6) {
    case 0: .text("0.5")
    case 1: .nothing
    case 2: .float(Float(random.edgeCaseNumber()))
    case 3: .uint64(random.edgeCaseBits())
    case 4: .bool(true)
    default: .double(random.edgeCaseNumber())
    }
  }

  /// Regions of interest within a small frame, with IDs.
  private static func attachPlausibleRegions(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ random: inout some RandomSource
  ) {
    for _ in 0..<(random.chance(1, in: 200) ? 3000 : 1 + random.below(4)) {
      AttachedFields.attachRegion(
        id: Int32(random.below(8)), x: UInt32(random.below(40)), y: UInt32(random.below(32)),
        width: UInt32(random.below(40)), height: UInt32(random.below(40)), to: buffer)
    }
  }

  /// One to three plausible faces with meshes.
  private static func attachPlausibleFaces(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ random: inout some RandomSource
  ) {
    let faces = (0...random.below(3)).map { index -> AttachedFace in
      let face = HeadMesh.make(
        middle: Point(x: Double(random.below(1000)), y: Double(random.below(800))),
        unit: Double(20 + random.below(256)), roll: Double(random.below(91)) - 45,
        yaw: Double(random.below(121)) - 60, pitch: Double(random.below(61)) - 30)
      var attached = AttachedFace(
        id: UInt32(index + 1), x: Double(random.below(100)) / 128,
        y: Double(random.below(100)) / 128, width: Double(random.below(128)) / 128,
        height: Double(random.below(128)) / 128,
        keypoints: [0.3, 0.3, 0.5, 0.3, 0.4, 0.4, 0.4, 0.5, 0.2, 0.3, 0.6, 0.3],
        landmarks: face.landmarks.flatMap { [$0.x, $0.y, $0.z] })
      if random.chance(1, in: 2) { addCover(to: &attached, &random) }
      return attached
    }
    AttachedFace.attach(faces, to: buffer)
  }

  /// A cover, rarely with a size or a place that is not valid.
  private static func addCover(to face: inout AttachedFace, _ random: inout some RandomSource) {
    let (width, height) = (random.below(40), random.below(40))
    let isShort = random.chance(1, in: 8)
    face.counts = [("cover-width", UInt32(width)), ("cover-height", UInt32(height))]
    face.bytes = [
      (
        "cover",
        (0..<(isShort ? width : width * height)).map { _ in
          UInt8(truncatingIfNeeded: random.below(256))
        }
      )
    ]
    for name in ["cover-x", "cover-y", "cover-w", "cover-h"] {
      let isUnusual = random.chance(1, in: 16)
      face.numbers.append(
        (name, isUnusual ? random.edgeCaseNumber() : Double(random.below(128)) / 96 - 0.1))
    }
  }

  /// MienFaces with fields of any type and value.
  private static func attachMalformed(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ random: inout some RandomSource
  ) {
    guard let meta = gst_buffer_add_custom_meta(buffer, "MienFaces") else { return }
    let structure = gst_custom_meta_get_structure(meta)
    for name in ["width", "height"] where random.chance(7, in: 8) {
      setRandomValue(structure, name, &random)
    }
    var list = GValue()
    let isArray = random.chance(7, in: 8)
    g_value_init(&list, isArray ? cgst_type_array() : cgst_type_list())
    // GstValueArray requires one type for all items; rarely there are very many.
    let isRight = random.chance(15, in: 16)
    let count = random.chance(1, in: 400) ? 1000 : random.below(5)
    for _ in 0..<count {
      var item = GValue()
      if isRight {
        g_value_init(&item, cgst_type_structure())
        let face = gst_structure_new_empty("face")
        for _ in 0..<(1 + random.below(12)) {
          setRandomValue(face, random.one(of: fields), &random)
        }
        g_value_take_boxed(&item, UnsafeRawPointer(face))
      } else {
        g_value_init(&item, cgst_type_double)
        g_value_set_double(&item, random.edgeCaseNumber())
      }
      if isArray {
        gst_value_array_append_and_take_value(&list, &item)
      } else {
        gst_value_list_append_and_take_value(&list, &item)
      }
    }
    gst_structure_take_value(structure, "faces", &list)
  }

  /// A plausible MienMask with up to two fields of any type and value.
  private static func attachMask(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ random: inout some RandomSource
  ) {
    guard let meta = gst_buffer_add_custom_meta(buffer, "MienMask") else { return }
    let structure = gst_custom_meta_get_structure(meta)
    for name in ["width", "height"] {
      var value = GValue()
      g_value_init(&value, cgst_type_uint)
      g_value_set_uint(&value, guint(1 + random.below(24)))
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
    g_value_take_boxed(&alpha, UnsafeRawPointer(randomFloatBytes(&random)))
    gst_structure_take_value(structure, "alpha", &alpha)
    for _ in 0..<random.below(3) {
      let names = ["width", "height", "x", "y", "w", "h", "alpha"]
      setRandomValue(structure, random.one(of: names), &random)
    }
  }

  private static func setRandomValue(
    _ structure: UnsafeMutablePointer<GstStructure>?, _ name: String,
    _ random: inout some RandomSource
  ) {
    var value = randomValue(&random)
    gst_structure_take_value(structure, name, &value)
  }

  /// A value of any type that a structure can hold.
  private static func randomValue(_ random: inout some RandomSource) -> GValue {
    var value = GValue()
    switch random.below(10) {
    case 0..<4:
      g_value_init(&value, cgst_type_double)
      g_value_set_double(&value, random.edgeCaseNumber())
    case 4..<7:
      g_value_init(&value, cgst_type_bytes())
      g_value_take_boxed(&value, UnsafeRawPointer(randomFloatBytes(&random)))
    case 7:
      g_value_init(&value, cgst_type_uint)
      g_value_set_uint(&value, guint(truncatingIfNeeded: random.edgeCaseBits()))
    case 8:
      g_value_init(&value, cgst_type_int)
      g_value_set_int(&value, gint(truncatingIfNeeded: random.edgeCaseBits()))
    default:
      g_value_init(&value, cgst_type_string)
      g_value_set_string(&value, random.chance(1, in: 2) ? nil : "face")
    }
    return value
  }

  /// Bytes of floats: as many as a points field has, fewer, more, or a fraction of one.
  private static func randomFloatBytes(_ random: inout some RandomSource) -> OpaquePointer? {
    let count = random.one(of: [
      0, 1, 3, 4, 8, 12, 24, 48, 50, 1404 * 4, 1404 * 4 - 1, 1403 * 4, 478 * 12, 8192,
    ])
    guard count > 0, let block = g_malloc(gsize(count)) else { return g_bytes_new(nil, 0) }
    pattern.withUnsafeBytes { block.copyMemory(from: $0.baseAddress!, byteCount: count) }
    if count >= 4 {
      for _ in 0..<random.below(8) {
        block.storeBytes(
          of: Float(random.edgeCaseNumber()), toByteOffset: 4 * random.below(count / 4),
          as: Float.self)
      }
    }
    return g_bytes_new_take(block, gsize(count))
  }

  private static let pattern = (0..<2048).map { Float($0 % 97) / 100 }

  /// A region of interest of another detector, with or without parameters.
  private static func attachRegion(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ random: inout some RandomSource
  ) {
    func side() -> guint {
      random.chance(1, in: 4)
        ? guint(truncatingIfNeeded: random.edgeCaseBits()) : guint(random.below(64))
    }
    let region = gst_buffer_add_video_region_of_interest_meta(
      buffer, random.chance(7, in: 8) ? "face" : "car", side(), side(), side(), side())
    for name in ["detection", "object_id", "landmarks"] where random.chance(1, in: 2) {
      let parameter = gst_structure_new_empty(name)
      for field in ["confidence", "id", "model_name", "x_min"] where random.chance(1, in: 2) {
        setRandomValue(parameter, field, &random)
      }
      if random.chance(3, in: 4) { setTensor(parameter, &random) }
      gst_video_region_of_interest_meta_add_param(region, parameter)
    }
  }

  private static func setTensor(
    _ structure: UnsafeMutablePointer<GstStructure>?, _ random: inout some RandomSource
  ) {
    var value = GValue()
    g_value_init(&value, cgst_type_variant)
    let type = g_variant_type_new(random.chance(7, in: 8) ? "ay" : "ad")
    let bytes = randomFloatBytes(&random)
    g_value_set_variant(&value, g_variant_new_from_bytes(type, bytes, 0))
    g_bytes_unref(bytes)
    g_variant_type_free(type)
    gst_structure_take_value(structure, "data_buffer", &value)
  }
}
