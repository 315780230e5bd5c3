import CGTK4
import Client
import Programs
import Studio

/// Keyboard shortcuts.
extension MainWindow {
  func listenToKeys() {
    let keys = gtk_event_controller_key_new()!
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
    Signal.connectKey(UnsafeMutableRawPointer(keys), "key-pressed") { [unowned self] key, state in
      handleKey(key, state)
    }
    let release: @convention(c) (gpointer?, guint, guint, GdkModifierType, gpointer?) -> Void = {
      _, key, _, _, user in
      Box<(guint) -> Void>.content(user)(key)
    }
    Signal.connect(
      UnsafeMutableRawPointer(keys), "key-released", unsafeBitCast(release, to: GCallback.self),
      Box<(guint) -> Void> { [unowned self] key in
        if key == guint(GDK_KEY_space) { setComparing(false) }
      })
    gtk_widget_add_controller(widget.raw, keys)
  }

  private func handleKey(_ key: guint, _ state: GdkModifierType) -> Bool {
    // In a text entry letters are text.
    if isEditing, key != guint(GDK_KEY_Escape), state.rawValue & GDK_CONTROL_MASK.rawValue == 0 {
      return false
    }
    let isControl = state.rawValue & GDK_CONTROL_MASK.rawValue != 0
    let isShift = state.rawValue & GDK_SHIFT_MASK.rawValue != 0
    if isControl { return handleControlKey(key, isShift: isShift) }
    // Mnemonics of buttons.
    if state.rawValue & GDK_ALT_MASK.rawValue != 0 { return false }
    switch key {
    case guint(GDK_KEY_F1):
      ShortcutsWindow.show(raw)
      return true
    case guint(GDK_KEY_F9):
      togglePanel()
      return true
    case guint(GDK_KEY_space):
      // A focused button handles the space bar itself.
      guard videoView.hasFocus else { return false }
      setComparing(true)
      return true
    case guint(GDK_KEY_Escape):
      notice.hide()
      countdown.cancel()
      closeDrawer()
      videoView.grabFocus()
      return true
    case guint(GDK_KEY_s), guint(GDK_KEY_S):
      requestSnapshot()
      return true
    case guint(GDK_KEY_r), guint(GDK_KEY_R):
      toggleRecording()
      return true
    default:
      let zeros = [guint(GDK_KEY_0), guint(GDK_KEY_KP_0)]
      for digit in 0...9 where zeros.contains(where: { key == $0 + guint(digit) }) {
        return shelfView.typeDigit(digit, at: MonotonicClock.seconds)
      }
      return false
    }
  }

  /// Whether a text entry has the focus.
  private var isEditing: Bool {
    guard let focus = gtk_window_get_focus(raw) else { return false }
    let instance = UnsafeMutableRawPointer(focus).assumingMemoryBound(to: GTypeInstance.self)
    return g_type_check_instance_is_a(instance, gtk_editable_get_type()) != 0
  }

  private func handleControlKey(_ key: guint, isShift: Bool) -> Bool {
    switch key {
    // A text entry has an undo of its own.
    case guint(GDK_KEY_z) where isEditing, guint(GDK_KEY_Left) where isEditing,
      guint(GDK_KEY_Right) where isEditing:
      return false
    case guint(GDK_KEY_z) where !isShift: undo()
    case guint(GDK_KEY_z), guint(GDK_KEY_Z), guint(GDK_KEY_y): redo()
    case guint(GDK_KEY_p): togglePause()
    case guint(GDK_KEY_Left): seek(by: -5)
    case guint(GDK_KEY_Right): seek(by: 5)
    case guint(GDK_KEY_f): toggleFavorite()
    case guint(GDK_KEY_question): ShortcutsWindow.show(raw)
    case guint(GDK_KEY_o): chooseFile()
    case guint(GDK_KEY_s): requestSnapshot()
    case guint(GDK_KEY_r): toggleRecording()
    case guint(GDK_KEY_h): toggleMirror()
    case guint(GDK_KEY_c) where isEditing, guint(GDK_KEY_a) where isEditing: return false
    case guint(GDK_KEY_c): copyLaunchLine()
    case guint(GDK_KEY_a): setAvatar(!chain.alwaysFindsFaces)
    case guint(GDK_KEY_m): setMuted(!isMuted)
    case guint(GDK_KEY_d): Style.isDark.toggle()
    case guint(GDK_KEY_q), guint(GDK_KEY_w): close()
    default: return false
    }
    return true
  }
}
