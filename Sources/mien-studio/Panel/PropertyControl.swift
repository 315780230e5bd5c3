import CGStreamer
import CGTK4
import CJSONGLib
import Client
import Files
import Studio

/// The control of a property: a slider, a switch, a menu, a colour or a file.
final class PropertyControl {
  let row: Widget
  private let property: ElementProperty
  private let control: Widget
  /// Sets the default; visible while there is another value.
  private let reset: Widget
  /// Whether the program changes the control, and not the user.
  private var isUpdating = false
  /// Called when the user sets a value.
  var onSet: (PropertyValue) -> Void = { _ in }
  /// Called when the user wants the default.
  var onReset: () -> Void = {}
  /// Called when the user wants to choose a file.
  var onChoose: () -> Void = {}

  /// `text`: the displayed name.
  init(_ property: ElementProperty, title text: String) {
    self.property = property
    let title = Widget.label(text).withCSSClasses("property")
    var isBelow = false
    switch property.kind {
    case .toggle:
      control = Widget(gtk_switch_new()).withoutFocusOnClick()
      gtk_widget_set_valign(control.raw, GTK_ALIGN_CENTER)
    case .number(let minimum, let maximum, let isInteger):
      let step = isInteger ? 1 : (maximum - minimum) / 100
      control = Widget(gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, minimum, maximum, step))
      gtk_scale_set_draw_value(control.cast(to: GtkScale.self), 1)
      gtk_scale_set_value_pos(control.cast(to: GtkScale.self), GTK_POS_RIGHT)
      let range = maximum - minimum
      let digits: Int32 = range <= 0.2 ? 3 : range <= 2 ? 2 : 1
      gtk_scale_set_digits(control.cast(to: GtkScale.self), isInteger ? 0 : digits)
      isBelow = true
    case .choice(let choices):
      var names: [UnsafePointer<CChar>?] = choices.map { UnsafePointer(g_strdup(tr($0.nick))) }
      names.append(nil)
      control = Widget(gtk_drop_down_new_from_strings(&names)).withoutFocusOnClick()
      for name in names { g_free(UnsafeMutableRawPointer(mutating: name)) }
    case .color:
      control = Widget(gtk_color_button_new()).withoutFocusOnClick()
    case .file:
      control = Widget(gtk_button_new_with_label(tr("Choose"))).withoutFocusOnClick()
    }
    switch property.kind {
    case .choice, .color: control.withAccessibleLabelInside(text)
    default: control.withAccessibleLabel(text)
    }
    control.ignoringScroll()
    title.expanding(across: true)
    let name = tr("Reset %1", text)
    reset = Widget(gtk_button_new_from_icon_name("view-refresh-symbolic")).withoutFocusOnClick()
      .withCSSClasses("flat", "reset").withAccessibleLabel(name).withTooltip(name)
    gtk_widget_set_valign(reset.raw, GTK_ALIGN_CENTER)
    if isBelow {
      let top = Widget.box(GTK_ORIENTATION_HORIZONTAL, 8, title, reset)
      row = Widget.box(GTK_ORIENTATION_VERTICAL, 0, top, control)
    } else {
      row = Widget.box(GTK_ORIENTATION_HORIZONTAL, 8, title, reset, control)
    }
    reset.on("clicked") { [unowned self] in onReset() }
    row.withTooltip(tr(property.blurb)).withCSSClasses("tile-row")
    connect()
    update(nil)
  }

  private func connect() {
    switch property.kind {
    case .toggle:
      control.onChange(of: "active") { [unowned self] in
        notifySet(gtk_switch_get_active(control.opaque) != 0 ? "true" : "false")
      }
    case .number(_, _, let isInteger):
      control.on("value-changed") { [unowned self] in
        let value = gtk_range_get_value(control.cast(to: GtkRange.self))
        notifySet(isInteger ? "\(Int(value.rounded()))" : "\((value * 1000).rounded() / 1000)")
      }
    case .choice(let choices):
      control.onChange(of: "selected") { [unowned self] in
        let place = Int(gtk_drop_down_get_selected(control.opaque))
        if choices.indices.contains(place) { notifySet(choices[place].nick) }
      }
    case .color:
      control.on("color-set") { [unowned self] in
        var color = GdkRGBA()
        gtk_color_chooser_get_rgba(control.opaque, &color)
        let parts = [1, color.red, color.green, color.blue].map {
          UInt32(($0 * 255).rounded())
        }
        notifySet("\(parts.reduce(UInt32(0)) { $0 << 8 | $1 })")
      }
    case .file:
      control.on("clicked") { [unowned self] in onChoose() }
    }
  }

  private func notifySet(_ text: String) {
    guard !isUpdating else { return }
    showReset(.literal(text))
    onSet(.literal(text))
  }

  private func showReset(_ value: PropertyValue?) {
    var isDefault = value == nil
    if case .literal(let text)? = value {
      isDefault = text == property.defaultText
      if let number = Double(text), let other = Double(property.defaultText) {
        isDefault = abs(number - other) < 5e-4
      }
    }
    // It keeps its place, so that nothing moves.
    reset.isSensitive = !isDefault
    gtk_widget_set_opacity(reset.raw, isDefault ? 0 : 1)
  }

  /// Shows a value; nil is the default.
  func update(_ value: PropertyValue?) {
    isUpdating = true
    defer { isUpdating = false }
    showReset(value)
    var text = property.defaultText
    switch value {
    case .literal(let literal): text = literal
    case .path(let path): text = path.split.name.description
    case nil: break
    }
    switch property.kind {
    case .toggle: gtk_switch_set_active(control.opaque, text == "true" ? 1 : 0)
    case .number: gtk_range_set_value(control.cast(to: GtkRange.self), Double(text) ?? 0)
    case .choice(let choices):
      if let place = choices.firstIndex(where: { $0.nick == text }) {
        gtk_drop_down_set_selected(control.opaque, guint(place))
      }
    case .color:
      let code = UInt32(text) ?? 0
      func part(_ shift: UInt32) -> Float { Float(code >> shift & 255) / 255 }
      var color = GdkRGBA(red: part(16), green: part(8), blue: part(0), alpha: 1)
      gtk_color_chooser_set_rgba(control.opaque, &color)
    case .file:
      let isSet = value != nil && !text.isEmpty
      gtk_button_set_label(control.cast(to: GtkButton.self), isSet ? text : tr("Choose"))
    }
  }
}
