import CGStreamer
import CJSONGLib
package import Client

/// Removes from a stream of raw frames what it carries beside them: cover pictures, previews, titles,
/// places, names of devices, chapters, captions and all else.
///
/// This is a list of what passes, because formats and demuxers get new kinds of metadata.
package struct MetadataFilter: Sendable {
  /// Tags that are needed to display the frames, and to choose an audio track.
  private static let needed: Set<String> = [GST_TAG_IMAGE_ORIENTATION, GST_TAG_LANGUAGE_CODE]
  /// Tags that pass with `keepsText`.
  private static let texts: Set<String> = [
    GST_TAG_TITLE, GST_TAG_ARTIST, GST_TAG_ALBUM, GST_TAG_ALBUM_ARTIST, GST_TAG_COMPOSER,
    GST_TAG_CONDUCTOR, GST_TAG_PERFORMER, GST_TAG_GENRE, GST_TAG_COMMENT, GST_TAG_DESCRIPTION,
    GST_TAG_KEYWORDS, GST_TAG_COPYRIGHT, GST_TAG_LICENSE, GST_TAG_ORGANIZATION, GST_TAG_SHOW_NAME,
    GST_TAG_LYRICS,
  ]
  private static let orientations: Set<String> = Set(
    ["rotate-0", "rotate-90", "rotate-180", "rotate-270"].flatMap { [$0, "flip-" + $0] })
  /// Events that control the stream.
  ///
  /// Chapters, stream collections and custom events are not among them.
  private static let events: Set<UInt32> = Set(
    [
      GST_EVENT_STREAM_START, GST_EVENT_CAPS, GST_EVENT_SEGMENT, GST_EVENT_STREAM_GROUP_DONE,
      GST_EVENT_EOS, GST_EVENT_GAP, GST_EVENT_SEGMENT_DONE, GST_EVENT_BUFFERSIZE,
      GST_EVENT_INSTANT_RATE_CHANGE,
    ].map { UInt32($0.rawValue) })
  /// Metadata of a frame's layout, its crop and the owner of its memory.
  private static let metadata: Set<String> = [
    "GstVideoMetaAPI", "GstVideoCropMetaAPI", "GstAudioMetaAPI", "GstParentBufferMetaAPI",
  ]

  private let keepsText: Bool

  /// `keepsText`: whether tags with titles, names, comments and other texts pass.
  package init(keepsText: Bool) { self.keepsText = keepsText }

  /// Filters what leaves `pad`, on its streaming thread, as long as the pad lives.
  package func install(on pad: Pad) {
    pad.addProbe(
      GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_BUFFER_LIST
    ) { _, info in
      if let event = info.event { return filterEvent(event, info) }
      if info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue != 0 {
        Self.stripList(info)
      } else if let buffer = info.buffer, Self.hasOtherMetadata(buffer) {
        info.pointee.data = UnsafeMutableRawPointer(Self.stripped(buffer))
      }
      return GST_PAD_PROBE_OK
    }
  }

  private func filterEvent(
    _ event: UnsafeMutablePointer<GstEvent>, _ info: UnsafeMutablePointer<GstPadProbeInfo>
  ) -> GstPadProbeReturn {
    let type = cgst_event_type(event)
    guard type == GST_EVENT_TAG else {
      return Self.events.contains(UInt32(type.rawValue)) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
    }
    var tags: UnsafeMutablePointer<GstTagList>?
    gst_event_parse_tag(event, &tags)
    guard let tags, let kept = filteredTags(tags) else { return GST_PAD_PROBE_DROP }
    let replacement = gst_event_new_tag(kept)
    gst_event_set_seqnum(replacement, gst_event_get_seqnum(event))
    gst_mini_object_unref(cgst_mini_object(event))
    info.pointee.data = replacement.map { UnsafeMutableRawPointer($0) }
    return GST_PAD_PROBE_OK
  }

  /// The tags that pass; nil where none does.
  private func filteredTags(
    _ tags: UnsafeMutablePointer<GstTagList>
  ) -> UnsafeMutablePointer<GstTagList>? {
    guard let kept = gst_tag_list_new_empty() else { return nil }
    gst_tag_list_set_scope(kept, gst_tag_list_get_scope(tags))
    for index in 0..<gst_tag_list_n_tags(tags) {
      guard let name = gst_tag_list_nth_tag_name(tags, guint(index)) else { continue }
      for place in 0..<gst_tag_list_get_tag_size(tags, name) {
        guard let value = gst_tag_list_get_value_index(tags, name, place),
          passesTag(String(cString: name), value)
        else { continue }
        gst_tag_list_add_value(kept, GST_TAG_MERGE_APPEND, name, value)
      }
    }
    if gst_tag_list_is_empty(kept) == 0 { return kept }
    gst_mini_object_unref(cgst_mini_object(kept))
    return nil
  }

  /// Whether a tag passes.
  ///
  /// Tags with few valid values pass with these alone: a file may hold any.
  private func passesTag(_ name: String, _ value: UnsafePointer<GValue>) -> Bool {
    guard value.pointee.g_type == cgst_type_string, let text = g_value_get_string(value) else {
      return false
    }
    switch name {
    case GST_TAG_IMAGE_ORIENTATION: return Self.orientations.contains(String(cString: text))
    case GST_TAG_LANGUAGE_CODE:
      // ISO 639: two or three letters.
      let letters = String(cString: text).utf8
      return (2...3).contains(letters.count) && letters.allSatisfy { (97...122).contains($0) }
    default: return keepsText && Self.texts.contains(name)
    }
  }

  private static func isNeeded(_ meta: UnsafeMutablePointer<GstMeta>) -> Bool {
    guard let name = g_type_name(meta.pointee.info.pointee.api) else { return false }
    return metadata.contains(String(cString: name))
  }

  private static func hasOtherMetadata(_ buffer: UnsafeMutablePointer<GstBuffer>) -> Bool {
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
      gst_buffer_list_insert(
        stripped, -1, hasOtherMetadata(buffer) ? Self.stripped(buffer) : buffer)
    }
    gst_mini_object_unref(cgst_mini_object(UnsafeMutableRawPointer(list)))
    info.pointee.data = stripped.map { UnsafeMutableRawPointer($0) }
  }

  /// A copy of the frame in the same memory without other metadata; takes over `buffer`.
  ///
  /// A copy is needed because a pool may have locked metadata to its buffers.
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
