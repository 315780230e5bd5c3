import CGTK4
import Studio

/// The shelf under the picture: thumbnails of packs and looks.
final class ShelfView {
  let widget: Widget
  private let packs = Widget.box(GTK_ORIENTATION_HORIZONTAL, 8).margins(10, 6)
  private let looks = Widget.box(GTK_ORIENTATION_HORIZONTAL, 8).margins(10, 6)
  private var packButtons: [Widget] = []
  private var lookButtons: [(name: String, button: Widget)] = []
  private var isUpdating = false
  /// Called when the user selects a pack, or none.
  var onPack: (Int?) -> Void = { _ in }
  /// Called when the user selects a look, or none.
  var onLook: (String?) -> Void = { _ in }

  init() {
    let stack = Widget(gtk_stack_new())
    gtk_stack_set_transition_type(stack.opaque, GTK_STACK_TRANSITION_TYPE_CROSSFADE)
    gtk_stack_add_titled(stack.opaque, Self.scrolled(packs).raw, "packs", tr("Stickers"))
    gtk_stack_add_titled(stack.opaque, Self.scrolled(looks).raw, "looks", tr("Looks"))
    let switcher = Widget(gtk_stack_switcher_new())
    gtk_stack_switcher_set_stack(switcher.opaque, stack.opaque)
    gtk_widget_set_halign(switcher.raw, GTK_ALIGN_CENTER)
    switcher.margins(0, 6)
    widget = Widget.box(GTK_ORIENTATION_VERTICAL, 0, switcher, stack).withCSSClasses("shelf")
  }

  private static func scrolled(_ child: Widget) -> Widget {
    let scrolled = Widget(gtk_scrolled_window_new())
    gtk_widget_set_halign(child.raw, GTK_ALIGN_CENTER)
    gtk_scrolled_window_set_child(scrolled.opaque, child.raw)
    gtk_scrolled_window_set_policy(scrolled.opaque, GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER)
    return scrolled
  }

  /// Appends a pack.
  func add(_ pack: Shelf.Pack, _ thumbnails: Thumbnails?) {
    let place = packButtons.count
    let key = place < 9 ? "\(place + 1)  " : ""
    let button = makeButton(key + tr(pack.name), tr("Wear %1", tr(pack.name))) {
      [unowned self] isDown in
      onPack(isDown ? place : nil)
    }
    packs.append(button.widget)
    packButtons.append(button.widget)
    button.widget.isVisible = true
    showPack.append { button.show($0) }
    thumbnails?.request(.sticker, "location", .path(pack.folder)) { button.show($0) }
  }

  private var showPack: [(Frame) -> Void] = []

  /// Renders the thumbnail of a changed pack.
  func reload(_ place: Int, _ pack: Shelf.Pack, _ thumbnails: Thumbnails?) {
    thumbnails?.request(.sticker, "location", .path(pack.folder), showPack[place])
  }

  func add(look: String, meaning: String, _ thumbnails: Thumbnails?) {
    let name = tr(look.prefix(1).uppercased() + look.dropFirst())
    let button = makeButton(name, tr(meaning)) { [unowned self] in onLook($0 ? look : nil) }
    looks.append(button.widget)
    lookButtons.append((look, button.widget))
    thumbnails?.request(.look, "look", .literal(look)) { button.show($0) }
  }

  /// Marks the selected pack and look.
  func update(pack: Int?, look: String?) {
    isUpdating = true
    for (place, button) in packButtons.enumerated() { button.isDown = place == pack }
    for (name, button) in lookButtons { button.isDown = name == look }
    isUpdating = false
  }

  private struct Button {
    let widget: Widget
    let picture: Widget

    func show(_ frame: Frame) {
      gtk_picture_set_paintable(picture.opaque, frame.texture)
    }
  }

  private func makeButton(_ title: String, _ text: String, _ body: @escaping (Bool) -> Void)
    -> Button
  {
    let picture = Widget(gtk_picture_new()).withCSSClasses("thumbnail")
    gtk_widget_set_size_request(picture.raw, 84, 84)
    gtk_picture_set_can_shrink(picture.opaque, 1)
    let label = Widget.label(title).withCSSClasses("caption")
    gtk_label_set_xalign(label.opaque, 0.5)
    let widget = Widget(gtk_toggle_button_new()).withoutFocusOnClick().withCSSClasses(
      "flat", "item")
    let inside = Widget.box(GTK_ORIENTATION_VERTICAL, 4, picture, label)
    gtk_button_set_child(widget.cast(to: GtkButton.self), inside.raw)
    widget.withAccessibleLabel(title).withTooltip(text)
    widget.on("toggled") { [unowned self] in if !isUpdating { body(widget.isDown) } }
    return Button(widget: widget, picture: picture)
  }
}
