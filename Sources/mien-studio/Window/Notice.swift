import CGTK4

/// A line over the picture: what went wrong and what to do next, or what was done.
final class Notice {
  let widget = Widget(gtk_revealer_new())
  private let label = Widget.label("")
  private let icon = Widget.icon("dialog-warning-symbolic")
  private var number = 0

  init() {
    gtk_label_set_wrap(label.opaque, 1)
    gtk_label_set_max_width_chars(label.opaque, 70)
    label.expanding(across: true)
    let box = Widget.box(GTK_ORIENTATION_HORIZONTAL, 10, icon, label).styled("notice")
    box.append(
      Widget.button(icon: "window-close-symbolic", tr("Close the message")) { [unowned self] in
        hide()
      }.styled("flat", "circular"))
    gtk_revealer_set_child(widget.opaque, box.raw)
    gtk_widget_set_halign(widget.raw, GTK_ALIGN_CENTER)
    gtk_widget_set_valign(widget.raw, GTK_ALIGN_START)
    widget.margins(16, 12)
  }

  /// Stays until it is closed, or something else is said.
  func complain(_ text: String) { show(text, isTrouble: true, seconds: 12) }

  /// Goes away by itself.
  func say(_ text: String) { show(text, isTrouble: false, seconds: 4) }

  /// From here on nothing is shown or hidden: its widgets go.
  func stop() { number = .min }

  func hide() { gtk_revealer_set_reveal_child(widget.opaque, 0) }

  private func show(_ text: String, isTrouble: Bool, seconds: Int) {
    guard number >= 0 else { return }
    label.say(text)
    icon.isVisible = isTrouble
    number += 1
    let number = number
    gtk_revealer_set_reveal_child(widget.opaque, 1)
    MainLoop.after(milliseconds: seconds * 1000) { [weak self] in
      if self?.number == number { self?.hide() }
      return false
    }
  }
}
