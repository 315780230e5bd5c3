import CGStreamer
package import Client

/// Turns decoded subtitles into the plain UTF-8 that muxers take.
///
/// Demuxers and GStreamer's parser of SubStation Alpha give text in Pango's markup, which muxers of
/// GStreamer 1.22 refuse.
package enum SubtitleText {
  /// A bin from decoded subtitles to a muxer; nil where an element is missing.
  ///
  /// `keepsTags`: whether the tags of SubRip, `<i>`, `<b>` and `<u>`, stay. `endsEmpty`: whether an
  /// empty text follows the last one. The muxer of MP4 and MOV needs it: of the last text it
  /// subtracts the pause before it from its duration.
  package static func makeBin(
    keepsTags: Bool, endsEmpty: Bool = false
  ) throws(ClientError) -> Element? {
    guard Element.isAvailable("capssetter") else { return nil }
    let bin = try Element(
      bin: "queue max-size-buffers=0 max-size-bytes=0 max-size-time=0"
        + " ! capssetter name=text caps=text/x-raw,format=utf8 replace=true")
    bin["text"]?.pad("sink")?.addProbe(GST_PAD_PROBE_TYPE_BUFFER) { pad, info in
      guard let buffer = info.buffer, pad.textFormat == "pango-markup" else {
        return GST_PAD_PROBE_OK
      }
      if let plain = converted(buffer, keepsTags: keepsTags) {
        gst_mini_object_unref(cgst_mini_object(buffer))
        info.pointee.data = UnsafeMutableRawPointer(plain)
      }
      return GST_PAD_PROBE_OK
    }
    if endsEmpty, let pad = bin["text"]?.pad("sink") { appendEmptyText(at: pad) }
    return bin
  }

  /// Sends an empty text before the end of the stream, where the last one ends.
  private static func appendEmptyText(at pad: Pad) {
    var end: GstClockTime = 0
    pad.addRawProbe(
      GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_BUFFER
    ) { pad, info in
      if let buffer = info.buffer?.pointee, buffer.pts != .max, buffer.duration != .max {
        end = max(end, buffer.pts &+ buffer.duration)
      } else if let event = info.event, event.pointee.type == GST_EVENT_EOS, end > 0,
        let empty = gst_buffer_new()
      {
        (empty.pointee.pts, empty.pointee.duration) = (end, emptyDuration)
        end = 0
        gst_pad_chain(pad, empty)
      }
      return GST_PAD_PROBE_OK
    }
  }

  /// A millisecond, in nanoseconds.
  private static let emptyDuration: GstClockTime = 1_000_000

  private static func converted(
    _ buffer: UnsafeMutablePointer<GstBuffer>, keepsTags: Bool
  ) -> UnsafeMutablePointer<GstBuffer>? {
    var map = GstMapInfo()
    guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
    let bytes = Array(UnsafeBufferPointer(start: map.data, count: Int(map.size)))
    gst_buffer_unmap(buffer, &map)
    let text = plain(bytes, keepsTags: keepsTags)
    guard let copy = gst_buffer_new_allocate(nil, gsize(text.count), nil) else { return nil }
    gst_buffer_fill(copy, 0, text, gsize(text.count))
    let flags = GstBufferCopyFlags(
      GST_BUFFER_COPY_FLAGS.rawValue | GST_BUFFER_COPY_TIMESTAMPS.rawValue)
    gst_buffer_copy_into(copy, buffer, flags, 0, .max)
    return copy
  }

  /// The text of Pango's markup.
  package static func plain(_ markup: [UInt8], keepsTags: Bool) -> [UInt8] {
    let entities: [(name: String, character: UInt8)] = [
      ("amp", UInt8(ascii: "&")), ("lt", UInt8(ascii: "<")), ("gt", UInt8(ascii: ">")),
      ("quot", UInt8(ascii: "\"")), ("apos", UInt8(ascii: "'")), ("#39", UInt8(ascii: "'")),
    ]
    let kept = ["i", "/i", "b", "/b", "u", "/u"]
    var (text, offset): ([UInt8], Int) = ([], 0)
    while offset < markup.count {
      let rest = markup[(offset + 1)...]
      if markup[offset] == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) {
        let isKept = keepsTags && kept.contains { rest[..<end].elementsEqual($0.utf8) }
        if isKept { text += markup[offset...end] }
        offset = end + 1
      } else if markup[offset] == UInt8(ascii: "&"),
        let entity = entities.first(where: { rest.starts(with: ($0.name + ";").utf8) })
      {
        text.append(entity.character)
        offset += entity.name.utf8.count + 2
      } else {
        text.append(markup[offset])
        offset += 1
      }
    }
    return text
  }
}

extension Pad {
  /// The field "format" of the current caps; nil without one.
  fileprivate var textFormat: String? {
    withCaps { caps -> String? in
      gst_caps_get_structure(caps, 0).flatMap { gst_structure_get_string($0, "format") }.map {
        String(cString: $0)
      }
    } ?? nil
  }
}
