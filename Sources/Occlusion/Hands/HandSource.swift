package import Faces
package import Pixels

/// What finds the hands that may be before faces.
package protocol HandSource: AnyObject {
  /// Whether it finds hands at all.
  var canSearch: Bool { get }

  /// The hands of this picture that are known so far; searches add to their end.
  var hands: [Hand] { get }

  /// Searches for more hands around a face, whose bounds in pixels are `box`, unless that has just
  /// been done.
  func search(_ picture: borrowing Picture, around box: Rectangle, _ reason: HandSearchReason)

  /// Says that a hand, by its number, is at a face; others are not followed.
  func follow(_ number: Int)
}

/// Why hands are sought.
package enum HandSearchReason: Sendable {
  /// The face is new: a hand may be before it already.
  case newFace
  /// Something covers the face that no known hand explains.
  case covered
  /// Nothing is known to cover the face.
  case bare
}
