import CGTK4
import Client
import Studio

/// The arrangement of the window, which follows its size.
extension MainWindow {
  /// Watches the size of the window, which has a surface by then.
  func watchSize() {
    guard let surface = gtk_native_get_surface(OpaquePointer(raw)) else { return }
    typealias Body = (Int, Int) -> Void
    let callback: @convention(c) (gpointer?, gint, gint, gpointer?) -> Void = {
      _, width, height, user in
      Box<Body>.content(user)(Int(width), Int(height))
    }
    Signal.connect(
      UnsafeMutableRawPointer(surface), "layout", unsafeBitCast(callback, to: GCallback.self),
      Box<Body> { [weak self] width, height in
        let layout = WindowLayout(width: width, height: height)
        guard let self, layout != self.layout else { return }
        self.layout = layout
        // Widgets must not be changed while they get their sizes.
        MainLoop.dispatch { [weak self] in
          if let self, self.layout == layout, !isClosing { arrange(layout) }
        }
      })
  }

  private func arrange(_ layout: WindowLayout) {
    if layout.isNarrow {
      widget.withCSSClasses("narrow")
    } else {
      gtk_widget_remove_css_class(widget.raw, "narrow")
    }
    header?.arrange(isNarrow: layout.isNarrow, tools: panel?.tools)
    shelfView.setCompact(layout.isShort)
    showPanel(!layout.isNarrow)
  }

  /// Shows or hides the panel, which in a narrow window lies over the picture.
  func showPanel(_ isShown: Bool) {
    guard let panel, let content else { return }
    panel.widget.isVisible = isShown
    let isBeside = isShown && !(layout?.isNarrow ?? false)
    gtk_widget_set_margin_end(content.raw, isBeside ? Panel.width : 0)
    header?.update(isPanelShown: isShown)
    if !isShown { videoView.grabFocus() }
  }

  func togglePanel() { if let panel { showPanel(!panel.widget.isVisible) } }

  /// Hides the panel where it covers the picture.
  func closeDrawer() {
    if layout?.isNarrow ?? false, panel?.widget.isVisible ?? false { showPanel(false) }
  }
}
