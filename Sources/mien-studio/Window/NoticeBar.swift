import CGTK4

/// A message over the picture.
final class NoticeBar {
  let widget = Widget(gtk_revealer_new())
  private let label = Widget.label("")
  private let icon = Widget.icon("dialog-warning-symbolic")
  private var number = 0

  init() {
    gtk_label_set_wrap(label.opaque, 1)
    gtk_label_set_max_width_chars(label.opaque, 70)
    label.expanding(across: true)
    let box = Widget.box(GTK_ORIENTATION_HORIZONTAL, 10, icon, label).withCSSClasses("notice")
    box.append(
      Widget.button(icon: "window-close-symbolic", tr("Close the message")) { [unowned self] in
        hide()
      }.withCSSClasses("flat", "circular"))
    gtk_revealer_set_child(widget.opaque, box.raw)
    gtk_widget_set_halign(widget.raw, GTK_ALIGN_CENTER)
    gtk_widget_set_valign(widget.raw, GTK_ALIGN_START)
    widget.margins(16, 12)
  }

  /// Shows a problem for 12 seconds.
  func warn(_ text: String) { show(text, isWarning: true, seconds: 12) }

  /// Shows a success for 4 seconds.
  func inform(_ text: String) { show(text, isWarning: false, seconds: 4) }

  /// Stops all changes, before the widgets are destroyed.
  func stop() { number = .min }

  func hide() { gtk_revealer_set_reveal_child(widget.opaque, 0) }

  private func show(_ text: String, isWarning: Bool, seconds: Int) {
    guard number >= 0 else { return }
    label.setText(text)
    icon.isVisible = isWarning
    number += 1
    let number = number
    gtk_revealer_set_reveal_child(widget.opaque, 1)
    MainLoop.schedule(milliseconds: seconds * 1000) { [weak self] in
      if self?.number == number { self?.hide() }
      return false
    }
  }
}
