import CGTK4
import Client
import Files
import Programs
import Studio

/// The header bar: sources on its left, outputs on its right.
final class Header {
  let widget = Widget(gtk_header_bar_new())
  private let subtitle = Widget.label("").withCSSClasses("caption", "dim-label")
  private let compare: Widget
  private let record: Widget
  private let camera: Widget
  private let avatar: Widget
  private let cameras: Widget
  private let sound: Widget
  private let microphone: Widget
  private let undo: Widget
  private let redo: Widget
  private var menu: Widget?
  /// Shows the panel in a narrow window.
  private let drawer = Widget.toggle(icon: "sidebar-show-right-symbolic", tr("Effects"))
  private let titles: Widget
  /// The buttons on both sides, and those that stay in a narrow header.
  private let start, end: [Widget]
  private let kept: [UnsafeMutablePointer<GtkWidget>]
  private var isUpdating = false

  init(_ window: MainWindow) {
    let title = Widget.label("Mien Studio").withCSSClasses("title")
    gtk_label_set_xalign(title.opaque, 0.5)
    gtk_label_set_xalign(subtitle.opaque, 0.5)
    gtk_label_set_ellipsize(subtitle.opaque, PANGO_ELLIPSIZE_MIDDLE)
    let titles = Widget.box(GTK_ORIENTATION_VERTICAL, 0, title, subtitle)
    gtk_widget_set_valign(titles.raw, GTK_ALIGN_CENTER)
    gtk_header_bar_set_title_widget(widget.opaque, titles.raw)

    let open = Widget.button(tr("_Open")) { [unowned window] in window.chooseFile() }
    open.withTooltip(tr("Open a picture or film (Ctrl+O)"))
    cameras = Widget.button(icon: "camera-web-symbolic", tr("Show the camera")) {
      [unowned window] in window.showCamera()
    }
    let photograph = Widget.button(icon: "image-x-generic-symbolic", tr("Show the photograph")) {
      [unowned window] in window.showPhotograph()
    }
    compare = Widget.toggle(icon: "view-dual-symbolic", tr("Before"))
    compare.withTooltip(tr("Show the picture as it came (hold the space bar)"))
    sound = Widget.toggle(icon: "audio-volume-high-symbolic", tr("Mute"))
    microphone = Widget.toggle(icon: "audio-input-microphone-symbolic", tr("Microphone"))
    undo = Widget.button(icon: "edit-undo-symbolic", tr("Undo (Ctrl+Z)")) {
      [unowned window] in window.undo()
    }
    redo = Widget.button(icon: "edit-redo-symbolic", tr("Redo (Ctrl+Shift+Z)")) {
      [unowned window] in window.redo()
    }

    record = Widget.toggle(icon: "media-record-symbolic", tr("Record"))
    record.withTooltip(tr("Record a film (R)"))
    camera = Widget.toggle(icon: "camera-video-symbolic", tr("Virtual camera"))
    avatar = Widget.toggle(icon: "avatar-default-symbolic", tr("Avatar"))
    avatar.withTooltip(
      tr("Animate an avatar: send the face to a program on this machine, by VMC (Ctrl+A)"))
    let snapshot = Widget.button(icon: "camera-photo-symbolic", tr("Take a snapshot (S)")) {
      [unowned window] in window.requestSnapshot()
    }
    let line = Widget.button(icon: "edit-copy-symbolic", tr("Copy as gst-launch line (Ctrl+C)")) {
      [unowned window] in window.copyLaunchLine()
    }
    let more = Self.makeMenu(window)
    start = [open, cameras, photograph, compare, sound, undo, redo]
    end = [more, drawer, line, camera, snapshot, microphone, record, avatar]
    kept = [cameras, more, drawer, record].map(\.raw)
    self.titles = titles
    // Buttons are moved between the header and the panel.
    for button in start + end { g_object_ref_sink(UnsafeMutableRawPointer(button.raw)) }
    pack()
    drawer.isVisible = false
    drawer.withTooltip(tr("Effects (F9)"))
    microphone.withTooltip(
      tr("Record the microphone too, where no film is heard; without this it stays closed"))
    update(hasSound: false, isHeard: false, isMuted: false)
    updateCameraButton()
    for (button, change) in [
      (compare, MainWindow.setComparing), (record, MainWindow.setRecordingLater),
      (sound, MainWindow.setMuted),
      (microphone, MainWindow.setMicrophone), (camera, MainWindow.setCamera),
      (avatar, MainWindow.setAvatar), (drawer, MainWindow.showPanel),
    ] {
      button.on("toggled") { [unowned self, unowned window] in
        if !isUpdating { change(window)(button.isDown) }
      }
    }
  }

