package import CGStreamer
import Support

/// The faces in the metadata of a frame.
///
/// An implementation of its own, with GStreamer's calls only: that of the elements is under test.
package struct ClaimedFaces: Sendable {
  /// An ellipse, in pixels, that lies within the area to hide.
  package struct Ellipse: Sendable {
    package var x, y, radiusX, radiusY: Double

    var text: String { "\(bounds), middle \(x), \(y)" }

    /// The pixels around it: left, top, right and bottom.
    package var bounds: (Int, Int, Int, Int) {
      (
        Self.roundedPixel(x - radiusX), Self.roundedPixel(y - radiusY),
        Self.roundedPixel(x + radiusX),
        Self.roundedPixel(y + radiusY)
      )
    }

    private static func roundedPixel(_ number: Double) -> Int {
      Int(max(-1e6, min(number, 1e6)).rounded())
    }

    package func contains(_ px: Int, _ py: Int) -> Bool {
      guard radiusX > 0, radiusY > 0 else { return false }
      let (u, v) = ((Double(px) - x) / radiusX, (Double(py) - y) / radiusY)
      return u * u + v * v <= 1
    }
  }

  package private(set) var ellipses: [Ellipse] = []
  /// Whether a face has no readable box, or there are more than `maximumFaces`: the whole frame is to
  /// be hidden.
  package private(set) var mayBeAnywhere = false
  /// Whether any metadata states that there are, or are no, faces.
  package private(set) var hasFaceMetadata = false

  private let width, height: Double
  /// IDs of the faces in MienFaces.
  private var ids: Set<UInt32> = []
  private var count = 0

  /// Pixels by which the edge of the hidden area may lie within the box.
  private static let edge = 2.5
  /// With more faces than this the whole frame is to be hidden.
  private static let maximumFaces = 1024

  package init(_ buffer: UnsafeMutablePointer<GstBuffer>, width: Int, height: Int) {
    (self.width, self.height) = (Double(width), Double(height))
    var state: gpointer?
    if let info = gst_meta_get_info("MienFaces") {
      while let meta = gst_buffer_iterate_meta_filtered(buffer, &state, info.pointee.api) {
        let custom = UnsafeMutableRawPointer(meta).assumingMemoryBound(to: GstCustomMeta.self)
        hasFaceMetadata = true
        readMienFaces(gst_custom_meta_get_structure(custom))
      }
    }
    mayBeAnywhere = mayBeAnywhere || count > Self.maximumFaces
    count = 0
    state = nil
    let api = gst_video_region_of_interest_meta_api_get_type()
    while let meta = gst_buffer_iterate_meta_filtered(buffer, &state, api) {
      readRegion(
        UnsafeMutableRawPointer(meta).assumingMemoryBound(to: GstVideoRegionOfInterestMeta.self))
    }
    mayBeAnywhere = mayBeAnywhere || count > Self.maximumFaces
  }

  // MARK: MienFaces

  private mutating func readMienFaces(_ fields: UnsafeMutablePointer<GstStructure>?) {
    guard let list = gst_structure_get_value(fields, "faces") else {
      mayBeAnywhere = true
      return
    }
    let isArray = g_type_check_value_holds(list, cgst_type_array()) != 0
    guard isArray || g_type_check_value_holds(list, cgst_type_list()) != 0 else {
      mayBeAnywhere = true
      return
    }
    let all = isArray ? gst_value_array_get_size(list) : gst_value_list_get_size(list)
    for index in 0..<all {
      count += 1
      let item =
        isArray ? gst_value_array_get_value(list, index) : gst_value_list_get_value(list, index)
      guard let item, g_type_check_value_holds(item, cgst_type_structure()) != 0,
        let face = gst_value_get_structure(item)
      else {
        mayBeAnywhere = true
        continue
      }
      readFace(face)
    }
  }

  private mutating func readFace(_ face: UnsafePointer<GstStructure>) {
    guard let x = number(face, "x"), let y = number(face, "y"), let w = number(face, "width"),
      let h = number(face, "height")
    else {
      mayBeAnywhere = true
      return
    }
    if let id = id(face, "id") { ids.insert(id) }
    // An area that rotates with the head covers the middle of the box only.
    let turning = ["keypoints", "landmarks", "roll"]
    let isTurned = turning.contains { gst_structure_has_field(face, $0) != 0 }
    addEllipse(x * width, y * height, w * width, h * height, isTurned: isTurned)
  }

  /// The lower 32 bits of a number, which are its ID.
  private func id(_ fields: UnsafePointer<GstStructure>, _ name: String) -> UInt32? {
    guard let number = number(fields, name), abs(number) < 9e18 else { return nil }
    return UInt32(truncatingIfNeeded: Int64(number))
  }

  private func number(_ fields: UnsafePointer<GstStructure>, _ name: String) -> Double? {
    let kinds = ["gdouble", "gfloat", "gint", "guint", "glong", "gulong", "gint64", "guint64"]
    guard let value = gst_structure_get_value(fields, name),
      let type = g_type_name(value.pointee.g_type), kinds.contains(String(cString: type))
    else { return nil }
    var number = GValue()
    g_value_init(&number, cgst_type_double)
    guard g_value_transform(value, &number) != 0 else { return nil }
    return g_value_get_double(&number)
  }

  // MARK: Regions

  private mutating func readRegion(_ meta: UnsafeMutablePointer<GstVideoRegionOfInterestMeta>) {
    let names = ["face", "human face", "human-face", "human_face"]
    guard let name = g_quark_to_string(meta.pointee.roi_type),
      names.contains(String(cString: name).lowercased())
    else { return }
    hasFaceMetadata = true
    count += 1
    let object = gst_video_region_of_interest_meta_get_param(meta, "object_id")
    let isKnownFace = object.flatMap { id($0, "id") }.map { ids.contains($0) } ?? false
    let region = meta.pointee
    // The region that belongs to a face of MienFaces, whose box may lie outside the frame.
    if isKnownFace, region.w == 0 || region.h == 0 { return }
    let hasPoints = gst_video_region_of_interest_meta_get_param(meta, "landmarks") != nil
    addEllipse(
      Double(region.x), Double(region.y), Double(region.w), Double(region.h),
      isTurned: hasPoints || isKnownFace)
  }

  // MARK: Claims

  private mutating func addEllipse(
    _ x: Double, _ y: Double, _ w: Double, _ h: Double, isTurned: Bool
  ) {
    let limit = 64 * max(width, height)
    guard abs(x) <= limit, abs(y) <= limit, w <= limit, h <= limit, w > 0, h > 0 else {
      mayBeAnywhere = true
      return
    }
    let middle = 0.25 * min(w, h)
    ellipses.append(
      Ellipse(
        x: x + w / 2, y: y + h / 2, radiusX: (isTurned ? middle : w / 2) - Self.edge,
        radiusY: (isTurned ? middle : h / 2) - Self.edge))
  }
}
