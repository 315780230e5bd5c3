import CGTK4
import Files
import Programs
import Studio

/// The window's bar: what is shown on its left, what is done with it on its right.
final class Header {
  let widget = Widget(gtk_header_bar_new())
  private let subtitle = Widget.label("").styled("caption", "dim-label")
  private let compare: Widget
  private let record: Widget
  private let camera: Widget
  private var isTold = false

  init(_ window: MainWindow) {
    let title = Widget.label("Mien Studio").styled("title")
    gtk_label_set_xalign(title.opaque, 0.5)
    gtk_label_set_xalign(subtitle.opaque, 0.5)
    gtk_label_set_ellipsize(subtitle.opaque, PANGO_ELLIPSIZE_MIDDLE)
    let titles = Widget.box(GTK_ORIENTATION_VERTICAL, 0, title, subtitle)
    gtk_widget_set_valign(titles.raw, GTK_ALIGN_CENTER)
    gtk_header_bar_set_title_widget(widget.opaque, titles.raw)

    let open = Widget.button(tr("_Open")) { [unowned window] in window.chooseFile() }
    open.explained(tr("Open a picture or film (Ctrl+O)"))
    let cameras = Widget.button(icon: "camera-web-symbolic", tr("Show the camera")) {
      [unowned window] in window.showCamera()
    }
    let photograph = Widget.button(icon: "image-x-generic-symbolic", tr("Show the photograph")) {
      [unowned window] in window.showPhotograph()
    }
    compare = Widget(gtk_toggle_button_new()).leavingFocus()
    gtk_button_set_icon_name(compare.of(GtkButton.self), "view-dual-symbolic")
    compare.named(tr("Before")).explained(tr("Show the picture as it came (hold the space bar)"))
    for button in [open, cameras, photograph, compare] {
      gtk_header_bar_pack_start(widget.opaque, button.raw)
    }

    record = Widget(gtk_toggle_button_new()).leavingFocus()
    gtk_button_set_icon_name(record.of(GtkButton.self), "media-record-symbolic")
    record.named(tr("Record")).explained(tr("Record a film (Ctrl+R)"))
    camera = Widget(gtk_toggle_button_new()).leavingFocus()
    gtk_button_set_icon_name(camera.of(GtkButton.self), "camera-video-symbolic")
    let snapshot = Widget.button(icon: "camera-photo-symbolic", tr("Take a snapshot (Ctrl+S)")) {
      [unowned window] in window.snapshot()
    }
    let line = Widget.button(icon: "edit-copy-symbolic", tr("Copy as gst-launch line (Ctrl+C)")) {
      [unowned window] in window.copyLine()
    }
    let dark = Widget.button(icon: "weather-clear-night-symbolic", tr("Light or dark (Ctrl+D)")) {
      Style.isDark.toggle()
    }
    for button in [dark, line, camera, snapshot, record] {
      gtk_header_bar_pack_end(widget.opaque, button.raw)
    }
    tellCamera()
    compare.on("toggled") { [unowned self, unowned window] in
      if !isTold { window.compare(compare.isDown) }
    }
    record.on("toggled") { [unowned self, unowned window] in
      if !isTold { window.record(record.isDown) }
    }
    camera.on("toggled") { [unowned self, unowned window] in
      if !isTold { window.beCamera(camera.isDown) }
    }
  }

  /// Whether this machine can have a virtual camera, and what it lacks else.
  private func tellCamera() {
    let can = VirtualCamera.words != nil
    camera.isSensitive = can
    let text =
      can
      ? tr("Be a camera for other programs")
      : tr("For a virtual camera, install gstreamer1.0-pipewire or v4l2loopback-dkms")
    camera.named(tr("Virtual camera")).explained(text)
  }

  func tell(_ origin: Origin) {
    subtitle.say(
      {
        switch origin {
        case .photograph: tr("Photograph: NASA")
        case .picture(let path), .film(let path), .camera(let path):
          Terminal.shown(path.split.name)
        }
      }())
  }

  private func tell(_ button: Widget, _ isDown: Bool) {
    isTold = true
    button.isDown = isDown
    isTold = false
  }

  func tell(isComparing: Bool) { tell(compare, isComparing) }

  func tell(isCamera: Bool) { tell(camera, isCamera) }

  func tell(isRecording: Bool) {
    tell(record, isRecording)
    if isRecording {
      record.styled("recording")
    } else {
      gtk_widget_remove_css_class(record.raw, "recording")
    }
  }
}
