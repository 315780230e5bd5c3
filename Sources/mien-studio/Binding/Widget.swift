import CGStreamer
import CGTK4

/// A GTK widget.
///
/// Its parent owns it; a widget without a parent is owned by its creator.
///
/// For the main thread alone, as all of GTK.
struct Widget {
  let raw: UnsafeMutablePointer<GtkWidget>

  init(_ raw: UnsafeMutablePointer<GtkWidget>) { self.raw = raw }

  /// The widget as what GTK's calls for its class take; no check is made.
  func cast<Class>(to _: Class.Type) -> UnsafeMutablePointer<Class> {
    UnsafeMutableRawPointer(raw).assumingMemoryBound(to: Class.self)
  }

  /// The widget as an instance of a class that is opaque in GTK's headers.
  var opaque: OpaquePointer { OpaquePointer(raw) }

  /// Adds CSS classes.
  @discardableResult
  func withCSSClasses(_ classes: String...) -> Widget {
    for name in classes { gtk_widget_add_css_class(raw, name) }
    return self
  }

  /// Sets the label for assistive technology.
  @discardableResult
  func withAccessibleLabel(_ name: String) -> Widget {
    var property = GTK_ACCESSIBLE_PROPERTY_LABEL
    var value = GValue()
    g_value_init(&value, cgst_type_string)
    g_value_set_string(&value, name)
    gtk_accessible_update_property_value(opaque, 1, &property, &value)
    g_value_unset(&value)
    return self
  }

  /// Sets the label of the first child too, which has the focus in lists that drop down and buttons of colours.
  @discardableResult
  func withAccessibleLabelInside(_ name: String) -> Widget {
    if let child = gtk_widget_get_first_child(raw) { Widget(child).withAccessibleLabel(name) }
    return withAccessibleLabel(name)
  }

  /// Sets the tooltip.
  @discardableResult
  func withTooltip(_ text: String) -> Widget {
    gtk_widget_set_tooltip_text(raw, text)
    return self
  }

  @discardableResult
  func margins(_ all: Int32) -> Widget { margins(all, all) }

  @discardableResult
  func margins(_ across: Int32, _ down: Int32) -> Widget {
    gtk_widget_set_margin_start(raw, across)
    gtk_widget_set_margin_end(raw, across)
    gtk_widget_set_margin_top(raw, down)
    gtk_widget_set_margin_bottom(raw, down)
    return self
  }

  @discardableResult
  func expanding(across: Bool = false, down: Bool = false) -> Widget {
    gtk_widget_set_hexpand(raw, across ? 1 : 0)
    gtk_widget_set_vexpand(raw, down ? 1 : 0)
    return self
  }

  /// Clicks do not move the keyboard focus.
  @discardableResult
  func withoutFocusOnClick() -> Widget {
    gtk_widget_set_focus_on_click(raw, 0)
    return self
  }

  /// Scroll events are not handled but go to the scrolled window: scrolling must not change values.
  @discardableResult
  func ignoringScroll() -> Widget {
    guard let controllers = gtk_widget_observe_controllers(raw) else { return self }
    defer { g_object_unref(UnsafeMutableRawPointer(controllers)) }
    for place in 0..<g_list_model_get_n_items(controllers) {
      guard let controller = g_list_model_get_item(controllers, place) else { continue }
      defer { g_object_unref(controller) }
      let instance = controller.assumingMemoryBound(to: GTypeInstance.self)
      if g_type_check_instance_is_a(instance, gtk_event_controller_scroll_get_type()) != 0 {
        gtk_event_controller_set_propagation_phase(OpaquePointer(controller), GTK_PHASE_NONE)
      }
    }
    return self
  }

  var isSensitive: Bool {
    get { gtk_widget_get_sensitive(raw) != 0 }
    nonmutating set { gtk_widget_set_sensitive(raw, newValue ? 1 : 0) }
  }

  var isVisible: Bool {
    get { gtk_widget_get_visible(raw) != 0 }
    nonmutating set { gtk_widget_set_visible(raw, newValue ? 1 : 0) }
  }

  // MARK: Kinds

  static func box(_ orientation: GtkOrientation, _ spacing: Int32, _ children: Widget...) -> Widget
  {
    let box = Widget(gtk_box_new(orientation, spacing))
    for child in children { box.append(child) }
    return box
  }

  /// Appends to a box.
  func append(_ child: Widget) { gtk_box_append(cast(to: GtkBox.self), child.raw) }

  static func label(_ text: String) -> Widget {
    let label = Widget(gtk_label_new(text))
    gtk_label_set_xalign(label.opaque, 0)
    return label
  }

  /// Sets the text of a label.
  func setText(_ text: String) { gtk_label_set_text(opaque, text) }

  static func icon(_ name: String) -> Widget { Widget(gtk_image_new_from_icon_name(name)) }

  /// A button with an icon, whose name is the tooltip and the accessible label.
  static func button(icon: String, _ name: String, _ body: @escaping () -> Void) -> Widget {
    let button = Widget(gtk_button_new_from_icon_name(icon)).withoutFocusOnClick()
    button.withAccessibleLabel(name).withTooltip(name).on("clicked", body)
    return button
  }

  static func button(_ text: String, _ body: @escaping () -> Void) -> Widget {
    let button = Widget(gtk_button_new_with_mnemonic(text)).withoutFocusOnClick()
    button.on("clicked", body)
    return button
  }

  /// A toggle button.
  static func toggle(icon: String, _ name: String) -> Widget {
    let button = Widget(gtk_toggle_button_new()).withoutFocusOnClick().withAccessibleLabel(name)
    gtk_button_set_icon_name(button.cast(to: GtkButton.self), icon)
    return button
  }

  /// Whether a toggle button is down.
  var isDown: Bool {
    get { gtk_toggle_button_get_active(cast(to: GtkToggleButton.self)) != 0 }
    nonmutating set {
      gtk_toggle_button_set_active(cast(to: GtkToggleButton.self), newValue ? 1 : 0)
    }
  }
}
