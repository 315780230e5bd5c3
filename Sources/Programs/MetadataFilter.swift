import CGStreamer
import CJSONGLib

/// Takes out of a stream of raw frames what it carries beside them: cover pictures and previews,
/// titles, places, names of devices, chapters, captions, and whatever else it may carry.
///
/// Everything goes but what is listed here, for formats and demuxers learn new words.
package struct MetadataFilter: Sendable {
  /// What the frames need to be shown rightly, and a player to choose a sound.
  private static let needed: Set<String> = [GST_TAG_IMAGE_ORIENTATION, GST_TAG_LANGUAGE_CODE]
  /// What `keepsWords` lets pass as well.
  private static let words: Set<String> = [
    GST_TAG_TITLE, GST_TAG_ARTIST, GST_TAG_ALBUM, GST_TAG_ALBUM_ARTIST, GST_TAG_COMPOSER,
    GST_TAG_CONDUCTOR, GST_TAG_PERFORMER, GST_TAG_GENRE, GST_TAG_COMMENT, GST_TAG_DESCRIPTION,
    GST_TAG_KEYWORDS, GST_TAG_COPYRIGHT, GST_TAG_LICENSE, GST_TAG_ORGANIZATION, GST_TAG_SHOW_NAME,
    GST_TAG_LYRICS,
  ]
  private static let orientations: Set<String> = Set(
    ["rotate-0", "rotate-90", "rotate-180", "rotate-270"].flatMap { [$0, "flip-" + $0] })
  /// Events that move the stream on, unlike chapters, collections of streams and private ones.
  private static let events: Set<UInt32> = Set(
    [
      GST_EVENT_STREAM_START, GST_EVENT_CAPS, GST_EVENT_SEGMENT, GST_EVENT_STREAM_GROUP_DONE,
      GST_EVENT_EOS, GST_EVENT_GAP, GST_EVENT_SEGMENT_DONE, GST_EVENT_BUFFERSIZE,
      GST_EVENT_INSTANT_RATE_CHANGE,
    ].map { UInt32($0.rawValue) })
  /// What says where the samples of a frame lie, which of them are seen, and whose memory they are.
  private static let metadata: Set<String> = [
    "GstVideoMetaAPI", "GstVideoCropMetaAPI", "GstAudioMetaAPI", "GstParentBufferMetaAPI",
  ]

  private let keepsWords: Bool

  /// `keepsWords`: whether titles, names, comments and other texts pass.
  package init(keepsWords: Bool) { self.keepsWords = keepsWords }

  /// Filters what leaves `pad` from here on, on its streaming thread, as long as the pad lives.
  package func install(on pad: Pad) {
    pad.probe(
      GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_BUFFER_LIST
    ) { _, info in
      let kind = info.pointee.type.rawValue
      if kind & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue != 0 { return filterEvent(info) }
      if kind & GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue != 0 {
        Self.stripList(info)
        return GST_PAD_PROBE_OK
      }
      if let buffer = gst_pad_probe_info_get_buffer(info), Self.carriesMore(buffer) {
        info.pointee.data = UnsafeMutableRawPointer(Self.stripped(buffer))
      }
      return GST_PAD_PROBE_OK
    }
  }

  private func filterEvent(_ info: UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn {
    guard let event = gst_pad_probe_info_get_event(info) else { return GST_PAD_PROBE_OK }
    let type = cgst_event_type(event)
    guard type == GST_EVENT_TAG else {
      return Self.events.contains(UInt32(type.rawValue)) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
    }
    var tags: UnsafeMutablePointer<GstTagList>?
    gst_event_parse_tag(event, &tags)
    guard let tags, let kept = filtered(tags) else { return GST_PAD_PROBE_DROP }
    let replacement = gst_event_new_tag(kept)
    gst_event_set_seqnum(replacement, gst_event_get_seqnum(event))
    gst_mini_object_unref(cgst_mini_object(event))
    info.pointee.data = replacement.map { UnsafeMutableRawPointer($0) }
    return GST_PAD_PROBE_OK
  }

  /// The tags that pass; nil where there are none.
  private func filtered(
    _ tags: UnsafeMutablePointer<GstTagList>
  ) -> UnsafeMutablePointer<GstTagList>? {
    guard let kept = gst_tag_list_new_empty() else { return nil }
    gst_tag_list_set_scope(kept, gst_tag_list_get_scope(tags))
    for index in 0..<gst_tag_list_n_tags(tags) {
      guard let name = gst_tag_list_nth_tag_name(tags, guint(index)) else { continue }
      for place in 0..<gst_tag_list_get_tag_size(tags, name) {
        guard let value = gst_tag_list_get_value_index(tags, name, place),
          passes(String(cString: name), value)
        else { continue }
        gst_tag_list_add_value(kept, GST_TAG_MERGE_APPEND, name, value)
      }
    }
    if gst_tag_list_is_empty(kept) == 0 { return kept }
    gst_mini_object_unref(cgst_mini_object(kept))
    return nil
  }

  /// Tags that have few right values pass with these alone: a file may say anything.
  private func passes(_ name: String, _ value: UnsafePointer<GValue>) -> Bool {
    guard value.pointee.g_type == cgst_type_string, let text = g_value_get_string(value) else {
      return false
    }
    switch name {
    case GST_TAG_IMAGE_ORIENTATION: return Self.orientations.contains(String(cString: text))
    case GST_TAG_LANGUAGE_CODE:
      // ISO 639: two or three letters.
      let letters = String(cString: text).utf8
      return (2...3).contains(letters.count) && letters.allSatisfy { (97...122).contains($0) }
    default: return keepsWords && Self.words.contains(name)
    }
  }

  private static func isNeeded(_ meta: UnsafeMutablePointer<GstMeta>) -> Bool {
    guard let name = g_type_name(meta.pointee.info.pointee.api) else { return false }
    return metadata.contains(String(cString: name))
  }

  private static func carriesMore(_ buffer: UnsafeMutablePointer<GstBuffer>) -> Bool {
    var state: gpointer?
    while let meta = gst_buffer_iterate_meta(buffer, &state) {
      if !isNeeded(meta) { return true }
    }
    return false
  }

  private static func stripList(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
    guard let list = gst_pad_probe_info_get_buffer_list(info) else { return }
    let stripped = gst_buffer_list_new()
    for index in 0..<gst_buffer_list_length(list) {
      guard let buffer = gst_buffer_list_get(list, index) else { continue }
      gst_mini_object_ref(cgst_mini_object(buffer))
      gst_buffer_list_insert(stripped, -1, carriesMore(buffer) ? Self.stripped(buffer) : buffer)
    }
    gst_mini_object_unref(cgst_mini_object(UnsafeMutableRawPointer(list)))
    info.pointee.data = stripped.map { UnsafeMutableRawPointer($0) }
  }

  /// The same frame, in the same memory, without metadata that it does not need; takes over `buffer`.
  ///
  /// A copy, for a pool may have locked metadata to its buffers.
  private static func stripped(
    _ buffer: UnsafeMutablePointer<GstBuffer>
  ) -> UnsafeMutablePointer<GstBuffer> {
    guard let copy = gst_mini_object_copy(cgst_mini_object(buffer)) else { return buffer }
    gst_mini_object_unref(cgst_mini_object(buffer))
    let frame = UnsafeMutableRawPointer(copy).assumingMemoryBound(to: GstBuffer.self)
    gst_buffer_foreach_meta(
      frame,
      { _, meta, _ in
        if let meta, let found = meta.pointee, !MetadataFilter.isNeeded(found) {
          meta.pointee = nil
        }
        return 1
      }, nil)
    return frame
  }
}
