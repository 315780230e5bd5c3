import CGTK4
import Studio

/// The pause button, the position and the seek bar of a film.
final class FilmBar {
  let widget: Widget
  private let button: Widget
  private let scale = Widget(gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 1, 0.01))
  private let label = Widget.label("").withCSSClasses("caption", "numeric")
  private var isUpdating = false
  /// Called when the user pauses the film or plays it.
  var onPause: (Bool) -> Void = { _ in }
  /// Called when the user goes to another place, in seconds.
  var onSeek: (Double) -> Void = { _ in }

  init() {
    button = Widget.toggle(icon: "media-playback-pause-symbolic", tr("Pause the film"))
      .withCSSClasses("flat")
    gtk_scale_set_draw_value(scale.cast(to: GtkScale.self), 0)
    scale.withAccessibleLabel(tr("Position in the film")).ignoringScroll().expanding(across: true)
    gtk_widget_set_focus_on_click(scale.raw, 0)
    widget = Widget.box(GTK_ORIENTATION_HORIZONTAL, 6, button, scale, label)
      .withCSSClasses("film").margins(12, 8)
    widget.isVisible = false
    button.on("toggled") { [unowned self] in if !isUpdating { onPause(button.isDown) } }
    scale.on("value-changed") { [unowned self] in
      if !isUpdating { onSeek(gtk_range_get_value(scale.cast(to: GtkRange.self))) }
    }
  }

  /// Shows where a film stands, in seconds; nil hides the bar.
  func update(_ film: (position: Double, duration: Double, isPaused: Bool)?) {
    widget.isVisible = film != nil
    guard let film else { return }
    isUpdating = true
    defer { isUpdating = false }
    button.isDown = film.isPaused
    let name = film.isPaused ? tr("Play the film (Ctrl+P)") : tr("Pause the film (Ctrl+P)")
    button.withAccessibleLabel(name).withTooltip(name)
    gtk_button_set_icon_name(
      button.cast(to: GtkButton.self),
      film.isPaused ? "media-playback-start-symbolic" : "media-playback-pause-symbolic")
    scale.isSensitive = film.duration > 0
    let range = scale.cast(to: GtkRange.self)
    gtk_range_set_range(range, 0, max(film.duration, 0.1))
    // The arrow keys go on by 5 seconds.
    gtk_range_set_increments(range, 5, 30)
    gtk_range_set_value(range, min(film.position, film.duration))
    label.setText(
      PlayingTime.text(seconds: film.position)
        + (film.duration > 0 ? " / " + PlayingTime.text(seconds: film.duration) : ""))
  }
}

/// The time and the size of a running recording, over the picture.
final class RecordingBar {
  let widget: Widget
  private let label = Widget.label("").withCSSClasses("numeric")

  init() {
    let icon = Widget.icon("media-record-symbolic").withCSSClasses("recording")
    widget = Widget.box(GTK_ORIENTATION_HORIZONTAL, 8, icon, label).withCSSClasses("notice")
      .margins(12)
    gtk_widget_set_halign(widget.raw, GTK_ALIGN_START)
    gtk_widget_set_valign(widget.raw, GTK_ALIGN_START)
    widget.isVisible = false
  }

  /// Shows seconds and bytes; nil hides it.
  func update(_ recording: (seconds: Double, bytes: Int)?) {
    widget.isVisible = recording != nil
    guard let recording else { return }
    let size = g_format_size(guint64(max(0, recording.bytes)))
    defer { g_free(size) }
    label.setText(
      PlayingTime.text(seconds: recording.seconds) + "   "
        + (size.map { String(cString: $0) } ?? ""))
  }
}
