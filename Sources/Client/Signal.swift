package import CGStreamer
import CJSONGLib

/// Closures as handlers of GObject signals.
///
/// An object keeps its handlers as long as it lives.
package enum Signal {
  /// Connects a C function, which gets `closure` as its user data.
  package static func connect(
    _ object: UnsafeMutableRawPointer, _ signal: String, _ callback: GCallback, _ closure: AnyObject
  ) {
    g_signal_connect_data(
      object, signal, callback, Unmanaged.passRetained(closure).toOpaque(),
      { user, _ in releaseBox(user) }, GConnectFlags(rawValue: 0))
  }

  /// Connects a signal without arguments.
  package static func connect(
    _ object: UnsafeMutableRawPointer, _ signal: String, _ body: @escaping () -> Void
  ) {
    let callback: @convention(c) (gpointer?, gpointer?) -> Void = { _, user in
      Box<() -> Void>.content(user)()
    }
    connect(object, signal, unsafeBitCast(callback, to: GCallback.self), Box(body))
  }

  /// Connects "notify::PROPERTY", or another signal with one argument, which is not passed on.
  package static func connectIgnoringArgument(
    _ object: UnsafeMutableRawPointer, _ signal: String, _ body: @escaping () -> Void
  ) {
    let callback: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, _, user in
      Box<() -> Void>.content(user)()
    }
    connect(object, signal, unsafeBitCast(callback, to: GCallback.self), Box(body))
  }
}

/// Signals of the elements that decode. Handlers run on streaming threads.
extension Element {
  /// Signals without arguments, as "no-more-pads".
  package func on(_ signal: String, _ body: @escaping () -> Void) {
    Signal.connect(raw, signal, body)
  }

  /// "pad-added".
  package func onPad(_ signal: String, _ body: @escaping (Pad) -> Void) {
    let callback: @convention(c) (gpointer?, UnsafeMutablePointer<GstPad>?, gpointer?) -> Void = {
      _, pad, user in Box<(Pad) -> Void>.content(user)(Pad(pad!))
    }
    Signal.connect(raw, signal, unsafeBitCast(callback, to: GCallback.self), Box(body))
  }

  /// "source-setup" and "element-added".
  package func onElement(_ signal: String, _ body: @escaping (Element) -> Void) {
    let callback: @convention(c) (gpointer?, UnsafeMutablePointer<GstElement>?, gpointer?) -> Void =
      { _, element, user in Box<(Element) -> Void>.content(user)(Element(element!)) }
    Signal.connect(raw, signal, unsafeBitCast(callback, to: GCallback.self), Box(body))
  }

  /// "handoff" of a fakesink with signal-handoffs: each buffer, when its time has come.
  package func onHandoff(_ body: @escaping (UnsafeMutablePointer<GstBuffer>) -> Void) {
    typealias Body = (UnsafeMutablePointer<GstBuffer>) -> Void
    let callback:
      @convention(c) (gpointer?, UnsafeMutablePointer<GstBuffer>?, gpointer?, gpointer?) -> Void = {
        _, buffer, _, user in Box<Body>.content(user)(buffer!)
      }
    Signal.connect(raw, "handoff", unsafeBitCast(callback, to: GCallback.self), Box(body))
  }

  /// "deep-element-added": each element that is added to the bin, or to a bin in it.
  package func onDeepElementAdded(_ body: @escaping (Element) -> Void) {
    let callback:
      @convention(c) (gpointer?, gpointer?, UnsafeMutablePointer<GstElement>?, gpointer?) -> Void =
        { _, _, element, user in Box<(Element) -> Void>.content(user)(Element(element!)) }
    Signal.connect(
      raw, "deep-element-added", unsafeBitCast(callback, to: GCallback.self), Box(body))
  }

  /// "autoplug-continue", which the result of `body` answers, and "unknown-type".
  package func onCaps(
    _ signal: String, _ body: @escaping (UnsafeMutablePointer<GstCaps>) -> Bool
  ) {
    typealias Body = (UnsafeMutablePointer<GstCaps>) -> Bool
    let callback:
      @convention(c) (gpointer?, gpointer?, UnsafeMutablePointer<GstCaps>?, gpointer?) -> gboolean =
        { _, _, caps, user in Box<Body>.content(user)(caps!) ? 1 : 0 }
    Signal.connect(raw, signal, unsafeBitCast(callback, to: GCallback.self), Box(body))
  }

  /// The same with the media type; "autoplug-continue" is answered with true.
  package func onMediaType(_ signal: String, _ body: @escaping (String) -> Void) {
    onCaps(signal) { caps in
      let structure = gst_caps_get_structure(caps, 0)
      body(structure.map { String(cString: gst_structure_get_name($0)) } ?? "")
      return true
    }
  }
}
