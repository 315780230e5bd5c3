import Programs
import Studio

extension Element {
  /// Sets a property to what the model says.
  func set(_ name: String, _ value: Setting) {
    switch value {
    case .word(let word): set(name, word)
    case .file(let path): set(name, text: path)
    }
  }
}
