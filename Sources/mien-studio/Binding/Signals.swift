import CGTK4
import Client

/// Signals of GTK.
extension Signal {
  /// "key-pressed" and "key-released"; an event that is handled is not propagated.
  static func connectKey(
    _ object: UnsafeMutableRawPointer, _ signal: String,
    _ body: @escaping (_ key: guint, _ state: GdkModifierType) -> Bool
  ) {
    typealias Body = (guint, GdkModifierType) -> Bool
    let callback: @convention(c) (gpointer?, guint, guint, GdkModifierType, gpointer?) -> gboolean =
      {
        _, key, _, state, user in
        Box<Body>.content(user)(key, state) ? 1 : 0
      }
    connect(object, signal, unsafeBitCast(callback, to: GCallback.self), Box(body))
  }

  /// "pressed" and "released" of a click.
  static func connectClick(
    _ object: UnsafeMutableRawPointer, _ signal: String,
    _ body: @escaping (_ x: Double, _ y: Double) -> Void
  ) {
    typealias Body = (Double, Double) -> Void
    let callback: @convention(c) (gpointer?, gint, gdouble, gdouble, gpointer?) -> Void = {
      _, _, x, y, user in
      Box<Body>.content(user)(x, y)
    }
    connect(object, signal, unsafeBitCast(callback, to: GCallback.self), Box(body))
  }
}

extension Widget {
  func on(_ signal: String, _ body: @escaping () -> Void) { Signal.connect(raw, signal, body) }

  /// Calls `body` when a property of the widget changes.
  func onChange(of property: String, _ body: @escaping () -> Void) {
    Signal.connectIgnoringArgument(raw, "notify::" + property, body)
  }
}

/// Work on the main thread.
enum MainLoop {
  /// Calls `body` on the main thread; for any thread.
  static func dispatch(_ body: @escaping () -> Void) {
    g_idle_add_full(
      G_PRIORITY_DEFAULT,
      { user in
        Box<() -> Void>.content(user)()
        return 0
      }, Box.retained(body),
      releaseBox)
  }

  /// Calls `body` every `milliseconds` on the main thread, as long as it returns true.
  static func schedule(milliseconds: Int, _ body: @escaping () -> Bool) {
    g_timeout_add_full(
      G_PRIORITY_DEFAULT, guint(milliseconds),
      { user in
        Box<() -> Bool>.content(user)() ? 1 : 0
      }, Box.retained(body),
      releaseBox)
  }
}
