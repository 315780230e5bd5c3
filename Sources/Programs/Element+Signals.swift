import CGStreamer

/// Signals of the elements that decode, each with its own shape of callback. Called on streaming
/// threads; the closures live as long as the element.
extension Element {
  /// "no-more-pads" and the like, which bring nothing along.
  package func on(_ signal: String, _ body: @escaping () -> Void) {
    let callback: @convention(c) (gpointer?, gpointer?) -> Void = { _, user in
      Unmanaged<Box<() -> Void>>.fromOpaque(user!).takeUnretainedValue().content()
    }
    connect(signal, unsafeBitCast(callback, to: GCallback.self), Box(body))
  }

  /// "pad-added".
  package func onPad(_ signal: String, _ body: @escaping (Pad) -> Void) {
    let callback: @convention(c) (gpointer?, UnsafeMutablePointer<GstPad>?, gpointer?) -> Void = {
      _, pad, user in
      Unmanaged<Box<(Pad) -> Void>>.fromOpaque(user!).takeUnretainedValue().content(Pad(pad!))
    }
    connect(signal, unsafeBitCast(callback, to: GCallback.self), Box(body))
  }

  /// "source-setup".
  package func onElement(_ signal: String, _ body: @escaping (Element) -> Void) {
    let callback: @convention(c) (gpointer?, UnsafeMutablePointer<GstElement>?, gpointer?) -> Void =
      {
        _, element, user in
        Unmanaged<Box<(Element) -> Void>>.fromOpaque(user!).takeUnretainedValue()
          .content(Element(element!))
      }
    connect(signal, unsafeBitCast(callback, to: GCallback.self), Box(body))
  }

  /// "deep-element-added": every element that is made, in whatever bin.
  package func onElementInside(_ body: @escaping (Element) -> Void) {
    let callback:
      @convention(c) (gpointer?, gpointer?, UnsafeMutablePointer<GstElement>?, gpointer?) -> Void =
        {
          _, _, element, user in
          Unmanaged<Box<(Element) -> Void>>.fromOpaque(user!).takeUnretainedValue()
            .content(Element(element!))
        }
    connect("deep-element-added", unsafeBitCast(callback, to: GCallback.self), Box(body))
  }

  /// "unknown-type", and "autoplug-continue", which is always told to go on: the media type.
  package func onType(_ signal: String, _ body: @escaping (String) -> Void) {
    let callback:
      @convention(c) (gpointer?, gpointer?, UnsafeMutablePointer<GstCaps>?, gpointer?) -> gboolean =
        {
          _, _, caps, user in
          Unmanaged<Box<(String) -> Void>>.fromOpaque(user!).takeUnretainedValue()
            .content(MediaType.name(caps!))
          return 1
        }
    connect(signal, unsafeBitCast(callback, to: GCallback.self), Box(body))
  }

  private func connect(_ signal: String, _ callback: GCallback, _ body: AnyObject) {
    g_signal_connect_data(
      raw, signal, callback, Unmanaged.passRetained(body).toOpaque(),
      { user, _ in Unmanaged<AnyObject>.fromOpaque(user!).release() }, GConnectFlags(rawValue: 0))
  }
}
