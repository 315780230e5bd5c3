import CGStreamer
import Client
import Programs
import Support
import Testing

/// The metadata filter that runs when faces are hidden.
@Suite(.timeLimit(.minutes(20))) struct MetadataFilterTests {
  /// The output of a filter that gets `frames` frames, each modified by `change`; `before` is
  /// called with the pad upstream of the filter at the first frame.
  private func filtered(
    keepsText: Bool = false, frames: Int = 3,
    _ change: @escaping (UnsafeMutablePointer<GstBuffer>) -> Void = { _ in },
    before: @escaping (Pad) -> Void = { _ in }
  ) throws -> (events: [String], metadata: Set<String>, frames: Int) {
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=\(frames) ! video/x-raw,format=I420,width=32,height=32"
        + " ! identity name=first ! identity name=last ! fakesink name=sink")
    var events: [String] = []
    var metadata: Set<String> = []
    var (count, begun) = (0, false)
    let first = try pipeline.pad("first", "src")
    try pipeline.watch("first") { buffer in
      if !begun { before(first) }
      begun = true
      change(buffer)
    }
    MetadataFilter(keepsText: keepsText).install(on: first)
    try pipeline.pad("last", "src").addProbe(
      GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_BUFFER
    ) { _, info in
      if let buffer = info.buffer {
        count += 1
        var state: gpointer?
        while let meta = gst_buffer_iterate_meta(buffer, &state) {
          metadata.insert(String(cString: g_type_name(meta.pointee.info.pointee.api)))
        }
      } else if let event = info.event {
        events.append(Self.text(event))
      }
      return GST_PAD_PROBE_OK
    }
    try pipeline.run()
    return (events, metadata, count)
  }

  private static func text(_ event: UnsafeMutablePointer<GstEvent>) -> String {
    let name = String(cString: gst_event_type_get_name(cgst_event_type(event)))
    guard let structure = gst_event_get_structure(event),
      let text = gst_structure_to_string(structure)
    else { return name }
    defer { g_free(text) }
    return name + " " + String(cString: text)
  }

  private static func pushTags(_ pad: Pad, _ tags: String) {
    guard let list = gst_tag_list_new_from_string("taglist," + tags) else { return }
    gst_pad_push_event(pad.raw, gst_event_new_tag(list))
  }

  @Test func framesKeepOnlyLayoutMetadata() throws {
    let words = Array("SecretOfTheTest".utf8)
    var tags: [UnsafePointer<gchar>?] = [nil]
    gst_meta_register_custom("MienSecretOfTheTest", &tags, nil, nil, nil)
    let output = try filtered { buffer in
      gst_buffer_add_video_caption_meta(buffer, GST_VIDEO_CAPTION_TYPE_CEA708_RAW, words, 15)
      gst_buffer_add_video_time_code_meta_full(
        buffer, 25, 1, nil, GST_VIDEO_TIME_CODE_FLAGS_NONE, 20, 1, 2, 3, 0)
      gst_buffer_add_custom_meta(buffer, "MienSecretOfTheTest")
      gst_buffer_add_video_meta(buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_I420, 32, 32)
    }
    #expect(output.frames == 3)
    #expect(output.metadata.contains("GstVideoMetaAPI"))
    // A copy of the frame references the memory of the first one.
    #expect(
      output.metadata.isSubset(of: ["GstVideoMetaAPI", "GstParentBufferMetaAPI"]),
      "\(output.metadata)")
  }

  @Test func descriptiveEventsAreDropped() throws {
    let output = try filtered(before: { pad in
      let toc = gst_toc_new(GST_TOC_SCOPE_GLOBAL)
      gst_pad_push_event(pad.raw, gst_event_new_toc(toc, 0))
      gst_mini_object_unref(cgst_mini_object(UnsafeMutableRawPointer(toc!)))
      for type in [
        GST_EVENT_CUSTOM_DOWNSTREAM, GST_EVENT_CUSTOM_DOWNSTREAM_STICKY,
        GST_EVENT_CUSTOM_DOWNSTREAM_OOB,
      ] {
        let structure = gst_structure_new_from_string("SecretOfTheTest,place=(string)\"47.125\"")
        gst_pad_push_event(pad.raw, gst_event_new_custom(type, structure))
      }
    })
    #expect(output.frames == 3)
    let kinds = Set(output.events.map { String($0.prefix { $0 != " " }) })
    #expect(kinds.isSubset(of: ["stream-start", "caps", "segment", "eos", "gap"]), "\(kinds)")
    #expect(kinds.contains("eos"))
  }

  @Test(arguments: [false, true])
  func listedTagsPassWithValidValues(keepsText: Bool) throws {
    let output = try filtered(
      keepsText: keepsText,
      before: { pad in
        Self.pushTags(pad, "image-orientation=rotate-90,language-code=de,title=word,genre=word")
        Self.pushTags(pad, "image-orientation=secret,language-code=secret,device-model=secret")
        Self.pushTags(
          pad, "language-code=D1,geo-location-latitude=47.125,extended-comment=\"a=secret\"")
      })
    let tags = output.events.filter { $0.hasPrefix("tag ") }
    #expect(tags.count == 1, "\(tags)")
    // Nested strings are escaped.
    let text = tags.joined().replacing("\\", with: "")
    #expect(text.contains("rotate-90") && text.contains("language-code=(string)de"), "\(text)")
    #expect(text.contains("title=(string)word") == keepsText)
    #expect(text.contains("genre=(string)word") == keepsText)
    #expect(!text.contains("secret") && !text.contains("47.125"))
  }

  /// Random values in random tags.
  @Test func arbitraryTagsAreDropped() throws {
    var random = SplitMix(31)
    let known = TaggedFilm.tags + [GST_TAG_LANGUAGE_CODE, GST_TAG_IMAGE_ORIENTATION]
    let texts = ["secret", "SECRET", "s", "secret-90", "rotate-90 secret", "desecret", "de secret"]
    let output = try filtered(before: { pad in
      for _ in 0..<500 {
        let tag = known[random.below(known.count)]
        let text = texts[random.below(texts.count)]
        if gst_tag_get_type(tag) == cgst_type_string { Self.pushTags(pad, "\(tag)=\"a=\(text)\"") }
      }
    })
    #expect(!output.events.contains { $0.hasPrefix("tag") }, "\(output.events)")
  }
}
