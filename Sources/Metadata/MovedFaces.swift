import CGStreamer
import Faces
package import Frames
package import Pixels

extension Frame {
  /// Moves what the frame's metadata says of faces.
  ///
  /// That is MienFaces, and the regions "face" of any detector; `map` says where a place in pixels of
  /// the frame has gone to.
  ///
  /// Points move each by itself; a box's edges move as those of its mesh do, else as the middles of
  /// the edges. What is a measure and no place, as a pose or an expression, stays. Changed in place, so
  /// that no frame takes memory.
  package func moveFaces(_ map: (Point) -> Point) {
    let size = Point(x: Double(picture.width), y: Double(picture.height))
    // Regions are recognised by the boxes that faces had.
    MovedFaces.moveRegions(on: header.buffer, size, map)
    MovedFaces.moveFaces(on: header.buffer, size, map)
  }
}

/// Changes metadata of a buffer that nobody else can see.
private enum MovedFaces {
  typealias Fields = UnsafeMutablePointer<GstStructure>
  typealias Value = UnsafeMutablePointer<GValue>

  /// Names that C is given as they are: those of strings would be copied for each call.
  private enum Name {
    static let detection: StaticString = "detection"
    static let landmarks: StaticString = "landmarks"
    static let data: StaticString = "data_buffer"
  }

  // MARK: MienFaces

  /// Calls `body` with the fields of each face that readers take until it returns true.
  static func forEachFace(on buffer: Buffer, _ body: (Fields) -> Bool) {
    var left = Face.mostInFrame
    FaceList.forEachMeta(on: buffer) { fields in
      guard let list = FaceList(fields) else { return true }
      for index in 0..<min(list.count, left) {
        // The metadata is the buffer's own, and with it all that it holds.
        if let face = list[index], body(UnsafeMutablePointer(mutating: face)) { return false }
      }
      left -= min(list.count, left)
      return left > 0
    }
  }

  static func moveFaces(on buffer: Buffer, _ size: Point, _ map: (Point) -> Point) {
    forEachFace(on: buffer) { face in
      if let box = box(of: face) {
        let moved = moved(box, of: face, size, map)
        FieldNumber.set(face, "x", moved.x)
        FieldNumber.set(face, "y", moved.y)
        FieldNumber.set(face, "width", moved.width)
        FieldNumber.set(face, "height", moved.height)
      }
      movePoints(face, "keypoints", per: 2, size, map)
      movePoints(face, "landmarks", per: 3, size, map)
      return false
    }
  }

  private static func box(of face: Fields) -> Rectangle? {
    guard let x = FieldNumber.double(face, "x"), let y = FieldNumber.double(face, "y"),
      let width = FieldNumber.double(face, "width"),
      let height = FieldNumber.double(face, "height")
    else { return nil }
    return Rectangle(x: x, y: y, width: width, height: height)
  }

  /// Where a face's box goes to, in shares of the frame.
  private static func moved(
    _ box: Rectangle, of face: Fields, _ size: Point, _ map: (Point) -> Point
  ) -> Rectangle {
    var (low, high) = (Point(x: .infinity, y: .infinity), Point(x: -.infinity, y: -.infinity))
    var (lowMoved, highMoved) = (low, high)
    if let value = bytes(face, "landmarks"), let boxed = g_value_get_boxed(value) {
      var length: gsize = 0
      let data = g_bytes_get_data(OpaquePointer(boxed), &length)
      for index in 0..<min(Int(length) / 12, Face.landmarkCount) {
        guard let data else { break }
        let point = place(data + index * 12, size)
        let moved = map(point)
        low = Point(x: min(low.x, point.x), y: min(low.y, point.y))
        high = Point(x: max(high.x, point.x), y: max(high.y, point.y))
        lowMoved = Point(x: min(lowMoved.x, moved.x), y: min(lowMoved.y, moved.y))
        highMoved = Point(x: max(highMoved.x, moved.x), y: max(highMoved.y, moved.y))
      }
    }
    if low.x.isFinite, low.y.isFinite, high.x.isFinite, high.y.isFinite {
      return Rectangle(
        from: Point(
          x: box.x + (lowMoved.x - low.x) / size.x, y: box.y + (lowMoved.y - low.y) / size.y),
        to: Point(
          x: box.maxX + (highMoved.x - high.x) / size.x,
          y: box.maxY + (highMoved.y - high.y) / size.y))
    }
    return movedEdges(box.scaled(x: size.x, y: size.y), map).scaled(x: 1 / size.x, y: 1 / size.y)
  }

  /// A box whose edges go where their middles go.
  private static func movedEdges(_ box: Rectangle, _ map: (Point) -> Point) -> Rectangle {
    let middle = box.center
    return Rectangle(
      from: Point(
        x: map(Point(x: box.x, y: middle.y)).x, y: map(Point(x: middle.x, y: box.y)).y),
      to: Point(
        x: map(Point(x: box.maxX, y: middle.y)).x, y: map(Point(x: middle.x, y: box.maxY)).y))
  }

  private static func place(_ data: UnsafeRawPointer, _ size: Point) -> Point {
    Point(
      x: Double(data.loadUnaligned(as: Float.self)) * size.x,
      y: Double(data.loadUnaligned(fromByteOffset: 4, as: Float.self)) * size.y)
  }

