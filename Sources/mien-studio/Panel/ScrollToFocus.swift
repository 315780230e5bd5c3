import CGTK4
import Client

/// Keys for a control that was scrolled out of sight: the first one brings it back.
///
/// Otherwise the list of a drop-down control would open outside the window, or of the screen.
enum ScrollToFocus {
  static func listen(on scrolled: Widget) {
    guard let keys = gtk_event_controller_key_new() else { return }
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
    let raw = scrolled.raw
    Signal.connectKey(UnsafeMutableRawPointer(keys), "key-pressed") { key, _ in
      [guint(GDK_KEY_Return), guint(GDK_KEY_KP_Enter), guint(GDK_KEY_space)].contains(key)
        && scroll(raw)
    }
    gtk_widget_add_controller(raw, keys)
  }

  /// Scrolls to the control that has the focus; false if a part of it is in sight.
  private static func scroll(_ scrolled: UnsafeMutablePointer<GtkWidget>) -> Bool {
    let pointer = UnsafeMutableRawPointer(scrolled)
    var bounds = graphene_rect_t()
    guard let root = gtk_widget_get_root(scrolled), let focus = gtk_root_get_focus(root),
      gtk_widget_compute_bounds(focus, scrolled, &bounds) != 0,
      let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(pointer))
    else { return false }
    let (top, height) = (Double(bounds.origin.y), Double(bounds.size.height))
    let page = gtk_adjustment_get_page_size(adjustment)
    guard top + height <= 0 || top >= page else { return false }
    let distance = top + (min(height, page) - page) / 2
    gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + distance)
    return true
  }
}
