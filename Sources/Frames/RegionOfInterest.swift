package import CGStreamer
package import Pixels

/// A rectangle of whole pixels of a frame, as in GstVideoRegionOfInterestMeta.
package struct PixelBox {
  package let x, y, width, height: UInt32

  package init(x: UInt32, y: UInt32, width: UInt32, height: UInt32) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// The pixels of a frame that a box in normalized coordinates covers.
  package init(normalized box: Rectangle, width: Int, height: Int) {
    let frame = Rectangle(x: 0, y: 0, width: Double(width), height: Double(height))
    self.init(rounding: box.scaled(x: frame.width, y: frame.height).intersection(frame))
  }

  /// A rectangle in pixels, with edges rounded.
  package init(rounding box: Rectangle) {
    func rounded(_ value: Double) -> UInt32 { UInt32(max(0, min(value, 65535)).rounded()) }
    (x, y) = (rounded(box.x), rounded(box.y))
    (width, height) = (max(rounded(box.maxX), x) - x, max(rounded(box.maxY), y) - y)
  }

  package var isEmpty: Bool { width == 0 || height == 0 }

  package var rectangle: Rectangle {
    Rectangle(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
  }
}

/// A GstVideoRegionOfInterestMeta; valid until it is removed.
package struct RegionOfInterest {
  private let meta: UnsafeMutablePointer<GstVideoRegionOfInterestMeta>

  fileprivate init(_ meta: UnsafeMutablePointer<GstVideoRegionOfInterestMeta>) { self.meta = meta }

  /// The region's type, as set by the detector.
  package var label: GQuark { meta.pointee.roi_type }

  package var box: PixelBox {
    get {
      let meta = meta.pointee
      return PixelBox(x: meta.x, y: meta.y, width: meta.w, height: meta.h)
    }
    nonmutating set {
      (meta.pointee.x, meta.pointee.y) = (newValue.x, newValue.y)
      (meta.pointee.w, meta.pointee.h) = (newValue.width, newValue.height)
    }
  }

  package func parameterStructure(_ name: StaticString) -> UnsafeMutablePointer<GstStructure>? {
    gst_video_region_of_interest_meta_get_param(meta, name.cString)
  }

  package func addParameter(_ parameter: consuming Structure) {
    gst_video_region_of_interest_meta_add_param(meta, parameter.take())
  }
}

/// The metadata of a buffer; unowned.
package struct BufferMetadata {
  package let buffer: Buffer

  package init(_ buffer: Buffer) { self.buffer = buffer }

  /// Whether there is custom metadata of a name.
  package func hasCustom(_ name: StaticString) -> Bool {
    gst_buffer_get_custom_meta(buffer, name.cString) != nil
  }

  /// Removes all custom metadata of a name.
  package func removeCustom(_ name: StaticString) { CustomMetadata.remove(name, from: buffer) }

  /// Calls `body` with each region of interest until it returns false.
  package func forEachRegion(_ body: (RegionOfInterest) -> Bool) {
    var state: gpointer?
    let api = gst_video_region_of_interest_meta_api_get_type()
    while let meta = gst_buffer_iterate_meta_filtered(buffer, &state, api) {
      guard body(RegionOfInterest(cast(meta))) else { return }
    }
  }

  /// Adds a region; `id` is that of its detection in GstAnalytics, nil for a new one.
  package func addRegion(_ label: StaticString, _ box: PixelBox, id: UInt32?) -> RegionOfInterest? {
    let meta = gst_buffer_add_video_region_of_interest_meta(
      buffer, label.cString, box.x, box.y, box.width, box.height)
    guard let meta else { return nil }
    meta.pointee.id = Int32(bitPattern: id ?? gst_util_seqnum_next())
    return RegionOfInterest(meta)
  }

  /// Removes the regions whose parameter "detection" names this model.
  package func removeRegions(ofModel model: StaticString) {
    gst_buffer_foreach_meta(
      buffer,
      { _, slot, model in
        guard let meta = slot?.pointee,
          meta.pointee.info.pointee.api == gst_video_region_of_interest_meta_api_get_type(),
          let detection = RegionOfInterest(cast(meta)).parameterStructure("detection"),
          let name = gst_structure_get_string(detection, "model_name"),
          g_strcmp0(name, model!.assumingMemoryBound(to: CChar.self)) == 0
        else { return 1 }
        // A nil slot makes GStreamer remove the meta.
        slot?.pointee = nil
        return 1
      }, UnsafeMutableRawPointer(mutating: model.cString))
  }
}

/// Whether a label means a face: "face", or "human face" as in Open Images.
///
/// Case is ignored; words may be joined by a space, hyphen or underscore.
package func isFaceLabel(_ label: GQuark) -> Bool {
  guard var text = g_quark_to_string(label) else { return false }
  if g_ascii_strncasecmp(text, "human", 5) == 0 {
    guard text[5] == 0x20 || text[5] == 0x2d || text[5] == 0x5f else { return false }
    text += 6
  }
  return g_ascii_strcasecmp(text, "face") == 0
}
