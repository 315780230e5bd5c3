import CGTK4
import Files
import Studio

/// The shelf under the picture: thumbnails of packs, looks and backgrounds.
final class ShelfView {
  let widget: Widget
  private let stack = Widget(gtk_stack_new())
  private let packs = ShelfPage()
  private let looks = ShelfPage()
  private let backgrounds = ShelfPage()
  /// Called when the user selects a pack, or none.
  var onPack: (Int?) -> Void = { _ in }
  /// Called when the user selects a look, or none.
  var onLook: (String?) -> Void = { _ in }
  /// Called when the user selects a background.
  var onBackground: (BackgroundChoice) -> Void = { _ in }
  /// Called with the name of an item whose mark as a favourite the user changes.
  var onFavorite: (String) -> Void = { _ in }

  init() {
    gtk_stack_set_transition_type(stack.opaque, GTK_STACK_TRANSITION_TYPE_CROSSFADE)
    for (page, name, title) in [
      (packs, "packs", tr("Stickers")), (looks, "looks", tr("Looks")),
      (backgrounds, "backgrounds", tr("Backgrounds")),
    ] { gtk_stack_add_titled(stack.opaque, page.widget.raw, name, title) }
    let switcher = Widget(gtk_stack_switcher_new())
    gtk_stack_switcher_set_stack(switcher.opaque, stack.opaque)
    gtk_widget_set_halign(switcher.raw, GTK_ALIGN_CENTER)
    switcher.margins(0, 4)
    widget = Widget.box(GTK_ORIENTATION_VERTICAL, 0, switcher, stack).withCSSClasses("shelf")
    packs.onNone = { [unowned self] in onPack(nil) }
    looks.onNone = { [unowned self] in onLook(nil) }
    backgrounds.onNone = { [unowned self] in onBackground(.none) }
    for page in [packs, looks] { page.onFavorite = { [unowned self] in onFavorite($0) } }
  }

  /// Appends a pack.
  func add(_ pack: Shelf.Pack, _ thumbnails: Thumbnails?) {
    let place = packs.count
    packs.add(Self.name(of: pack), title: tr(pack.name), text: tr("Wear %1", tr(pack.name))) {
      [unowned self] isDown in onPack(isDown ? place : nil)
    }
    reload(place, pack, thumbnails)
  }

  /// Renders the thumbnail of a pack.
  func reload(_ place: Int, _ pack: Shelf.Pack, _ thumbnails: Thumbnails?) {
    thumbnails?.request(.sticker, "location", .path(pack.folder)) { [unowned self] in
      packs.show($0, at: place)
    }
  }

  /// The name of a pack among the favourites.
  private static func name(of pack: Shelf.Pack) -> String {
    "sticker " + pack.location.description
  }

  func add(look: String, meaning: String, _ thumbnails: Thumbnails?) {
    let place = looks.count
    let title = tr(look.prefix(1).uppercased() + look.dropFirst())
    looks.add("look " + look, title: title, text: tr(meaning)) { [unowned self] in
      onLook($0 ? look : nil)
    }
    thumbnails?.request(.look, "look", .literal(look)) { [unowned self] in
      looks.show($0, at: place)
    }
  }

  /// Appends a background; the choices are in the order of `BackgroundChoice.all`.
  func add(_ choice: BackgroundChoice, _ thumbnails: Thumbnails?) {
    let place = backgrounds.count
    let (title, text, icon) = Self.description(of: choice)
    backgrounds.add("background \(place)", title: title, text: text, icon: icon) {
      [unowned self] in onBackground($0 || choice == .picture ? choice : .none)
    }
    let show: (Frame) -> Void = { [unowned self] in backgrounds.show($0, at: place) }
    if let blur = choice.blur {
      thumbnails?.request(.background, "blur", .literal("\(blur)"), show)
    } else if case .installed(let name) = choice {
      thumbnails?.request(.background, "background", .path(FilePath(name)), show)
    }
  }

  private static func description(
    of choice: BackgroundChoice
  ) -> (title: String, text: String, icon: String) {
    switch choice {
    case .none:
      (tr("My room"), tr("Show the room as it is"), "user-home-symbolic")
    case .lightBlur:
      (tr("Light blur"), tr("Blur the room a little"), "view-reveal-symbolic")
    case .mediumBlur:
      (tr("Blur"), tr("Blur the room"), "view-reveal-symbolic")
    case .strongBlur:
      (tr("Strong blur"), tr("Blur the room until nothing is recognized"), "view-conceal-symbolic")
    case .installed(let name):
      (
        tr(name.prefix(1).uppercased() + name.dropFirst()), tr("Show a drawn background"),
        "image-x-generic-symbolic"
      )
    case .picture:
      (
        tr("Picture…"), tr("Show a picture or film of yours behind people"),
        "folder-pictures-symbolic"
      )
    case .screen:
      (
        tr("Screen"), tr("Remove a green or blue screen; click on it to pick its colour"),
        "color-select-symbolic"
      )
    }
  }

  /// Shows small thumbnails without names, or large ones with names.
  func setCompact(_ isCompact: Bool) {
    for page in [packs, looks, backgrounds] { page.setCompact(isCompact) }
  }

  /// Marks what is selected.
  func update(pack: Int?, look: String?, backgrounds chosen: [BackgroundChoice]) {
    packs.select { place, _ in place == pack }
    looks.select { _, name in look.map { name == "look " + $0 } ?? false }
    let choices = BackgroundChoice.all
    backgrounds.select { place, _ in
      choices.indices.contains(place) && chosen.contains(choices[place])
    }
  }

  /// Puts the favourites first on every page.
  func update(_ favorites: Favorites) {
    for page in [packs, looks, backgrounds] { page.sort(favorites) }
  }

  /// The page that is shown.
  private var page: ShelfPage {
    let shown = gtk_stack_get_visible_child(stack.opaque)
    return [looks, backgrounds].first { $0.widget.raw == shown } ?? packs
  }

  /// Selects the item that a number key means on the shown page; false where there is none.
  func typeDigit(_ digit: Int, at seconds: Double) -> Bool { page.typeDigit(digit, at: seconds) }

  /// The name of the selected item of the shown page; nil where none is.
  var selectedName: String? { page.selectedName }
}
