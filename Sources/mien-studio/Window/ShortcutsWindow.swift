import CGTK4
import Client

/// The window of all shortcuts.
enum ShortcutsWindow {
  private static var groups: [(title: String, keys: [(key: String, text: String)])] {
    [
      (
        tr("Picture"),
        [
          ("Ctrl+O", tr("Open a picture or film")), ("Ctrl+P", tr("Pause the film, or play it")),
          ("Ctrl+← Ctrl+→", tr("Five seconds back, or on")),
          (tr("Space"), tr("Show the picture as it came, while held")),
          ("Ctrl+M", tr("Mute the film")), ("Ctrl+H", tr("Mirror the view")),
        ]
      ),
      (
        tr("Effects"),
        [
          ("1 … 9", tr("Select from the shelf; two digits above nine")),
          ("0", tr("Select none")),
          ("Ctrl+F", tr("Mark as a favourite, which comes first")),
          ("Alt+↑ Alt+↓", tr("Move the effect over or under another one")),
          ("Ctrl+Z", tr("Undo")), ("Ctrl+Shift+Z", tr("Redo")),
          ("Ctrl+C", tr("Copy as gst-launch line")),
        ]
      ),
      (
        tr("Results"),
        [
          ("S  Ctrl+S", tr("Take a snapshot")), ("R  Ctrl+R", tr("Record a film")),
          ("Ctrl+A", tr("Animate an avatar")),
        ]
      ),
      (
        tr("Window"),
        [
          ("Tab", tr("Next control")), ("Esc", tr("Back to the picture")),
          ("F9", tr("Show or hide the effects")),
          ("Ctrl+D", tr("Light or dark")), ("F1", tr("Shortcuts")), ("Ctrl+Q", tr("Close")),
        ]
      ),
    ]
  }

  /// Opens it over the window; Escape closes it.
  static func show(_ parent: UnsafeMutablePointer<GtkWindow>) {
    let columns = Widget.box(GTK_ORIENTATION_HORIZONTAL, 36).margins(24)
    let (left, right) = (
      Widget.box(GTK_ORIENTATION_VERTICAL, 6), Widget.box(GTK_ORIENTATION_VERTICAL, 6)
    )
    columns.append(left)
    columns.append(right)
    for (place, group) in groups.enumerated() {
      let column = place % 2 == 0 ? left : right
      column.append(Widget.label(group.title).withCSSClasses("heading").margins(0, 6))
      for item in group.keys {
        let key = Widget.label(item.key).withCSSClasses("keycap")
        gtk_widget_set_size_request(key.raw, 110, -1)
        gtk_label_set_xalign(key.opaque, 0.5)
        column.append(
          Widget.box(GTK_ORIENTATION_HORIZONTAL, 12, key, Widget.label(item.text)))
      }
    }
    let widget = Widget(gtk_window_new())
    let window = widget.cast(to: GtkWindow.self)
    gtk_window_set_title(window, tr("Shortcuts"))
    gtk_window_set_child(window, columns.raw)
    gtk_window_set_transient_for(window, parent)
    gtk_window_set_modal(window, 1)
    gtk_window_set_destroy_with_parent(window, 1)
    if let keys = gtk_event_controller_key_new() {
      Signal.connectKey(UnsafeMutableRawPointer(keys), "key-pressed") { key, _ in
        guard key == guint(GDK_KEY_Escape) else { return false }
        MainLoop.dispatch { gtk_window_destroy(window) }
        return true
      }
      gtk_widget_add_controller(widget.raw, keys)
    }
    gtk_window_present(window)
  }
}

/// The window about the program.
enum AboutWindow {
  static func show(_ parent: UnsafeMutablePointer<GtkWindow>, version: String) {
    guard let raw = gtk_about_dialog_new() else { return }
    let widget = Widget(raw)
    let dialog = widget.opaque
    gtk_about_dialog_set_program_name(dialog, "Mien Studio")
    gtk_about_dialog_set_version(dialog, version)
    gtk_about_dialog_set_logo_icon_name(dialog, "org.mien.Studio")
    gtk_about_dialog_set_comments(
      dialog,
      tr(
        "Stickers, retouching and other backgrounds for cameras and films. Nothing leaves the machine."
      ))
    gtk_about_dialog_set_license_type(dialog, GTK_LICENSE_MIT_X11)
    let window = widget.cast(to: GtkWindow.self)
    gtk_window_set_transient_for(window, parent)
    gtk_window_set_modal(window, 1)
    gtk_window_present(window)
  }
}
