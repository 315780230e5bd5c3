package import CGStreamer
import Faces
package import Pixels

/// A copy of a frame that passed a probe: its bytes and the faces in its metadata.
///
/// The metadata is read with GStreamer's functions alone, as an application reads it.
package struct CapturedFrame {
  package struct FaceMeta: Equatable {
    package var id: UInt32 = 0
    package var confidence = 0.0
    package var box = Rectangle(x: 0, y: 0, width: 0, height: 0)
    package var keypoints: [Point] = []
    /// The mesh without z.
    package var landmarks: [Point] = []
    package var blendshapes: [Float] = []
    package var transform: [Float] = []
  }

  package let pts: UInt64
  package let bytes: [UInt8]
  /// The address of the first memory's data, to detect copies.
  package let address: UInt
  /// The `width` and `height` of `MienFaces`; nil without that metadata.
  package let measuredOn: (width: UInt32, height: UInt32)?
  package let faces: [FaceMeta]
  /// Regions of interest "face": box in pixels, ID, and names of the parameters.
  package let regions: [(box: Rectangle, id: Int32, parameters: [String])]

  package init(_ buffer: UnsafeMutablePointer<GstBuffer>) {
    pts = UInt64(buffer.pointee.pts)
    var map = GstMapInfo()
    gst_buffer_map(buffer, &map, GST_MAP_READ)
    bytes = Array(UnsafeBufferPointer(start: map.data, count: Int(map.size)))
    address = UInt(bitPattern: map.data)
    gst_buffer_unmap(buffer, &map)
    (measuredOn, faces) = Self.mienFaces(buffer)
    regions = Self.regions(buffer)
  }

  private static func mienFaces(
    _ buffer: UnsafeMutablePointer<GstBuffer>
  ) -> ((UInt32, UInt32)?, [FaceMeta]) {
    guard let meta = gst_buffer_get_custom_meta(buffer, "MienFaces") else { return (nil, []) }
    let structure = gst_custom_meta_get_structure(meta)
    var width: guint = 0
    var height: guint = 0
    gst_structure_get_uint(structure, "width", &width)
    gst_structure_get_uint(structure, "height", &height)
    guard let list = gst_structure_get_value(structure, "faces"),
      g_type_check_value_holds(list, g_type_from_name("GstValueArray")) != 0
    else { return ((width, height), []) }
    let faces = (0..<gst_value_array_get_size(list)).compactMap { index -> FaceMeta? in
      guard let item = gst_value_array_get_value(list, index),
        g_type_check_value_holds(item, g_type_from_name("GstStructure")) != 0,
        let face = gst_value_get_structure(item)
      else { return nil }
      func double(_ name: String) -> Double {
        var value = 0.0
        gst_structure_get_double(face, name, &value)
        return value
      }
      var result = FaceMeta()
      gst_structure_get_uint(face, "id", &result.id)
      result.confidence = double("confidence")
      result.box = Rectangle(
        x: double("x"), y: double("y"), width: double("width"), height: double("height"))
      result.keypoints = Self.points(face, "keypoints", floats: 2)
      result.landmarks = Self.points(face, "landmarks", floats: 3)
      result.blendshapes = Self.numbers(face, "blendshapes")
      result.transform = Self.numbers(face, "transform")
      return result
    }
    return ((width, height), faces)
  }

  private static func numbers(_ face: UnsafePointer<GstStructure>?, _ field: String) -> [Float] {
    guard let value = gst_structure_get_value(face, field), let bytes = g_value_get_boxed(value)
    else { return [] }
    var size: gsize = 0
    guard let data = g_bytes_get_data(OpaquePointer(bytes), &size) else { return [] }
    return (0..<Int(size) / 4).map {
      data.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self)
    }
  }

  /// Reads points from a field of 32-bit floats: the first two of every `floats` numbers.
  private static func points(
    _ face: UnsafePointer<GstStructure>?, _ field: String, floats: Int
  ) -> [Point] {
    guard let value = gst_structure_get_value(face, field), let bytes = g_value_get_boxed(value)
    else { return [] }
    var size: gsize = 0
    guard let data = g_bytes_get_data(OpaquePointer(bytes), &size) else { return [] }
    return (0..<Int(size) / (4 * floats)).map { index in
      func number(_ k: Int) -> Double {
        Double(data.loadUnaligned(fromByteOffset: 4 * (index * floats + k), as: Float.self))
      }
      return Point(x: number(0), y: number(1))
    }
  }

  private static func regions(
    _ buffer: UnsafeMutablePointer<GstBuffer>
  ) -> [(box: Rectangle, id: Int32, parameters: [String])] {
    var found: [(box: Rectangle, id: Int32, parameters: [String])] = []
    var state: gpointer?
    let api = gst_video_region_of_interest_meta_api_get_type()
    while let meta = gst_buffer_iterate_meta_filtered(buffer, &state, api) {
      let region = UnsafeMutableRawPointer(meta)
        .assumingMemoryBound(to: GstVideoRegionOfInterestMeta.self).pointee
      var parameters: [String] = []
      var item = region.params
      while let node = item {
        let structure = node.pointee.data.assumingMemoryBound(to: GstStructure.self)
        parameters.append(String(cString: gst_structure_get_name(structure)))
        item = node.pointee.next
      }
      found.append(
        (
          Rectangle(
            x: Double(region.x), y: Double(region.y), width: Double(region.w),
            height: Double(region.h)), region.id, parameters.sorted()
        ))
    }
    return found
  }
}
