import CGTK4
import Client
import Studio

/// One page of the shelf: items with thumbnails, of which the user selects one.
final class ShelfPage {
  let widget = Widget(gtk_scrolled_window_new())
  private let box = Widget.box(GTK_ORIENTATION_HORIZONTAL, 8).margins(10, 6)
  private var items: [Item] = []
  /// The indices of the items as they are shown.
  private var order: [Int] = []
  private var favorites = Favorites()
  private var isCompact = false
  private var digits = DigitKeys()
  private var isUpdating = false
  /// Called with the name of an item whose mark as a favourite the user changes.
  var onFavorite: (String) -> Void = { _ in }
  /// Called when the user selects none with a key.
  var onNone: () -> Void = {}

  private struct Item {
    /// The name among the favourites.
    let name: String
    let title: String
    let button: Widget
    let picture: Widget
    let label: Widget
    let select: (Bool) -> Void
  }

  init() {
    gtk_widget_set_halign(box.raw, GTK_ALIGN_CENTER)
    gtk_scrolled_window_set_child(widget.opaque, box.raw)
    gtk_scrolled_window_set_policy(widget.opaque, GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER)
  }

  var count: Int { items.count }

  /// Appends an item; `select` is called with whether the user selects it or no longer does.
  func add(
    _ name: String, title: String, text: String, icon: String? = nil,
    select: @escaping (Bool) -> Void
  ) {
    let picture = Widget(gtk_picture_new()).withCSSClasses("thumbnail")
    gtk_picture_set_can_shrink(picture.opaque, 1)
    let label = Widget.label("").withCSSClasses("caption")
    gtk_label_set_xalign(label.opaque, 0.5)
    let button = Widget(gtk_toggle_button_new()).withoutFocusOnClick().withCSSClasses(
      "flat", "item")
    let overlay = Widget(gtk_overlay_new())
    gtk_overlay_set_child(overlay.opaque, picture.raw)
    if let icon {
      let image = Widget.icon(icon)
      gtk_image_set_pixel_size(image.opaque, 36)
      gtk_overlay_add_overlay(overlay.opaque, image.raw)
    }
    let inside = Widget.box(GTK_ORIENTATION_VERTICAL, 4, overlay, label)
    gtk_button_set_child(button.cast(to: GtkButton.self), inside.raw)
    button.withTooltip(text)
    button.on("toggled") { [unowned self] in if !isUpdating { select(button.isDown) } }
    listenToRightClicks(button) { [unowned self] in onFavorite(name) }
    box.append(button)
    let item = Item(
      name: name, title: title, button: button, picture: picture, label: label, select: select)
    items.append(item)
    size(item)
    sort(favorites)
  }

  private func listenToRightClicks(_ button: Widget, _ body: @escaping () -> Void) {
    guard let click = gtk_gesture_click_new() else { return }
    gtk_gesture_single_set_button(click, guint(GDK_BUTTON_SECONDARY))
    Signal.connectClick(UnsafeMutableRawPointer(click), "pressed") { _, _ in body() }
    gtk_widget_add_controller(button.raw, click)
  }

  /// Shows the thumbnail of an item, in place of its icon.
  func show(_ frame: Frame, at place: Int) {
    gtk_picture_set_paintable(items[place].picture.opaque, frame.texture)
    let parent = gtk_widget_get_parent(items[place].picture.raw)
    if let icon = gtk_widget_get_next_sibling(items[place].picture.raw) {
      gtk_overlay_remove_overlay(OpaquePointer(parent), icon)
    }
  }

  /// Shows small thumbnails without names, or large ones with names.
  func setCompact(_ isCompact: Bool) {
    self.isCompact = isCompact
    box.margins(10, isCompact ? 0 : 6)
    for item in items { size(item) }
  }

  private func size(_ item: Item) {
    let side: Int32 = isCompact ? 40 : 84
    gtk_widget_set_size_request(item.picture.raw, side, side)
    item.label.isVisible = !isCompact
  }

  /// Puts the favourites first, and numbers the items.
  func sort(_ favorites: Favorites) {
    self.favorites = favorites
    order = favorites.order(of: items.map(\.name))
    var last: Widget?
    for (position, place) in order.enumerated() {
      let item = items[place]
      gtk_box_reorder_child_after(box.cast(to: GtkBox.self), item.button.raw, last?.raw)
      last = item.button
      let key = position < 99 ? "\(position + 1)  " : ""
      let star = favorites.contains(item.name) ? "★ " : ""
      item.label.setText(key + star + item.title)
      item.button.withAccessibleLabel(
        favorites.contains(item.name) ? tr("%1, a favourite", item.title) : item.title)
    }
  }

  /// Marks the selected items.
  func select(_ isSelected: (_ place: Int, _ name: String) -> Bool) {
    isUpdating = true
    for (place, item) in items.enumerated() { item.button.isDown = isSelected(place, item.name) }
    isUpdating = false
  }

  /// Selects the item of a number, which may have two digits; 0 selects none.
  func typeDigit(_ digit: Int, at seconds: Double) -> Bool {
    let number = digits.type(digit, at: seconds, count: items.count)
    guard number > 0 else {
      onNone()
      return true
    }
    guard order.indices.contains(number - 1) else { return false }
    items[order[number - 1]].select(true)
    return true
  }

  /// The name of the selected item; nil where none is.
  var selectedName: String? { items.first { $0.button.isDown }?.name }
}
