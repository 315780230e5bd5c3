import CGTK4
import Client

/// Actions of the menu.
extension MainWindow {
  /// Adds an action, "win.NAME" in menus.
  func addAction(_ name: String, _ body: @escaping (MainWindow) -> Void) {
    guard let action = g_simple_action_new(name, nil) else { return }
    defer { g_object_unref(UnsafeMutableRawPointer(action)) }
    Signal.connectIgnoringArgument(UnsafeMutableRawPointer(action), "activate") {
      [unowned self] in body(self)
    }
    g_action_map_add_action(OpaquePointer(raw), action)
  }
}
