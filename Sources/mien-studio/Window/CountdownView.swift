import CGTK4
import Programs
import Studio

/// The seconds before a recording or a still, over the picture.
final class CountdownView {
  let widget = Widget.label("").withCSSClasses("countdown", "numeric")
  private var number = 0
  private var onCancel: (() -> Void)?

  init() {
    gtk_widget_set_halign(widget.raw, GTK_ALIGN_CENTER)
    gtk_widget_set_valign(widget.raw, GTK_ALIGN_CENTER)
    gtk_widget_set_can_target(widget.raw, 0)
    widget.isVisible = false
  }

  var isRunning: Bool { onCancel != nil }

  /// Calls `end` after some seconds, or `cancel` where the user changes his mind; at once for 0.
  func run(seconds: Int, cancel: @escaping () -> Void, end: @escaping () -> Void) {
    self.cancel()
    guard seconds > 0 else { return end() }
    let countdown = Countdown(seconds: seconds, from: MonotonicClock.seconds)
    onCancel = cancel
    number += 1
    let number = number
    widget.setText("\(seconds)")
    widget.isVisible = true
    MainLoop.schedule(milliseconds: 100) { [weak self] in
      guard let self, number == self.number else { return false }
      let remaining = countdown.remaining(at: MonotonicClock.seconds)
      guard remaining == 0 else {
        widget.setText("\(remaining)")
        return true
      }
      stop()
      end()
      return false
    }
  }

  func cancel() {
    let body = onCancel
    stop()
    body?()
  }

  private func stop() {
    onCancel = nil
    number += 1
    widget.isVisible = false
  }
}
