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
  private let cameras: Widget
  private let sound: Widget
  private let microphone: Widget
  private var menu: Widget?
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
    cameras = Widget.button(icon: "camera-web-symbolic", tr("Show the camera")) {
      [unowned window] in window.showCamera()
    }
    let photograph = Widget.button(icon: "image-x-generic-symbolic", tr("Show the photograph")) {
      [unowned window] in window.showPhotograph()
    }
    compare = Widget.toggle(icon: "view-dual-symbolic", tr("Before"))
    compare.explained(tr("Show the picture as it came (hold the space bar)"))
    sound = Widget.toggle(icon: "audio-volume-high-symbolic", tr("Mute"))
    microphone = Widget.toggle(icon: "audio-input-microphone-symbolic", tr("Microphone"))
    for button in [open, cameras, photograph, compare, sound] {
      gtk_header_bar_pack_start(widget.opaque, button.raw)
    }

    record = Widget.toggle(icon: "media-record-symbolic", tr("Record"))
    record.explained(tr("Record a film (Ctrl+R)"))
    camera = Widget.toggle(icon: "camera-video-symbolic", tr("Virtual camera"))
    let snapshot = Widget.button(icon: "camera-photo-symbolic", tr("Take a snapshot (Ctrl+S)")) {
      [unowned window] in window.snapshot()
    }
    let line = Widget.button(icon: "edit-copy-symbolic", tr("Copy as gst-launch line (Ctrl+C)")) {
      [unowned window] in window.copyLine()
    }
    let dark = Widget.button(icon: "weather-clear-night-symbolic", tr("Light or dark (Ctrl+D)")) {
      Style.isDark.toggle()
    }
    for button in [dark, line, camera, snapshot, microphone, record] {
      gtk_header_bar_pack_end(widget.opaque, button.raw)
    }
    microphone.explained(
      tr("Record the microphone too, where no film is heard; without this it stays closed"))
    tell(hasSound: false, isHeard: false, isMuted: false)
    tellCamera()
    compare.on("toggled") { [unowned self, unowned window] in
      if !isTold { window.compare(compare.isDown) }
    }
    record.on("toggled") { [unowned self, unowned window] in
      if !isTold { window.record(record.isDown) }
    }
    sound.on("toggled") { [unowned self, unowned window] in
      if !isTold { window.mute(sound.isDown) }
    }
    microphone.on("toggled") { [unowned self, unowned window] in
      if !isTold { window.listen(microphone.isDown) }
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
    camera.explained(text)
  }

  func tell(_ origin: Origin) {
    subtitle.say(
      {
        switch origin {
        case .photograph: tr("Photograph: NASA")
        case .picture(let path), .film(let path): Terminal.shown(path.split.name)
        case .camera(let camera): camera.name
        }
      }())
  }

  private func tell(_ button: Widget, _ isDown: Bool) {
    isTold = true
    button.isDown = isDown
    isTold = false
  }

  /// A list of cameras, under their button.
  func offer(_ list: [Camera], _ body: @escaping (Camera) -> Void) {
    closeMenu()
    let popover = Widget(gtk_popover_new()).named(tr("Cameras"))
    let inside = Widget.box(GTK_ORIENTATION_VERTICAL, 2)
    for camera in list {
      let button = Widget(gtk_button_new_with_label(camera.name)).styled("flat")
      button.on("clicked") { [unowned self] in
        closeMenu()
        body(camera)
      }
      inside.append(button)
    }
    gtk_popover_set_child(popover.of(GtkPopover.self), inside.raw)
    gtk_widget_set_parent(popover.raw, cameras.raw)
    menu = popover
    gtk_popover_popup(popover.of(GtkPopover.self))
  }

  /// No widget may go while another hangs on it.
  func closeMenu() {
    guard let popover = menu else { return }
    menu = nil
    gtk_popover_popdown(popover.of(GtkPopover.self))
    // One of its own buttons may be what was clicked.
    MainLoop.soon { gtk_widget_unparent(popover.raw) }
  }

  /// Whether what is shown has sound, and somebody could hear it.
  func tell(hasSound: Bool, isHeard: Bool, isMuted: Bool) {
    tell(sound, isMuted)
    sound.isSensitive = isHeard
    let icon = isMuted || !isHeard ? "audio-volume-muted-symbolic" : "audio-volume-high-symbolic"
    gtk_button_set_icon_name(sound.of(GtkButton.self), icon)
    sound.explained(
      isHeard
        ? tr("Mute the film (Ctrl+M)")
        : hasSound ? tr("There is no loudspeaker") : tr("There is nothing to be heard"))
  }

  func tell(isListening: Bool) { tell(microphone, isListening) }

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
