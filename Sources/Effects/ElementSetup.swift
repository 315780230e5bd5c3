package import Client
package import Files

/// An element of a chain of effects, and the values of its properties.
package struct ElementSetup: Equatable, Sendable {
  package enum Value: Equatable, Sendable {
    /// In gst-launch syntax: a number, or the nick of an enumeration.
    case text(String)
    /// The name of a file or folder, which is not parsed.
    case path(FilePath)
  }

  package struct Assignment: Equatable, Sendable {
    package let name: String
    package let value: Value

    package init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }
  }

  package let factory: String
  package var properties: [Assignment]
  /// Properties that are set for films alone.
  package var filmProperties: [Assignment]
  /// A preset, which is loaded before properties are set.
  package var preset: String?

  package init(
    _ factory: String, _ properties: [Assignment] = [], filmProperties: [Assignment] = [],
    preset: String? = nil
  ) {
    (self.factory, self.properties) = (factory, properties)
    (self.filmProperties, self.preset) = (filmProperties, preset)
  }

  /// Whether an element that was set up by `old` has this setup once `properties` are set: no preset
  /// and no property has to return to its default.
  package func isReached(from old: ElementSetup) -> Bool {
    factory == old.factory && preset == old.preset
      && properties.map(\.name) == old.properties.map(\.name)
      && filmProperties == old.filmProperties
      && (preset == nil || properties == old.properties)
  }

  /// Sets up an element that `factory` made.
  ///
  /// `threads`: for the property n-threads; 0 for all cores.
  package func apply(to element: Element, threads: Int, isFilm: Bool) throws(EffectError) {
    element.setThreads(threads)
    if let preset, !element.loadPreset(preset) {
      throw EffectError(
        "there is no preset \(preset) of \(factory); there are "
          + element.presets.joined(separator: ", "))
    }
    setProperties(of: element, isFilm: isFilm)
  }

  /// Sets the properties alone.
  package func setProperties(of element: Element, isFilm: Bool) {
    for assignment in properties + (isFilm ? filmProperties : []) {
      switch assignment.value {
      case .text(let text): element.set(assignment.name, text)
      case .path(let path): element.set(assignment.name, string: path)
      }
    }
  }
}

/// A chain that cannot be made as it was asked for.
package struct EffectError: Error, Equatable {
  /// What is wrong and what there is instead, without a capital letter or a full stop.
  package let text: String

  package init(_ text: String) { self.text = text }
}

extension Element {
  /// Sets the property n-threads where the element has it; 0 for all cores.
  package func setThreads(_ count: Int) {
    if has("n-threads") { set("n-threads", "\(count)") }
  }
}
