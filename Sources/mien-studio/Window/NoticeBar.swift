import CGTK4

/// A message over the lower edge of the picture, below the face.
final class NoticeBar {
  let widget = Widget(gtk_revealer_new())
  private let label = Widget.label("")
  private let icon = Widget.icon("dialog-warning-symbolic")
  private let action: Widget
  private var onAction: () -> Void = {}
  private var number = 0

  init() {
    action = Widget(gtk_button_new()).withoutFocusOnClick().withCSSClasses("flat")
    gtk_label_set_wrap(label.opaque, 1)
    gtk_label_set_wrap_mode(label.opaque, PANGO_WRAP_WORD_CHAR)
    gtk_label_set_max_width_chars(label.opaque, 70)
    label.expanding(across: true)
    let box = Widget.box(GTK_ORIENTATION_HORIZONTAL, 10, icon, label, action)
      .withCSSClasses("notice")
    box.append(
      Widget.button(icon: "window-close-symbolic", tr("Close the message")) { [unowned self] in
        hide()
      }.withCSSClasses("flat", "circular"))
    action.isVisible = false
    action.on("clicked") { [unowned self] in
      hide()
      onAction()
    }
    gtk_revealer_set_transition_type(widget.opaque, GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP)
    gtk_revealer_set_child(widget.opaque, box.raw)
    gtk_widget_set_halign(widget.raw, GTK_ALIGN_CENTER)
    widget.margins(16, 6)
  }

  /// Shows a problem for 12 seconds.
  func warn(_ text: String) { show(text, isWarning: true, seconds: 12) }

  /// Shows a success for 4 seconds.
  func inform(_ text: String) { show(text, isWarning: false, seconds: 4) }

  /// Shows a success for 8 seconds, with a button.
  func inform(_ text: String, _ button: String, _ body: @escaping () -> Void) {
    onAction = body
    gtk_button_set_label(action.cast(to: GtkButton.self), button)
    show(text, isWarning: false, seconds: 8, hasAction: true)
  }

  /// Stops all changes, before the widgets are destroyed.
  func stop() { number = .min }

  func hide() { gtk_revealer_set_reveal_child(widget.opaque, 0) }

  private func show(_ text: String, isWarning: Bool, seconds: Int, hasAction: Bool = false) {
    guard number >= 0 else { return }
    label.setText(text)
    icon.isVisible = isWarning
    action.isVisible = hasAction
    number += 1
    let number = number
    gtk_revealer_set_reveal_child(widget.opaque, 1)
    MainLoop.schedule(milliseconds: seconds * 1000) { [weak self] in
      if self?.number == number { self?.hide() }
      return false
    }
  }
}
