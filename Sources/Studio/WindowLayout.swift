/// How the window is arranged at a size.
package struct WindowLayout: Equatable, Sendable {
  /// Whether the panel is a drawer over the picture, with most buttons of the header in it.
  package let isNarrow: Bool
  /// Whether the shelf is low: small thumbnails without names.
  package let isShort: Bool

  /// Narrower windows are narrow, in units of the screen: the buttons of the header need nearly as much.
  package static let narrow = 920
  /// Lower windows are short.
  package static let short = 560

  package init(width: Int, height: Int) {
    isNarrow = width < Self.narrow
    isShort = height < Self.short
  }
}
