package import Files

/// What the shelf offers for the background behind people.
package enum BackgroundChoice: Equatable, Sendable {
  /// The camera's own.
  case none
  case lightBlur, mediumBlur, strongBlur
  /// A picture that comes with the plugin, by its name.
  case installed(String)
  /// A file of the user.
  case picture
  /// The picture behind a green or blue screen.
  case screen

  /// The names of the pictures that come with the plugin.
  package static let names = ["office", "room", "library", "studio", "beach", "mountains"]

  /// In the order of the shelf.
  package static let all: [BackgroundChoice] =
    [.none, .lightBlur, .mediumBlur, .strongBlur] + names.map { .installed($0) }
    + [.picture, .screen]

  /// The blur in percent of the frame's height; nil where the room is not blurred.
  package var blur: Double? {
    switch self {
    case .lightBlur: 1.5
    case .mediumBlur: 3
    case .strongBlur: 7
    case .none, .installed, .picture, .screen: nil
    }
  }
}

extension ElementChain {
  /// The choices that the chain shows; several where a screen is replaced by a picture.
  package var backgrounds: [BackgroundChoice] {
    let keyers: [ElementKind] = [.background, .screen]
    let active = keyers.filter { isOn($0) }
    guard !active.isEmpty else { return [.none] }
    var choices: [BackgroundChoice] = isOn(.screen) ? [.screen] : []
    for case .path(let picture)? in active.map({ value("background", of: $0) }) {
      let name = BackgroundChoice.names.first { picture == FilePath($0) }
      choices.append(name.map { .installed($0) } ?? .picture)
    }
    if isOn(.background), case .literal(let text)? = value("blur", of: .background),
      value("background", of: .background) == nil,
      let blur = Double(text)
    {
      choices += BackgroundChoice.all.filter { $0.blur == blur }
    }
    return choices
  }

  /// Shows a blurred room, a picture that comes with the plugin, the screen's background, or the camera's
  /// own.
  ///
  /// Properties of the matte stay. A picture of the user needs `setBackground(picture:)`.
  package mutating func setBackground(_ choice: BackgroundChoice) {
    if case .installed(let name) = choice { return setBackground(picture: FilePath(name)) }
    turn(.background, on: choice.blur != nil)
    turn(.screen, on: choice == .screen)
    guard let blur = choice.blur else { return }
    set("background", of: .background, to: nil)
    set("background-color", of: .background, to: nil)
    let isWhole = blur == blur.rounded()
    set("blur", of: .background, to: .literal(isWhole ? "\(Int(blur))" : "\(blur)"))
  }

  /// Shows a picture or film behind people, or in place of the screen where that is on.
  package mutating func setBackground(picture: FilePath) {
    let kind: ElementKind = isOn(.screen) ? .screen : .background
    turn(kind, on: true)
    set("background", of: kind, to: .path(picture))
  }
}
