import CGStreamer
package import Client

/// Corrects the texts of tags that GStreamer's Matroska muxer writes.
///
/// Up to version 1.22 it writes them quoted, with a backslash before spaces and octal numbers for all
/// letters beyond ASCII, as in `gst_value_serialize`; GStreamer's demuxer undoes that, other programs
/// show it.
package enum MatroskaTagText {
  /// Elements that hold others, down to the texts: Segment, Tags, Tag, SimpleTag (RFC 9559, 5.1).
  private static let masters = [0x1853_8067, 0x1254_C367, 0x7373, 0x67C8]
  /// TagString.
  private static let string = 0x4487
  /// The first bytes of the buffers with texts of tags: those of the segment's header in a stream; of a
  /// text alone at the end of a file.
  private static let begins: [[UInt8]] = [[0x18, 0x53, 0x80, 0x67], [0x44, 0x87]]

  /// Corrects what leaves a muxer, as long as its pad lives.
  package static func correct(behind muxer: Element) {
    muxer.pad("src")?.addRawProbe(GST_PAD_PROBE_TYPE_BUFFER) { _, info in
      guard let buffer = info.buffer, let bytes = headerBytes(buffer),
        let copy = gst_mini_object_copy(cgst_mini_object(buffer))
      else { return GST_PAD_PROBE_OK }
      let header = UnsafeMutableRawPointer(copy).assumingMemoryBound(to: GstBuffer.self)
      let corrected = corrected(bytes)
      gst_buffer_fill(header, 0, corrected, gsize(corrected.count))
      gst_mini_object_unref(cgst_mini_object(buffer))
      info.pointee.data = UnsafeMutableRawPointer(header)
      return GST_PAD_PROBE_OK
    }
  }

  /// The bytes of a buffer that begins like those with tags; nil of others.
  private static func headerBytes(_ buffer: UnsafeMutablePointer<GstBuffer>) -> [UInt8]? {
    var map = GstMapInfo()
    guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
    defer { gst_buffer_unmap(buffer, &map) }
    let bytes = UnsafeBufferPointer(start: map.data, count: Int(map.size))
    guard let begin = begins.first(where: bytes.starts(with:)) else { return nil }
    let header = Array(bytes)
    // The data of a frame may begin likewise.
    guard begin.count == 2 else { return header }
    let size = number(header, 2, header.count, keepsMarker: false)
    return size.map { $0.value + $0.end } == header.count ? header : nil
  }

  /// The same elements, whose texts are unquoted and padded with zeros (RFC 8794, 7.4).
  package static func corrected(_ elements: [UInt8]) -> [UInt8] {
    var elements = elements
    correct(&elements, 0..<elements.count)
    return elements
  }

  private static func correct(_ bytes: inout [UInt8], _ range: Range<Int>) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      guard let (id, start) = number(bytes, offset, range.upperBound, keepsMarker: true),
        let (size, contents) = number(bytes, start, range.upperBound, keepsMarker: false)
      else { return }
      // A size that is still unknown is that of the rest.
      let end = size <= range.upperBound - contents ? contents + size : range.upperBound
      if masters.contains(id) {
        correct(&bytes, contents..<end)
      } else if id == string, size == end - contents, let text = unquoted(bytes[contents..<end]) {
        let padding = Array(repeating: UInt8(0), count: end - contents - text.count)
        bytes.replaceSubrange(contents..<end, with: text + padding)
      }
      offset = end
    }
  }

  /// A variable-size integer at `offset`, and the offset behind it.
  private static func number(
    _ bytes: [UInt8], _ offset: Int, _ limit: Int, keepsMarker: Bool
  ) -> (value: Int, end: Int)? {
    guard offset < limit else { return nil }
    let length = bytes[offset].leadingZeroBitCount + 1
    guard length <= 8, offset + length <= limit else { return nil }
    let value = bytes[offset..<offset + length].reduce(0) { $0 << 8 | Int($1) }
    return (keepsMarker ? value : value & ((1 << (7 * length)) - 1), offset + length)
  }

  /// Undoes `gst_value_serialize`; nil where the text is not quoted.
  private static func unquoted(_ padded: ArraySlice<UInt8>) -> [UInt8]? {
    let quoted = padded.prefix { $0 != 0 }
    let quote = UInt8(ascii: "\"")
    guard quoted.count > 1, quoted.first == quote, quoted.last == quote else { return nil }
    var (text, rest): ([UInt8], ArraySlice<UInt8>) = ([], quoted.dropFirst().dropLast())
    while let next = rest.popFirst() {
      guard next == UInt8(ascii: "\\") else {
        text.append(next)
        continue
      }
      let digits = rest.prefix(3)
      if digits.count == 3, digits.allSatisfy({ (48...55).contains($0) }) {
        text.append(UInt8(truncatingIfNeeded: digits.reduce(0) { $0 << 3 | Int($1 - 48) }))
        rest = rest.dropFirst(3)
      } else if let plain = rest.popFirst() {
        text.append(plain)
      }
    }
    return text
  }
}
