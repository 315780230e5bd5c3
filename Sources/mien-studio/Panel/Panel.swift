import CGTK4
import Studio

/// The panel beside the picture, with a tile for each element.
final class Panel {
  /// In units of the screen.
  static let width: Int32 = 330

  let widget: Widget
  /// Buttons that have no place in a narrow header.
  let tools = Widget(gtk_flow_box_new()).margins(12, 6)
  private var tiles: [ElementKind: ElementTile] = [:]
  private let list = Widget.box(GTK_ORIENTATION_VERTICAL, 10).margins(12)
  /// The elements as the tiles show them: the last one of the chain, which lies over the others, is on top.
  private var order: [ElementKind] = ElementKind.allCases.reversed()

  init(_ actions: ElementTile.Actions) {
    gtk_flow_box_set_selection_mode(tools.opaque, GTK_SELECTION_NONE)
    gtk_flow_box_set_max_children_per_line(tools.opaque, 6)
    for kind in order {
      guard let inspector = try? ElementInspector(kind) else { continue }
      let tile = ElementTile(inspector, actions)
      tiles[kind] = tile
      list.append(tile.widget)
    }
    let scrolled = Widget(gtk_scrolled_window_new())
    gtk_scrolled_window_set_child(scrolled.opaque, list.raw)
    gtk_scrolled_window_set_policy(scrolled.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
    gtk_widget_set_size_request(scrolled.raw, Self.width, -1)
    ScrollToFocus.listen(on: scrolled)
    scrolled.expanding(down: true)
    tools.isVisible = false
    widget = Widget.box(GTK_ORIENTATION_VERTICAL, 0, tools, scrolled).withCSSClasses("panel")
  }

  /// Shows the state of an element.
  func update(_ kind: ElementKind, _ chain: ElementChain) { tiles[kind]?.update(chain) }

  func update(_ chain: ElementChain) {
    for kind in order { update(kind, chain) }
    guard order != chain.order.reversed() else { return }
    order = chain.order.reversed()
    var last: Widget?
    for tile in order.compactMap({ tiles[$0] }) {
      gtk_box_reorder_child_after(list.cast(to: GtkBox.self), tile.widget.raw, last?.raw)
      last = tile.widget
    }
  }
}

/// The switch, presets and properties of one element.
final class ElementTile {
  /// The window's functions for the tile.
  struct Actions {
    let turn: (ElementKind, Bool) -> Void
    let set: (ElementKind, String, PropertyValue) -> Void
    let reset: (ElementKind, ElementProperty) -> Void
    let choose: (ElementKind, String) -> Void
    let preset: (ElementKind, [PropertyAssignment]) -> Void
    let properties: (ElementKind) -> [PropertyAssignment]
    let warn: (String) -> Void
    /// Moves an element to the place of another one.
    let move: (ElementKind, _ to: ElementKind) -> Void
    /// Moves an element up or down by one place.
    let step: (ElementKind, _ isUp: Bool) -> Void
  }

  let widget: Widget
  private let inspector: ElementInspector
  private let actions: Actions
  private let toggle: Widget
  private let revealer = Widget(gtk_revealer_new())
  private let arrow: Widget
  private var controls: [(property: String, control: PropertyControl)] = []
  private var presets: PresetRow?
  private var isUpdating = false

  init(_ inspector: ElementInspector, _ actions: Actions) {
    (self.inspector, self.actions) = (inspector, actions)
    let title = UserWords.title(of: inspector.kind)
    toggle = Widget(gtk_switch_new()).withoutFocusOnClick().withAccessibleLabel(title)
    gtk_widget_set_valign(toggle.raw, GTK_ALIGN_CENTER)
    arrow = Widget(gtk_toggle_button_new()).withoutFocusOnClick().withCSSClasses("flat")
    widget = Widget.box(GTK_ORIENTATION_VERTICAL, 0).withCSSClasses("tile")
    let heading = Widget.label(title).withCSSClasses("heading").expanding(across: true)
    gtk_button_set_icon_name(arrow.cast(to: GtkButton.self), "pan-down-symbolic")
    arrow.withAccessibleLabel(tr("Settings of %1", title)).withTooltip(tr("Settings of %1", title))
    let top = Widget.box(GTK_ORIENTATION_HORIZONTAL, 6, heading, arrow, toggle)
    let canMove = inspector.kind != .faces
    let hint = canMove ? "\n" + tr("Drag it to change the order (Alt+Up, Alt+Down)") : ""
    top.withTooltip(tr(inspector.summary) + hint).withCSSClasses("tile-top")
    if canMove { TileOrder.listen(on: widget, handle: top, inspector.kind, actions) }
    widget.append(top)
    widget.append(revealer)
    arrow.on("toggled") { [unowned self] in
      if arrow.isDown { makeControls() }
      gtk_revealer_set_reveal_child(revealer.opaque, arrow.isDown ? 1 : 0)
    }
    toggle.onChange(of: "active") { [unowned self] in
      if !isUpdating { actions.turn(inspector.kind, gtk_switch_get_active(toggle.opaque) != 0) }
    }
  }

  private var chain = ElementChain()

  func update(_ chain: ElementChain) {
    self.chain = chain
    isUpdating = true
    gtk_switch_set_active(toggle.opaque, chain.isOn(inspector.kind) ? 1 : 0)
    isUpdating = false
    for (property, control) in controls {
      control.update(chain.value(property, of: inspector.kind))
    }
  }

  /// Creates the controls when they are displayed first.
  private func makeControls() {
    guard controls.isEmpty else { return }
    let list = Widget.box(GTK_ORIENTATION_VERTICAL, 6).withCSSClasses("properties")
    let (kind, actions) = (inspector.kind, actions)
    let presets = PresetRow(
      inspector,
      PresetRow.Actions(
        properties: { actions.properties(kind) }, apply: { actions.preset(kind, $0) },
        warn: actions.warn))
    list.append(presets.widget)
    self.presets = presets
    let (simple, others) = kind.sorted(inspector.properties.map(\.name))
    addControls(simple, to: list)
    let more = Widget(gtk_expander_new(tr("More")))
    more.withTooltip(tr("All other settings")).withAccessibleLabel(tr("All other settings"))
      .withCSSClasses("more")
    more.onChange(of: "expanded") { [unowned self] in
      guard gtk_expander_get_child(more.opaque) == nil else { return }
      let inside = Widget.box(GTK_ORIENTATION_VERTICAL, 6)
      addControls(others, to: inside)
      gtk_expander_set_child(more.opaque, inside.raw)
    }
    if !others.isEmpty { list.append(more) }
    gtk_revealer_set_child(revealer.opaque, list.raw)
  }

  /// Appends the controls of properties.
  private func addControls(_ names: [String], to list: Widget) {
    let (kind, actions) = (inspector.kind, actions)
    for name in names {
      guard let property = inspector.properties.first(where: { $0.name == name }) else { continue }
      let control = PropertyControl(
        property, title: UserWords.title(of: name, of: kind) ?? tr(property.title))
      control.onSet = { actions.set(kind, name, $0) }
      control.onReset = { actions.reset(kind, property) }
      control.onChoose = { actions.choose(kind, name) }
      control.update(chain.value(name, of: kind))
      list.append(control.row)
      controls.append((name, control))
    }
  }
}
