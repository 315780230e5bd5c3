package import CGStreamer

/// Small films with texts, pictures, places and dates in every tag that their container stores.
package struct TaggedFilm: Sendable {
  /// The text in every text tag.
  package static let word = "SecretOfTheTest"
  /// A date and a coordinate that occur in tags only.
  package static let numbers = ["2001-02-03", "47.125"]

  package let name: String
  let muxer: String
  let picture: String
  let sound: String

  private static let h264 = "openh264enc ! h264parse"
  private static let aac = "voaacenc ! aacparse"

  /// One film for each container for which GStreamer writes tags.
  package static let all = [
    TaggedFilm(name: "a.mp4", muxer: "mp4mux", picture: h264, sound: aac),
    TaggedFilm(name: "b.mov", muxer: "qtmux", picture: h264, sound: aac),
    TaggedFilm(name: "c.mkv", muxer: "matroskamux", picture: h264, sound: "vorbisenc"),
    TaggedFilm(
      name: "d.webm", muxer: "webmmux", picture: "vp8enc deadline=1 cpu-used=8", sound: "opusenc"),
    TaggedFilm(
      name: "e.avi", muxer: "avimux", picture: "jpegenc", sound: "lamemp3enc ! mpegaudioparse"),
    TaggedFilm(name: "f.ogv", muxer: "oggmux", picture: "theoraenc", sound: "vorbisenc"),
  ]

  /// Writes the film; `cover`, a JPEG file, is the value of every tag that holds data.
  package func make(_ path: String, cover: [UInt8]) throws {
    let queue = "queue max-size-time=0 max-size-buffers=0 max-size-bytes=0 ! m."
    let pipeline = try Pipeline(
      "\(muxer) name=m ! filesink location=\(path) videotestsrc pattern=ball num-buffers=40"
        + " ! video/x-raw,format=I420,width=128,height=96,framerate=20/1 ! \(picture) ! \(queue)"
        + " audiotestsrc samplesperbuffer=4410 num-buffers=20 ! audio/x-raw,rate=44100,channels=1"
        + " ! audioconvert ! audioresample ! \(sound) ! \(queue)")
    let bin = UnsafeMutableRawPointer(pipeline.raw).assumingMemoryBound(to: GstBin.self)
    let setters = gst_bin_iterate_all_by_interface(bin, gst_tag_setter_get_type())
    defer { gst_iterator_free(setters) }
    var item = GValue()
    while gst_iterator_next(setters, &item) == GST_ITERATOR_OK {
      if let setter = g_value_get_object(&item) { Self.add(to: OpaquePointer(setter), cover) }
      g_value_reset(&item)
    }
    g_value_unset(&item)
    try pipeline.run()
  }

  /// All tags of GStreamer 1.22 that can contain personal data: texts, dates, places, devices and
  /// pictures.
  package static let tags = [
    GST_TAG_TITLE, GST_TAG_TITLE_SORTNAME, GST_TAG_ARTIST, GST_TAG_ALBUM, GST_TAG_ALBUM_ARTIST,
    GST_TAG_DATE, GST_TAG_DATE_TIME, GST_TAG_GENRE, GST_TAG_COMMENT, GST_TAG_EXTENDED_COMMENT,
    GST_TAG_LOCATION, GST_TAG_HOMEPAGE, GST_TAG_DESCRIPTION, GST_TAG_VERSION, GST_TAG_ISRC,
    GST_TAG_ORGANIZATION, GST_TAG_COPYRIGHT, GST_TAG_COPYRIGHT_URI, GST_TAG_ENCODED_BY,
    GST_TAG_COMPOSER, GST_TAG_CONDUCTOR, GST_TAG_CONTACT, GST_TAG_LICENSE, GST_TAG_LICENSE_URI,
    GST_TAG_PERFORMER, GST_TAG_LYRICS, GST_TAG_IMAGE, GST_TAG_PREVIEW_IMAGE, GST_TAG_ATTACHMENT,
    GST_TAG_PRIVATE_DATA, GST_TAG_APPLICATION_DATA, GST_TAG_APPLICATION_NAME, GST_TAG_KEYWORDS,
    GST_TAG_GEO_LOCATION_NAME, GST_TAG_GEO_LOCATION_LATITUDE, GST_TAG_GEO_LOCATION_LONGITUDE,
    GST_TAG_GEO_LOCATION_ELEVATION, GST_TAG_GEO_LOCATION_CITY, GST_TAG_GEO_LOCATION_COUNTRY,
    GST_TAG_GEO_LOCATION_SUBLOCATION, GST_TAG_SHOW_NAME, GST_TAG_GROUPING, GST_TAG_USER_RATING,
    GST_TAG_DEVICE_MANUFACTURER, GST_TAG_DEVICE_MODEL, GST_TAG_INTERPRETED_BY, GST_TAG_PUBLISHER,
    GST_TAG_MIDI_BASE_NOTE, GST_TAG_LANGUAGE_NAME, GST_TAG_SERIAL,
  ]

  private static func add(to setter: OpaquePointer, _ cover: [UInt8]) {
    for tag in tags {
      // GST_TAG_EXTENDED_COMMENT requires the form key=value.
      guard let list = list(tag, text: "\(tag)=\(word) in \(tag)", number: 47, data: cover) else {
        continue
      }
      gst_tag_setter_merge_tags(setter, list, GST_TAG_MERGE_APPEND)
      gst_mini_object_unref(cgst_mini_object(list))
    }
  }

  /// A tag list with one tag whose value has the tag's type: a text, a number plus an eighth, a
  /// picture file or a date.
  package static func list(
    _ tag: String, text: String, number: UInt8, data: [UInt8]
  ) -> UnsafeMutablePointer<GstTagList>? {
    var value = GValue()
    let type = gst_tag_get_type(tag)
    g_value_init(&value, type)
    defer { g_value_unset(&value) }
    switch type {
    case cgst_type_string: g_value_set_string(&value, text)
    case cgst_type_double: g_value_set_double(&value, Double(number) + 0.125)
    case cgst_type_uint: g_value_set_uint(&value, guint(number))
    case gst_sample_get_type():
      let buffer = gst_buffer_new_memdup(data, gsize(data.count))
      let caps = gst_caps_new_empty_simple("image/jpeg")
      let sample = gst_sample_new(buffer, caps, nil, nil)
      g_value_take_boxed(&value, UnsafeMutableRawPointer(sample))
      gst_mini_object_unref(cgst_mini_object(buffer))
      gst_mini_object_unref(cgst_mini_object(caps))
    case gst_date_time_get_type():
      g_value_take_boxed(&value, UnsafeMutableRawPointer(gst_date_time_new_ymd(2001, 2, 3)))
    case g_date_get_type():
      g_value_take_boxed(&value, g_date_new_dmy(3, G_DATE_FEBRUARY, 2001))
    default: return nil
    }
    let list = gst_tag_list_new_empty()
    gst_tag_list_add_value(list, GST_TAG_MERGE_APPEND, tag, &value)
    return list
  }
}

extension [UInt8] {
  /// Whether these bytes contain `part`.
  package func holds(_ part: some Collection<UInt8>) -> Bool {
    let part = Array(part)
    guard let first = part.first, count >= part.count else { return false }
    return withUnsafeBufferPointer { bytes in
      (0...(bytes.count - part.count)).contains { place in
        bytes[place] == first && part.indices.allSatisfy { bytes[place + $0] == part[$0] }
      }
    }
  }
}
