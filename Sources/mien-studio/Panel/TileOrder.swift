import CGStreamer
import CGTK4
import Client
import Studio

/// Changes of the order of the tiles, which is that of the elements, by dragging and by keys.
enum TileOrder {
  /// `handle`: the part of the tile that is dragged.
  static func listen(
    on tile: Widget, handle: Widget, _ kind: ElementKind, _ actions: ElementTile.Actions
  ) {
    listenToKeys(tile) { actions.step(kind, $0) }
    offerDrag(handle, kind, tile)
    acceptDrops(on: tile) { name in
      guard let dragged = ElementKind(rawValue: name), dragged != kind else { return }
      actions.move(dragged, kind)
    }
  }

  private static func listenToKeys(_ tile: Widget, _ body: @escaping (_ isUp: Bool) -> Void) {
    guard let keys = gtk_event_controller_key_new() else { return }
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
    Signal.connectKey(UnsafeMutableRawPointer(keys), "key-pressed") { key, state in
      guard state.rawValue & GDK_ALT_MASK.rawValue != 0,
        key == guint(GDK_KEY_Up) || key == guint(GDK_KEY_Down)
      else { return false }
      body(key == guint(GDK_KEY_Up))
      return true
    }
    gtk_widget_add_controller(tile.raw, keys)
  }

  private static func offerDrag(_ handle: Widget, _ kind: ElementKind, _ tile: Widget) {
    guard let source = gtk_drag_source_new() else { return }
    gtk_drag_source_set_actions(source, GDK_ACTION_MOVE)
    typealias Body = () -> OpaquePointer?
    let callback: @convention(c) (gpointer?, gdouble, gdouble, gpointer?) -> OpaquePointer? = {
      source, _, _, user in
      if let tile = gtk_event_controller_get_widget(OpaquePointer(source)) {
        let picture = gtk_widget_paintable_new(tile)
        gtk_drag_source_set_icon(OpaquePointer(source), picture, 0, 0)
        g_object_unref(UnsafeMutableRawPointer(picture!))
      }
      return Box<Body>.content(user)()
    }
    let box = Box<Body> {
      var value = GValue()
      g_value_init(&value, cgst_type_string)
      g_value_set_string(&value, kind.rawValue)
      defer { g_value_unset(&value) }
      return gdk_content_provider_new_for_value(&value).map { OpaquePointer($0) }
    }
    Signal.connect(
      UnsafeMutableRawPointer(source), "prepare", unsafeBitCast(callback, to: GCallback.self), box)
    gtk_widget_add_controller(handle.raw, source)
  }

  private static func acceptDrops(on tile: Widget, _ body: @escaping (String) -> Void) {
    guard let target = gtk_drop_target_new(cgst_type_string, GDK_ACTION_MOVE) else { return }
    typealias Body = (String) -> Void
    let callback:
      @convention(c) (gpointer?, UnsafePointer<GValue>?, gdouble, gdouble, gpointer?) -> gboolean =
        { _, value, _, _, user in
          guard let value, let text = g_value_get_string(value) else { return 0 }
          Box<Body>.content(user)(String(cString: text))
          return 1
        }
    Signal.connect(
      UnsafeMutableRawPointer(target), "drop", unsafeBitCast(callback, to: GCallback.self),
      Box<Body> { name in
        // The drag ends first: its source may move.
        MainLoop.dispatch { body(name) }
      })
    gtk_widget_add_controller(tile.raw, target)
  }
}
