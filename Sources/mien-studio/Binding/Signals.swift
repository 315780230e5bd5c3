import CGTK4
import Programs

/// Closures as GObject calls them; they live as long as the object.
enum Signal {
  static func connect(
    _ object: UnsafeMutableRawPointer, _ signal: String, _ callback: GCallback, _ box: AnyObject
  ) {
    g_signal_connect_data(
      object, signal, callback, Unmanaged.passRetained(box).toOpaque(),
      { user, _ in Unmanaged<AnyObject>.fromOpaque(user!).release() }, GConnectFlags(rawValue: 0))
  }

  /// A signal that brings nothing along.
  static func on(
    _ object: UnsafeMutableRawPointer, _ signal: String, _ body: @escaping () -> Void
  ) {
    let callback: @convention(c) (gpointer?, gpointer?) -> Void = { _, user in
      Unmanaged<Box<() -> Void>>.fromOpaque(user!).takeUnretainedValue().content()
    }
    connect(object, signal, unsafeBitCast(callback, to: GCallback.self), Box(body))
  }

  /// "notify::x" and other signals that bring one thing along, which is not looked at.
  static func onOne(
    _ object: UnsafeMutableRawPointer, _ signal: String, _ body: @escaping () -> Void
  ) {
    let callback: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, _, user in
      Unmanaged<Box<() -> Void>>.fromOpaque(user!).takeUnretainedValue().content()
    }
    connect(object, signal, unsafeBitCast(callback, to: GCallback.self), Box(body))
  }

  /// "key-pressed" and "key-released"; what is handled goes no further.
  static func onKey(
    _ object: UnsafeMutableRawPointer, _ signal: String,
    _ body: @escaping (_ key: guint, _ state: GdkModifierType) -> Bool
  ) {
    typealias Body = (guint, GdkModifierType) -> Bool
    let callback: @convention(c) (gpointer?, guint, guint, GdkModifierType, gpointer?) -> gboolean =
      {
        _, key, _, state, user in
        Unmanaged<Box<Body>>.fromOpaque(user!).takeUnretainedValue().content(key, state) ? 1 : 0
      }
    connect(object, signal, unsafeBitCast(callback, to: GCallback.self), Box(body))
  }

  /// "pressed" and "released" of a click.
  static func onClick(
    _ object: UnsafeMutableRawPointer, _ signal: String,
    _ body: @escaping (_ x: Double, _ y: Double) -> Void
  ) {
    typealias Body = (Double, Double) -> Void
    let callback: @convention(c) (gpointer?, gint, gdouble, gdouble, gpointer?) -> Void = {
      _, _, x, y, user in
      Unmanaged<Box<Body>>.fromOpaque(user!).takeUnretainedValue().content(x, y)
    }
    connect(object, signal, unsafeBitCast(callback, to: GCallback.self), Box(body))
  }
}

extension Widget {
  func on(_ signal: String, _ body: @escaping () -> Void) { Signal.on(raw, signal, body) }

  /// A property of the widget has another value.
  func onChange(of property: String, _ body: @escaping () -> Void) {
    Signal.onOne(raw, "notify::" + property, body)
  }
}

/// Work for the main thread.
enum MainLoop {
  /// Has `body` done by the main thread, soon; for any thread.
  static func soon(_ body: @escaping () -> Void) {
    g_idle_add_full(
      G_PRIORITY_DEFAULT,
      { user in
        Unmanaged<Box<() -> Void>>.fromOpaque(user!).takeUnretainedValue().content()
        return 0
      }, Unmanaged.passRetained(Box(body)).toOpaque(),
      { Unmanaged<AnyObject>.fromOpaque($0!).release() })
  }

  /// Has `body` done after so many milliseconds, and again as long as it says so.
  static func after(milliseconds: Int, _ body: @escaping () -> Bool) {
    g_timeout_add_full(
      G_PRIORITY_DEFAULT, guint(milliseconds),
      { user in
        Unmanaged<Box<() -> Bool>>.fromOpaque(user!).takeUnretainedValue().content() ? 1 : 0
      }, Unmanaged.passRetained(Box(body)).toOpaque(),
      { Unmanaged<AnyObject>.fromOpaque($0!).release() })
  }
}
