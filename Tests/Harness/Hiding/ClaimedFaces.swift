package import CGStreamer
import Support

/// Where the metadata of a frame says that faces are.
///
/// Read with GStreamer's calls alone, and for itself: what the elements make of it is under test.
package struct ClaimedFaces: Sendable {
  /// An ellipse in pixels in which a face surely is.
  package struct Place: Sendable {
    package var x, y, across, down: Double

    var text: String { "\(bounds), middle \(x), \(y)" }

    /// The pixels around it: left, top, right and bottom.
    package var bounds: (Int, Int, Int, Int) {
      (Self.whole(x - across), Self.whole(y - down), Self.whole(x + across), Self.whole(y + down))
    }

    private static func whole(_ number: Double) -> Int {
      Int(max(-1e6, min(number, 1e6)).rounded())
    }

    package func contains(_ px: Int, _ py: Int) -> Bool {
      guard across > 0, down > 0 else { return false }
      let (u, v) = ((Double(px) - x) / across, (Double(py) - y) / down)
      return u * u + v * v <= 1
    }
  }

  package private(set) var places: [Place] = []
  /// Whether a face is claimed whose place cannot be read, or so many that nobody can have seen them.
  package private(set) var isAnywhere = false
  /// Whether anything says whether there are faces.
  package private(set) var isKnown = false

  private let width, height: Double
  /// Numbers of the faces in MienFaces.
  private var numbers: Set<UInt32> = []
  private var count = 0

  /// Pixels by which the edge of what is hidden may lie within the box.
  private static let edge = 2.5
  /// More faces than this may be anywhere.
  private static let most = 1024

  package init(_ buffer: UnsafeMutablePointer<GstBuffer>, width: Int, height: Int) {
    (self.width, self.height) = (Double(width), Double(height))
    var state: gpointer?
    if let info = gst_meta_get_info("MienFaces") {
      while let meta = gst_buffer_iterate_meta_filtered(buffer, &state, info.pointee.api) {
        let custom = UnsafeMutableRawPointer(meta).assumingMemoryBound(to: GstCustomMeta.self)
        isKnown = true
        read(gst_custom_meta_get_structure(custom))
      }
    }
    isAnywhere = isAnywhere || count > Self.most
    count = 0
    state = nil
    let api = gst_video_region_of_interest_meta_api_get_type()
    while let meta = gst_buffer_iterate_meta_filtered(buffer, &state, api) {
      read(UnsafeMutableRawPointer(meta).assumingMemoryBound(to: GstVideoRegionOfInterestMeta.self))
    }
    isAnywhere = isAnywhere || count > Self.most
  }

  // MARK: MienFaces

  private mutating func read(_ fields: UnsafeMutablePointer<GstStructure>?) {
    guard let list = gst_structure_get_value(fields, "faces") else {
      isAnywhere = true
      return
    }
    let isArray = g_type_check_value_holds(list, cgst_type_array()) != 0
    guard isArray || g_type_check_value_holds(list, cgst_type_list()) != 0 else {
      isAnywhere = true
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
        isAnywhere = true
        continue
      }
      readFace(face)
    }
  }

  private mutating func readFace(_ face: UnsafePointer<GstStructure>) {
    guard let x = number(face, "x"), let y = number(face, "y"), let w = number(face, "width"),
      let h = number(face, "height")
    else {
      isAnywhere = true
      return
    }
    if let id = whole(face, "id") { numbers.insert(id) }
    // What is turned with its head covers the middle of the box, and not all of it.
    let turning = ["keypoints", "landmarks", "roll"]
    let isTurned = turning.contains { gst_structure_has_field(face, $0) != 0 }
    claim(x * width, y * height, w * width, h * height, isTurned: isTurned)
  }

  /// The lower bits of a whole number, which is all that counts of it.
  private func whole(_ fields: UnsafePointer<GstStructure>, _ name: String) -> UInt32? {
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

  private mutating func read(_ meta: UnsafeMutablePointer<GstVideoRegionOfInterestMeta>) {
    let names = ["face", "human face", "human-face", "human_face"]
    guard let name = g_quark_to_string(meta.pointee.roi_type),
      names.contains(String(cString: name).lowercased())
    else { return }
    isKnown = true
    count += 1
    let object = gst_video_region_of_interest_meta_get_param(meta, "object_id")
    let isKnownFace = object.flatMap { whole($0, "id") }.map { numbers.contains($0) } ?? false
    let region = meta.pointee
    // The region that goes with a face of MienFaces, which may have left the frame.
    if isKnownFace, region.w == 0 || region.h == 0 { return }
    let hasPoints = gst_video_region_of_interest_meta_get_param(meta, "landmarks") != nil
    claim(
      Double(region.x), Double(region.y), Double(region.w), Double(region.h),
      isTurned: hasPoints || isKnownFace)
  }

  // MARK: Claims

  private mutating func claim(
    _ x: Double, _ y: Double, _ w: Double, _ h: Double, isTurned: Bool
  ) {
    let limit = 64 * max(width, height)
    guard abs(x) <= limit, abs(y) <= limit, w <= limit, h <= limit, w > 0, h > 0 else {
      isAnywhere = true
      return
    }
    let middle = 0.25 * min(w, h)
    places.append(
      Place(
        x: x + w / 2, y: y + h / 2, across: (isTurned ? middle : w / 2) - Self.edge,
        down: (isTurned ? middle : h / 2) - Self.edge))
  }
}
