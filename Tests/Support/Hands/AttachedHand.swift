package import CGStreamer

/// A hand in metadata, attached to a buffer with GStreamer's functions alone.
package struct AttachedHand: Sendable {
  package var id: UInt32 = 1
  /// The raw values of `landmarks`, x, y and z of each point; nil omits the field.
  package var landmarks: [Float]?
  package var gesture: String?
  package var gestureConfidence = 0.9

  /// An upright open hand whose wrist is at a place in normalized coordinates, in frames of this shape.
  package init(wrist: (x: Float, y: Float), size: Float, aspect: Float = 1) {
    var points: [Float] = [wrist.x, wrist.y, 0]
    for joint in 1...4 {
      points += [
        wrist.x - 0.11 * size * Float(joint), wrist.y - 0.1 * size * Float(joint) * aspect, 0,
      ]
    }
    for finger in 0..<4 {
      for joint in 0..<4 {
        points += [
          wrist.x + size * (-0.2 + 0.13 * Float(finger)),
          wrist.y - size * (0.5 + 0.13 * Float(joint)) * aspect, 0,
        ]
      }
    }
    landmarks = points
  }

  /// Attaches `MienHands` with `hands` to a writable buffer.
  package static func attach(
    _ hands: [AttachedHand], to buffer: UnsafeMutablePointer<GstBuffer>
  ) {
    guard let meta = gst_buffer_add_custom_meta(buffer, "MienHands") else { return }
    var list = GValue()
    gst_value_array_init(&list, guint(hands.count))
    for hand in hands {
      var item = GValue()
      g_value_init(&item, g_type_from_name("GstStructure"))
      g_value_take_boxed(&item, UnsafeRawPointer(hand.structure()))
      gst_value_array_append_and_take_value(&list, &item)
    }
    gst_structure_take_value(gst_custom_meta_get_structure(meta), "hands", &list)
  }

  private func structure() -> UnsafeMutablePointer<GstStructure>? {
    let result = gst_structure_new_empty("hand")
    func set(_ field: String, _ value: FieldValue) {
      var value = value.value
      gst_structure_take_value(result, field, &value)
    }
    set("id", .uint(id))
    set("confidence", .double(0.9))
    set("side", .text("left"))
    if let gesture {
      set("gesture", .text(gesture))
      set("gesture-confidence", .double(gestureConfidence))
    }
    if let landmarks {
      var value = GValue()
      g_value_init(&value, g_type_from_name("GBytes"))
      let bytes = landmarks.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
      g_value_take_boxed(&value, UnsafeRawPointer(bytes))
      gst_structure_take_value(result, "landmarks", &value)
    }
    return result
  }
}

/// The `MienHands` of a buffer, serialised by GStreamer; nil without it.
package func handsText(of buffer: UnsafeMutablePointer<GstBuffer>) -> String? {
  guard let meta = gst_buffer_get_custom_meta(buffer, "MienHands"),
    let text = gst_structure_to_string(gst_custom_meta_get_structure(meta))
  else { return nil }
  defer { g_free(text) }
  return String(cString: text)
}