  private func pack() {
    for button in start where gtk_widget_get_parent(button.raw) == nil {
      gtk_header_bar_pack_start(widget.opaque, button.raw)
    }
    for button in end where gtk_widget_get_parent(button.raw) == nil {
      gtk_header_bar_pack_end(widget.opaque, button.raw)
    }
  }

  /// Moves most buttons between the header and `tools`.
  func arrange(isNarrow: Bool, tools: Widget?) {
    guard let tools, isNarrow != drawer.isVisible else { return }
    closeMenu()
    drawer.isVisible = isNarrow
    titles.isVisible = !isNarrow
    tools.isVisible = isNarrow
    if isNarrow {
      for button in start + end.reversed() where !kept.contains(button.raw) {
        gtk_header_bar_remove(widget.opaque, button.raw)
        gtk_flow_box_insert(tools.opaque, button.raw, -1)
      }
      return
    }
    for button in start + end {
      if kept.contains(button.raw) {
        gtk_header_bar_remove(widget.opaque, button.raw)
      } else if let child = gtk_widget_get_parent(button.raw) {
        gtk_flow_box_child_set_child(Widget(child).cast(to: GtkFlowBoxChild.self), nil)
        gtk_flow_box_remove(tools.opaque, child)
      }
    }
    pack()
  }

  func update(isPanelShown: Bool) { update(drawer, isPanelShown) }

  /// The menu of what is seldom used.
  private static func makeMenu(_ window: MainWindow) -> Widget {
    let menu = g_menu_new()
    defer { g_object_unref(UnsafeMutableRawPointer(menu!)) }
    let actions: [(name: String, title: String, body: (MainWindow) -> Void)] = [
      ("favourite", tr("Mark as a favourite"), { $0.toggleFavorite() }),
      ("dark", tr("Light or dark"), { _ in Style.isDark.toggle() }),
    ]
    let help: [(name: String, title: String, body: (MainWindow) -> Void)] = [
      ("shortcuts", tr("Shortcuts"), { ShortcutsWindow.show($0.raw) }),
      ("about", tr("About Mien Studio"), { AboutWindow.show($0.raw, version: Plugin.version) }),
    ]
    for action in actions {
      window.addAction(action.name, action.body)
      g_menu_append(menu, action.title, "win." + action.name)
    }
    window.addAction("mirror", state: "false") { $0.setMirrored($1 == "true") }
    g_menu_append(menu, tr("Mirror the view"), "win.mirror")
    window.addAction("countdown", state: "0") { $0.delay = Int($1) ?? 0 }
    let choices = g_menu_new()
    defer { g_object_unref(UnsafeMutableRawPointer(choices!)) }
    for seconds in Countdown.choices {
      let title = seconds == 0 ? tr("No countdown") : tr("%1 seconds", "\(seconds)")
      g_menu_append(choices, title, "win.countdown::\(seconds)")
    }
    g_menu_append_section(
      menu, tr("Countdown"),
      UnsafeMutableRawPointer(choices!).assumingMemoryBound(to: GMenuModel.self))
    let helping = g_menu_new()
    defer { g_object_unref(UnsafeMutableRawPointer(helping!)) }
    for action in help {
      window.addAction(action.name, action.body)
      g_menu_append(helping, action.title, "win." + action.name)
    }
    g_menu_append_section(
      menu, nil, UnsafeMutableRawPointer(helping!).assumingMemoryBound(to: GMenuModel.self))
    let button = Widget(gtk_menu_button_new()).withAccessibleLabel(tr("Menu"))
      .withTooltip(tr("Menu")).withoutFocusOnClick()
    gtk_menu_button_set_icon_name(button.opaque, "open-menu-symbolic")
    gtk_menu_button_set_menu_model(
      button.opaque, UnsafeMutableRawPointer(menu!).assumingMemoryBound(to: GMenuModel.self))
    return button
  }

