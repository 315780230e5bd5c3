import CGTK4
import Client
import Studio

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

  /// Adds an action with a state, which menus show as a mark: "true" and "false", or one of several texts.
  func addAction(_ name: String, state: String, _ body: @escaping (MainWindow, String) -> Void) {
    let isToggle = state == "true" || state == "false"
    let type = isToggle ? nil : g_variant_type_new("s")
    defer { if let type { g_variant_type_free(type) } }
    guard let action = g_simple_action_new_stateful(name, type, Self.variant(state)) else { return }
    defer { g_object_unref(UnsafeMutableRawPointer(action)) }
    typealias Body = (OpaquePointer) -> Void
    let callback: @convention(c) (gpointer?, OpaquePointer?, gpointer?) -> Void = {
      _, value, user in
      if let value { Box<Body>.content(user)(value) }
    }
    Signal.connect(
      UnsafeMutableRawPointer(action), "change-state", unsafeBitCast(callback, to: GCallback.self),
      Box<Body> { [unowned self] value in
        let text =
          isToggle
          ? (g_variant_get_boolean(value) != 0 ? "true" : "false")
          : String(cString: g_variant_get_string(value, nil))
        setState(text, of: name)
        body(self, text)
      })
    g_action_map_add_action(OpaquePointer(raw), action)
  }

  /// Shows the state of an action without calling its function.
  func setState(_ state: String, of name: String) {
    guard let action = g_action_map_lookup_action(OpaquePointer(raw), name) else { return }
    g_simple_action_set_state(action, Self.variant(state))
  }

  private static func variant(_ state: String) -> OpaquePointer? {
    switch state {
    case "true": g_variant_new_boolean(1)
    case "false": g_variant_new_boolean(0)
    default: g_variant_new_string(state)
    }
  }

  /// Mirrors the view of the shown source, or shows it as it is.
  func setMirrored(_ isMirrored: Bool) {
    guard let source = player?.source else { return }
    mirror.set(isMirrored, for: source)
    updateMirror()
  }

  func toggleMirror() {
    if let source = player?.source { setMirrored(!mirror.isMirrored(source)) }
  }

  func updateMirror() {
    guard let player else { return }
    let isMirrored = mirror.isMirrored(player.source)
    player.setMirrored(isMirrored)
    setState(isMirrored ? "true" : "false", of: "mirror")
  }
}
