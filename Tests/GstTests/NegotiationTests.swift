import CGStreamer
import Support
import Testing

/// Formats on both sides of an element.
@Suite(.timeLimit(.minutes(20))) struct NegotiationTests {
  /// The formats that a pad of `element` can have.
  private static func formats(_ element: String, pad: String) throws -> Set<String> {
    let pipeline = try Made.pipeline("\(element) name=e ! fakesink")
    let made = try #require(pipeline.element("e"))
    defer { gst_object_unref(made) }
    let found = try #require(gst_element_get_static_pad(made, pad))
    defer { gst_object_unref(found) }
    let caps = try #require(gst_pad_query_caps(found, nil))
    defer { gst_caps_unref(caps) }
    let text = try #require(gst_caps_to_string(caps))
    defer { g_free(text) }
    let known = ["I420", "A420", "RGBx", "RGBA", "YUY2", "AYUV"]
    return Set(known.filter { String(cString: text).contains($0) })
  }

  @Test func aDeriverOffersOnlyWhatItDerives() throws {
    #expect(try Self.formats("madederiver", pad: "src") == ["A420", "RGBA", "AYUV"])
    #expect(
      try Self.formats("madederiver", pad: "sink") == [
        "I420", "A420", "RGBx", "RGBA", "YUY2", "AYUV",
      ])
    #expect(
      try Self.formats("madederiver passes=true", pad: "src") == [
        "I420", "A420", "RGBx", "RGBA", "YUY2", "AYUV",
      ])
  }

  @Test(arguments: [("A420", "I420"), ("RGBA", "RGBx"), ("AYUV", "YUY2")])
  func whatIsWantedBehindDecidesWhatComesIn(output: String, input: String) throws {
    let pipeline = try Made.pipeline(
      "videotestsrc num-buffers=1 ! video/x-raw,format={\(input),GRAY8},width=16,height=16"
        + " ! madederiver ! video/x-raw,format=\(output) ! fakesink")
    try pipeline.run()
    #expect(pipeline.messages.contains { $0.contains("to_\(output)") })
  }

  @Test func aFormatThatIsNotTakenIsRefusedAtOnce() throws {
    #expect(throws: Pipeline.Failure.self) {
      try Made.pipeline(
        "videotestsrc num-buffers=1 ! video/x-raw,format=GRAY8 ! madederiver ! fakesink"
      ).run(seconds: 10)
    }
  }

  /// Every call of `configure` is told by a message.
  @Test func onlyAPropertyThatChangesTheFormatHasItAgreedOnAgain() throws {
    let pipeline = try Made.pipeline(
      "videotestsrc num-buffers=60 ! video/x-raw,format=I420,width=16,height=16"
        + " ! madederiver name=e ! fakesink")
    var count = 0
    let element = try #require(pipeline.element("e"))
    defer { gst_object_unref(element) }
    let object = UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self)
    try pipeline.watch("e") { _ in
      count += 1
      // All the others, again and again; that one, once.
      for (name, value) in [("level", "0.\(count % 10)"), ("amount", "\(count)")] {
        gst_util_set_object_arg(object, name, value)
      }
      gst_util_set_object_arg(object, "passes", count < 30 ? "false" : "true")
    }
    try pipeline.run()
    let formats = pipeline.messages.filter { $0.contains("to_") }
    #expect(formats.count == 2, "\(formats)")
    #expect(formats.first?.contains("A420") == true && formats.last?.contains("I420") == true)
  }

  @Test func memoryThatIsNotPlainIsRefused() throws {
    #expect(throws: Pipeline.Failure.self) {
      try Made.pipeline(
        "videotestsrc num-buffers=1 ! video/x-raw(memory:Strange),format=I420 ! madefilter"
          + " ! fakesink"
      ).run(seconds: 10)
    }
  }
}
