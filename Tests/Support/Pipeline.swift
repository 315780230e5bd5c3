package import CGStreamer
package import Client

/// A pipeline in gst-launch syntax that runs in this process and records its messages.
package final class Pipeline {
  private let pipeline: Element

  /// The element messages in order, serialised by GStreamer.
  package private(set) var messages: [String] = []
  /// The texts of the warnings on the bus.
  package private(set) var warnings: [String] = []
  /// Called for every warning, on the thread that runs the pipeline.
  package var onWarning: (String) -> Void = { _ in }

  /// An error message on the bus, or a pipeline that does not end.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
    /// The debug text of the error.
    package let detail: String

    package init(description: String, detail: String = "") {
      (self.description, self.detail) = (description, detail)
    }
  }

  package init(_ description: String) throws {
    gst_init(nil, nil)
    do throws(ClientError) {
      pipeline = try Element(launch: description)
    } catch {
      throw Failure(description: error.text, detail: description)
    }
  }

  deinit { pipeline.setState(GST_STATE_NULL) }

  /// A pad of an element.
  package func pad(_ element: String, _ name: String) throws -> Pad {
    guard let named = pipeline[element] else {
      throw Failure(description: "no element \(element)")
    }
    guard let pad = named.pad(name) else { throw Failure(description: "no pad \(name)") }
    return pad
  }

  /// Calls `body` on the streaming thread for every buffer that passes `pad` of `element`.
  ///
  /// The pad owns `body`, so a closure that captures the pipeline keeps it alive.
  package func watch(
    _ element: String, pad name: String = "sink",
    _ body: @escaping (UnsafeMutablePointer<GstBuffer>) -> Void
  ) throws {
    try pad(element, name).onBuffer(body)
  }

  /// The element of this name; the caller releases the reference.
  package func element(_ name: String) -> UnsafeMutablePointer<GstElement>? {
    gst_bin_get_by_name(pipeline.cast(to: GstBin.self), name)
  }

  /// Sets a property from text in gst-launch syntax.
  package func set(_ element: String, _ property: String, _ value: String) {
    pipeline[element]?.set(property, value)
  }

  /// A property of an element, serialised by GStreamer; empty if the property does not exist.
  package func value(_ element: String, _ property: String) -> String {
    pipeline[element]?.text(property) ?? ""
  }

  /// Sends EOS to the sources; for any thread.
  package func end() { gst_element_send_event(raw, gst_event_new_eos()) }

  @discardableResult
  package func setState(_ state: GstState) -> GstStateChangeReturn {
    gst_element_set_state(raw, state)
  }

  /// The GstElement of the pipeline.
  package var raw: UnsafeMutablePointer<GstElement> { pipeline.raw }

  /// Plays to the end of the stream; throws an error of the bus, or if the stream does not end (see
  /// `wait`).
  package func run(seconds: UInt64 = 60) throws {
    setState(GST_STATE_PLAYING)
    defer { setState(GST_STATE_NULL) }
    try wait(seconds: seconds)
  }

  /// Plays until the end of the stream and returns what `read` makes, on the streaming thread, of
  /// each buffer that reaches `pad` of `element`.
  package func collect<Value>(
    at element: String = "sink", pad: String = "sink",
    _ read: @escaping (UnsafeMutablePointer<GstBuffer>) -> Value
  ) throws -> [Value] {
    var values: [Value] = []
    try watch(element, pad: pad) { values.append(read($0)) }
    try run()
    return values
  }

  /// Plays until the end of the stream and returns the frames that reach `pad` of `element`.
  package func frames(at element: String = "sink", pad: String = "sink") throws -> [CapturedFrame] {
    try collect(at: element, pad: pad) { CapturedFrame($0) }
  }

  /// Handles messages until the end of the stream.
  ///
  /// Throws if the position does not change for `seconds`, or after ten times that duration. The
  /// limit is not one of the total time, since tests run in parallel and share the machine.
  package func wait(seconds: UInt64 = 60) throws {
    let patience = gint64(seconds) * 1_000_000
    var deadline = g_get_monotonic_time() + patience
    let end = deadline + 9 * patience
    var last = -1
    while true {
      if g_get_monotonic_time() >= deadline {
        let position = pipeline.position
        guard position != last, deadline < end else { break }
        last = position
        deadline += patience
      }
      switch pipeline.nextMessage(milliseconds: 100, withPosted: true) {
      case .endOfStream: return
      case .error(let report): throw Failure(description: report.text, detail: report.detail)
      case .warning(let report):
        warnings.append(report.text)
        onWarning(report.text)
      case .posted(let structure): messages.append(structure.text)
      case nil: break
      }
    }
    throw Failure(description: "no end of stream after \(seconds) s")
  }
}