  /// Enables the virtual camera, or explains what is missing.
  private func updateCameraButton() {
    let can = (try? VirtualCamera.find()) != nil
    camera.isSensitive = can
    let text =
      if can {
        tr("Be a camera for other programs")
      } else if Element.isAvailable("pipewiresink") {
        tr("A virtual camera needs PipeWire, which does not run for this user")
      } else {
        tr("For a virtual camera, install gstreamer1.0-pipewire or v4l2loopback-dkms")
      }
    camera.withTooltip(text)
  }

  func update(_ source: VideoSource) {
    subtitle.setText(
      {
        switch source {
        case .photograph: tr("Photograph: NASA")
        case .picture(let path), .film(let path): Terminal.printable(path.split.name)
        case .camera(let camera): camera.name
        }
      }())
  }

  private func update(_ button: Widget, _ isDown: Bool) {
    isUpdating = true
    button.isDown = isDown
    isUpdating = false
  }

  /// Opens a menu of cameras, with the formats of the one that is shown.
  func showMenu(_ list: [Camera], shown: Camera?, _ body: @escaping (Camera) -> Void) {
    closeMenu()
    let popover = Widget(gtk_popover_new()).withAccessibleLabel(tr("Cameras"))
    let inside = Widget.box(GTK_ORIENTATION_VERTICAL, 2)
    func add(_ text: String, _ camera: Camera) -> Widget {
      let button = Widget(gtk_button_new_with_label(text)).withCSSClasses("flat")
      button.on("clicked") { [unowned self] in
        closeMenu()
        body(camera)
      }
      inside.append(button)
      return button
    }
    for camera in list {
      let isShown = shown?.isSameDevice(as: camera) ?? false
      _ = add(camera.name, camera)
      guard isShown, camera.formats.count > 1 else { continue }
      for format in camera.formats {
        let mark = format.caps == shown?.caps ? "✓  " : ""
        let size = "\(format.width) × \(format.height)"
        let text = tr("%1, %2 frames a second", size, "\(format.rate)")
        add(mark + text, camera.with(format)).withCSSClasses("caption")
      }
    }
    let scrolled = Widget(gtk_scrolled_window_new())
    gtk_scrolled_window_set_child(scrolled.opaque, inside.raw)
    gtk_scrolled_window_set_policy(scrolled.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
    gtk_scrolled_window_set_propagate_natural_height(scrolled.opaque, 1)
    gtk_scrolled_window_set_max_content_height(scrolled.opaque, 420)
    gtk_popover_set_child(popover.cast(to: GtkPopover.self), scrolled.raw)
    gtk_widget_set_parent(popover.raw, cameras.raw)
    menu = popover
    gtk_popover_popup(popover.cast(to: GtkPopover.self))
  }

  /// A popover must be unparented before its parent goes.
  func closeMenu() {
    guard let popover = menu else { return }
    menu = nil
    gtk_popover_popdown(popover.cast(to: GtkPopover.self))
    // The click may be that of a button inside.
    MainLoop.dispatch { gtk_widget_unparent(popover.raw) }
  }

  /// Updates the mute button.
  func update(hasSound: Bool, isHeard: Bool, isMuted: Bool) {
    update(sound, isMuted)
    sound.isSensitive = isHeard
    let icon = isMuted || !isHeard ? "audio-volume-muted-symbolic" : "audio-volume-high-symbolic"
    gtk_button_set_icon_name(sound.cast(to: GtkButton.self), icon)
    sound.withTooltip(
      isHeard
        ? tr("Mute the film (Ctrl+M)")
        : hasSound ? tr("There is no loudspeaker") : tr("There is nothing to be heard"))
  }

  func update(canUndo: Bool, canRedo: Bool) {
    (undo.isSensitive, redo.isSensitive) = (canUndo, canRedo)
  }

  func update(isListening: Bool) { update(microphone, isListening) }

  func update(isComparing: Bool) { update(compare, isComparing) }

  func update(isAvatar: Bool) { update(avatar, isAvatar) }

  func update(isCamera: Bool) { update(camera, isCamera) }

  func update(isRecording: Bool) {
    update(record, isRecording)
    if isRecording {
      record.withCSSClasses("recording")
    } else {
      gtk_widget_remove_css_class(record.raw, "recording")
    }
  }
}
