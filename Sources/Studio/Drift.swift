import Glibc

/// How the photograph moves while nothing else is shown: gently, as a camera in a hand.
package enum Drift {
  /// Where the part that is seen lies in the whole at a time in seconds, by its top left corner:
  /// somewhere in 0...`room`, in whole pixels.
  package static func corner(
    at seconds: Double, room: (width: Int, height: Int)
  ) -> (x: Int, y: Int) {
    func swing(_ period: Double, _ room: Int) -> Int {
      Int(((0.5 + 0.5 * sin(seconds * 2 * .pi / period)) * Double(room)).rounded())
    }
    return (swing(13, room.width), swing(9, room.height))
  }
}