  /// Moves groups of `per` floats, of which the first two are a place in shares of the frame.
  private static func movePoints(
    _ face: Fields, _ field: StaticString, per: Int, _ size: Point, _ map: (Point) -> Point
  ) {
    // Bytes that are nobody else's are taken out as they are, others copied.
    guard let value = bytes(face, field), let boxed = cgst_value_steal_boxed(value) else { return }
    var length: gsize = 0
    let data = g_bytes_unref_to_data(OpaquePointer(boxed), &length)
    if let data {
      for index in 0..<Int(length) / (4 * per) {
        let point = data + index * 4 * per
        let moved = map(place(point, size))
        point.storeBytes(of: Float(moved.x / size.x), as: Float.self)
        point.storeBytes(of: Float(moved.y / size.y), toByteOffset: 4, as: Float.self)
      }
    }
    g_value_take_boxed(value, UnsafeRawPointer(g_bytes_new_take(data, length)))
  }

  // MARK: Regions

  static func moveRegions(on buffer: Buffer, _ size: Point, _ map: (Point) -> Point) {
    var state: gpointer?
    let api = gst_video_region_of_interest_meta_api_get_type()
    var left = Face.mostInFrame
    while left > 0, let meta = gst_buffer_iterate_meta_filtered(buffer, &state, api) {
      let region: UnsafeMutablePointer<GstVideoRegionOfInterestMeta> = cast(meta)
      guard RegionMetadata.isFace(region) else { continue }
      left -= 1
      move(region, on: buffer, size, map)
    }
  }

  private static func move(
    _ region: UnsafeMutablePointer<GstVideoRegionOfInterestMeta>, on buffer: Buffer, _ size: Point,
    _ map: (Point) -> Point
  ) {
    let frame = Rectangle(x: 0, y: 0, width: size.x, height: size.y)
    let old = Rectangle(
      x: Double(region.pointee.x), y: Double(region.pointee.y), width: Double(region.pointee.w),
      height: Double(region.pointee.h))
    var new = movedEdges(old, map)
    var isKnown = false
    // The region of a face that more is known of moves with that.
    forEachFace(on: buffer) { face in
      guard let box = box(of: face),
        box.scaled(x: size.x, y: size.y).intersection(frame).iou(old) > 0.9
      else { return false }
      new = moved(box, of: face, size, map).scaled(x: size.x, y: size.y)
      isKnown = true
      return true
    }
    new = new.intersection(frame)
    func rounded(_ value: Double) -> guint { guint(max(0, min(value, 65535)).rounded()) }
    guard new.x.isFinite, new.y.isFinite, new.width > 0, new.height > 0 else { return }
    let (x, y) = (rounded(new.x), rounded(new.y))
    let (w, h) = (rounded(new.maxX) - x, rounded(new.maxY) - y)
    guard w > 0, h > 0 else { return }
    region.pointee.x = x
    region.pointee.y = y
    region.pointee.w = w
    region.pointee.h = h
    if let detection = gst_video_region_of_interest_meta_get_param(
      region, Name.detection.characters)
    {
      FieldNumber.set(detection, "x_min", new.x / size.x)
      FieldNumber.set(detection, "y_min", new.y / size.y)
      FieldNumber.set(detection, "x_max", new.maxX / size.x)
      FieldNumber.set(detection, "y_max", new.maxY / size.y)
    }
    let current = Rectangle(x: Double(x), y: Double(y), width: Double(w), height: Double(h))
    // Points of such a region stay where they are in it: a GVariant takes memory each time it is
    // made, and MienFaces has them exactly.
    if !isKnown,
      let landmarks = gst_video_region_of_interest_meta_get_param(
        region, Name.landmarks.characters)
    {
      move(landmarks, from: old, to: current, map)
    }
  }

  /// Moves points that are given in shares of a region, which has moved too.
  private static func move(
    _ landmarks: Fields, from old: Rectangle, to new: Rectangle, _ map: (Point) -> Point
  ) {
    guard let found = gst_structure_get_value(landmarks, Name.data.characters),
      g_type_check_value_holds(found, cgst_type_variant) != 0,
      let variant = g_value_get_variant(found),
      g_strcmp0(g_variant_get_type_string(variant), "ay") == 0
    else { return }
    var length: gsize = 0
    guard let data = g_variant_get_fixed_array(variant, &length, 1), length > 0,
      length <= Self.slice
    else { return }
    // One of the slices that GLib keeps, so that no frame takes new memory.
    guard let copy = g_slice_alloc(Self.slice) else { return }
    copy.copyMemory(from: data, byteCount: Int(length))
    for index in 0..<Int(length) / 8 {
      let share = place(copy + index * 8, Point(x: 1, y: 1))
      let moved = map(Point(x: old.x + share.x * old.width, y: old.y + share.y * old.height))
      let (u, v) = ((moved.x - new.x) / new.width, (moved.y - new.y) / new.height)
      copy.storeBytes(of: Float(u), toByteOffset: index * 8, as: Float.self)
      copy.storeBytes(of: Float(v), toByteOffset: index * 8 + 4, as: Float.self)
    }
    let bytes = g_bytes_new_with_free_func(
      copy, length, { g_slice_free1(MovedFaces.slice, $0) }, copy)
    // What a GVariantType is: the text itself.
    let type = OpaquePointer(bytesType.characters)
    g_value_set_variant(
      UnsafeMutablePointer(mutating: found), g_variant_new_from_bytes(type, bytes, 1))
    g_bytes_unref(bytes)
  }

  /// Room for 16 points; regions have five.
  private static let slice: gsize = 128
  private static let bytesType: StaticString = "ay"

  // MARK: Fields

  private static func bytes(_ fields: Fields, _ name: StaticString) -> Value? {
    guard let value = gst_structure_get_value(fields, name.characters),
      g_type_check_value_holds(value, cgst_type_bytes()) != 0
    else { return nil }
    return UnsafeMutablePointer(mutating: value)
  }
}
