import CGStreamer
import Client

/// The chapters of a film.
///
/// GStreamer passes them on as an event between Matroska's demuxer and muxer alone. In MP4 they are
/// read from and written as a box `chpl`, as Nero's programs, ffmpeg and most players do.
struct ChapterList {
  struct Chapter: Equatable {
    /// Nanoseconds of stream time.
    var start: Int
    /// Nil where it lasts until the next.
    var end: Int?
    var title: String
  }

  /// At least one, by their starts.
  let chapters: [Chapter]

  /// The largest number that a `chpl` box holds.
  static let most = 255

  private init?(_ chapters: [Chapter]) {
    guard !chapters.isEmpty else { return nil }
    self.chapters = chapters.sorted { $0.start < $1.start }
  }

  // MARK: Matroska

  /// The table of contents that was sent last on a pad; nil without chapters.
  init?(sentOn pad: Pad) {
    let found = pad.withStickyEvent(GST_EVENT_TOC) { event -> [Chapter] in
      var toc: OpaquePointer?
      gst_event_parse_toc(event, &toc, nil)
      guard let toc else { return [] }
      defer { gst_mini_object_unref(cgst_mini_object(UnsafeMutableRawPointer(toc))) }
      return Self.chapters(in: gst_toc_get_entries(toc))
    }
    self.init(found ?? [])
  }

  private static func chapters(in list: UnsafeMutablePointer<GList>?) -> [Chapter] {
    var (found, item): ([Chapter], UnsafeMutablePointer<GList>?) = ([], list)
    while let entry = item {
      item = entry.pointee.next
      let part = OpaquePointer(entry.pointee.data)
      guard gst_toc_entry_get_entry_type(part) == GST_TOC_ENTRY_TYPE_CHAPTER else {
        found += chapters(in: gst_toc_entry_get_sub_entries(part))
        continue
      }
      var (start, end): (gint64, gint64) = (-1, -1)
      gst_toc_entry_get_start_stop_times(part, &start, &end)
      guard start >= 0 else { continue }
      found.append(
        Chapter(start: Int(start), end: end > start ? Int(end) : nil, title: title(of: part)))
    }
    return found
  }

  private static func title(of part: OpaquePointer?) -> String {
    guard let tags = gst_toc_entry_get_tags(part) else { return "" }
    var text: UnsafeMutablePointer<gchar>?
    guard gst_tag_list_get_string(tags, GST_TAG_TITLE, &text) != 0, let text else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// Has a muxer with a table of contents write the chapters, of a film of `length` nanoseconds.
  func set(on muxer: Element, length: Int) {
    guard let toc = gst_toc_new(GST_TOC_SCOPE_GLOBAL),
      let edition = gst_toc_entry_new(GST_TOC_ENTRY_TYPE_EDITION, "1")
    else { return }
    defer { gst_mini_object_unref(cgst_mini_object(UnsafeMutableRawPointer(toc))) }
    for (index, chapter) in chapters.enumerated() {
      let entry = gst_toc_entry_new(GST_TOC_ENTRY_TYPE_CHAPTER, "\(index + 1)")
      let next = index + 1 < chapters.count ? chapters[index + 1].start : nil
      let end = chapter.end ?? next ?? max(length, chapter.start)
      gst_toc_entry_set_start_stop_times(entry, gint64(chapter.start), gint64(end))
      if let tags = gst_tag_list_new_empty() {
        var title = GValue()
        g_value_init(&title, cgst_type_string)
        g_value_set_string(&title, chapter.title)
        gst_tag_list_add_value(tags, GST_TAG_MERGE_APPEND, GST_TAG_TITLE, &title)
        g_value_unset(&title)
        gst_toc_entry_set_tags(entry, tags)
      }
      gst_toc_entry_append_sub_entry(edition, entry)
    }
    gst_toc_append_entry(toc, edition)
    gst_toc_setter_set_toc(OpaquePointer(muxer.raw), toc)
  }

  // MARK: MP4

  /// Chapters from the contents of a box `chpl`; nil where it is broken.
  ///
  /// They are version, flags and a reserved number; the number of chapters; and for each its start in
  /// units of 100 ns, and its title after its length.
  init?(neroBox bytes: [UInt8]) {
    guard let version = bytes.first, version <= 1 else { return nil }
    let countOffset = version == 1 ? 8 : 4
    guard bytes.count > countOffset else { return nil }
    var (found, offset): ([Chapter], Int) = ([], countOffset + 1)
    for _ in 0..<bytes[countOffset] {
      guard let start = bytes.bigEndian(at: offset, 8), (0..<Int.max / 100).contains(start),
        let length = bytes.bigEndian(at: offset + 8, 1), offset + 9 + length <= bytes.count
      else { return nil }
      let title = String(decoding: bytes[offset + 9..<offset + 9 + length], as: UTF8.self)
      found.append(Chapter(start: start * 100, title: title))
      offset += 9 + length
    }
    self.init(found)
  }

  /// A box `chpl`.
  var neroBox: [UInt8] {
    let chapters = chapters.prefix(Self.most)
    var contents: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, UInt8(chapters.count)]
    for chapter in chapters {
      // Cut between two characters.
      var title = chapter.title
      while title.utf8.count > 255 { title.removeLast() }
      contents += (chapter.start / 100).bigEndianBytes(8)
      contents.append(UInt8(title.utf8.count))
      contents += Array(title.utf8)
    }
    return (contents.count + 8).bigEndianBytes(4) + Array("chpl".utf8) + contents
  }
}

extension Int {
  /// The last `count` bytes of the number, the highest first.
  func bigEndianBytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: self >> (8 * (count - 1 - $0))) }
  }
}
