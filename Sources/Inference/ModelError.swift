/// Why a model file was refused; the text names the part of the file that is wrong.
package struct ModelError: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
