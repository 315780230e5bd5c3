import CGTK4
import Client
import Studio

/// The view of the frames.
final class VideoView {
  let widget: Widget
  private let picture: Widget
  private(set) var lateness = LatencyStatistics()
  private var last: Frame?
  /// Called with clicks, in pixels of the frame.
  var onClick: (_ x: Double, _ y: Double) -> Void = { _, _ in }

  init() {
    picture = Widget(gtk_picture_new())
    gtk_picture_set_can_shrink(picture.opaque, 1)
    gtk_picture_set_content_fit(picture.opaque, GTK_CONTENT_FIT_CONTAIN)
    // GTK 4.8 makes the alternative text the description, and leaves the name empty.
    gtk_picture_set_alternative_text(picture.opaque, tr("The picture, as it comes out"))
    picture.withAccessibleLabel(tr("The picture, as it comes out"))
    picture.expanding(across: true, down: true)
    gtk_widget_set_focusable(picture.raw, 1)
    gtk_widget_set_size_request(picture.raw, 160, 90)
    widget = picture.withCSSClasses("video")
    let click = gtk_gesture_click_new()!
    Signal.connectClick(UnsafeMutableRawPointer(click), "pressed") { [unowned self] x, y in
      gtk_widget_grab_focus(picture.raw)
      guard let last,
        let point = fit(of: (Double(last.width), Double(last.height))).picturePixel(
          (x, y), pixels: (last.width, last.height))
      else { return }
      onClick(point.x, point.y)
    }
    gtk_widget_add_controller(picture.raw, click)
  }

  /// The rectangle of a picture of this size.
  private func fit(of picture: (width: Double, height: Double)) -> AspectFit {
    AspectFit(
      picture: picture,
      view: (
        Double(gtk_widget_get_width(widget.raw)), Double(gtk_widget_get_height(widget.raw))
      ))
  }

  /// The displayed size in screen pixels; nil before the view has a size.
  func pixels(
    _ size: (pixels: (width: Int, height: Int), displayed: (width: Double, height: Double))
  ) -> (width: Int, height: Int)? {
    let fit = fit(of: size.displayed)
    guard fit.width >= 2 else { return nil }
    return fit.screenSize(scale: Int(gtk_widget_get_scale_factor(widget.raw)), maximum: size.pixels)
  }

  func show(_ frame: Frame) {
    gtk_picture_set_paintable(picture.opaque, frame.texture)
    last = frame
    lateness.add(frame.lateness)
    lateness.addDropped(frame.dropped)
  }

  func grabFocus() { gtk_widget_grab_focus(picture.raw) }
  var hasFocus: Bool { gtk_widget_has_focus(picture.raw) != 0 }
}
