import CGStreamer
import Support
import Synchronization
import Testing

/// Properties: what GObject knows of them, and what setting them costs and does while playing.
@Suite(.timeLimit(.minutes(20))) struct PropertyTests {
  private static func element() throws -> UnsafeMutablePointer<GstElement> {
    precondition(Made.isRegistered)
    return try #require(gst_element_factory_make("madefilter", nil))
  }

  private static func spec(
    _ element: UnsafeMutablePointer<GstElement>, _ name: String
  ) throws -> UnsafeMutablePointer<GParamSpec> {
    let klass = UnsafeMutableRawPointer(element).assumingMemoryBound(to: GTypeInstance.self)
      .pointee.g_class
    return try #require(
      g_object_class_find_property(
        UnsafeMutableRawPointer(klass!).assumingMemoryBound(to: GObjectClass.self), name))
  }

  private static func text(
    _ element: UnsafeMutablePointer<GstElement>, _ property: String
  ) -> String? {
    var value = GValue()
    g_object_get_property(
      UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), property, &value)
    defer { g_value_unset(&value) }
    guard let text = gst_value_serialize(&value) else { return nil }
    defer { g_free(text) }
    return String(cString: text)
  }

  @Test func defaultsAreTheFieldsFirstValues() throws {
    let element = try Self.element()
    defer { gst_object_unref(element) }
    for (name, wanted) in [
      ("failing", "nowhere"), ("passes", "false"), ("amount", "7"), ("level", "0.5"),
      ("n-threads", "1"),
    ] {
      #expect(Self.text(element, name) == wanted)
    }
  }

  /// Not its name, which would be another element's, nor what is the machine's.
  @Test func aPresetHoldsWhatMayBeSetWhilePlaying() throws {
    let element = try Self.element()
    defer { gst_object_unref(element) }
    let list = try #require(gst_preset_get_property_names(OpaquePointer(element)))
    defer { g_strfreev(list) }
    let names = (0..<Int(g_strv_length(list))).compactMap { list[$0].map { String(cString: $0) } }
    #expect(names.contains("amount") && names.contains("label"), "\(names)")
    for name in ["name", "parent", "qos", "n-threads"] { #expect(!names.contains(name)) }
  }

  @Test func whatIsSetIsReadBackAndRangesAreGObjects() throws {
    let element = try Self.element()
    defer { gst_object_unref(element) }
    let object = UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self)
    for (name, value) in [
      ("failing", "process"), ("passes", "true"), ("amount", "200"), ("level", "-1"),
      ("label", "so"), ("n-threads", "8"),
    ] {
      gst_util_set_object_arg(object, name, value)
      #expect(Self.text(element, name) == value)
    }
    let amount = try Self.spec(element, "amount")
    amount.withMemoryRebound(to: GParamSpecUInt.self, capacity: 1) {
      #expect($0.pointee.minimum == 0 && $0.pointee.maximum == 200)
    }
  }

  @Test func whatIsReadAtStartIsNotMarkedAsMutableWhilePlaying() throws {
    let element = try Self.element()
    defer { gst_object_unref(element) }
    let controllable = gint(1 << 9)
    #expect(try Self.spec(element, "level").pointee.flags.rawValue & controllable != 0)
    #expect(try Self.spec(element, "n-threads").pointee.flags.rawValue & controllable == 0)
  }

  @Test func textsSetFromFourThreadsWhilePlayingNeverTear() throws {
    let pipeline = try Made.pipeline(
      "videotestsrc num-buffers=1500 ! video/x-raw,width=16,height=16 ! madefilter name=e"
        + " ! fakesink")
    let element = try #require(pipeline.element("e"))
    defer { gst_object_unref(element) }
    let texts = (0..<4).map { String(repeating: "\($0)", count: 200 + 50 * $0) }
    let address = UInt(bitPattern: element)
    let isOver = Atomic(false)
    let torn = Atomic(0)
    let threads = (0..<4).map { number in
      BackgroundThread {
        let element = UnsafeMutablePointer<GstElement>(bitPattern: address)!
        let object = UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self)
        while !isOver.load(ordering: .relaxed) {
          gst_util_set_object_arg(object, "label", texts[number])
          gst_util_set_object_arg(object, "amount", "\(number)")
          if let seen = Self.text(element, "label"), !texts.contains(seen) {
            torn.add(1, ordering: .relaxed)
          }
        }
      }
    }
    try pipeline.run()
    isOver.store(true, ordering: .relaxed)
    for thread in threads { thread.join() }
    #expect(torn.load(ordering: .relaxed) == 0)
  }
}
