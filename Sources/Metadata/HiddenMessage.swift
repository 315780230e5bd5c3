package import Frames
package import Pixels

/// A hidden area of a frame, as reported to applications.
package struct HiddenRegion {
  /// The face's id; 0 without one.
  let id: UInt32
  /// The reason: "seen", "held", "between", "ahead" or "unknown".
  let cause: String
  /// In pixels; may reach beyond the frame.
  let box: Rectangle

  package init(id: UInt32, cause: String, box: Rectangle) {
    (self.id, self.cause, self.box) = (id, cause, box)
  }
}

extension FrameHeader {
  /// The element message `facehide` about the hidden areas of this frame: its times, and a list
  /// `faces` of structures `face` with `id` (uint), `cause` (string), `x`, `y`, `width` and
  /// `height` (double, pixels).
  package func hiddenMessage(_ parts: [HiddenRegion]) -> Structure {
    let message = Structure("facehide")
    message.set(timesOf: self)
    message.set("faces", listOf: parts.count) { index in
      let face = Structure("face")
      face.set("id", parts[index].id)
      face.set("cause", parts[index].cause)
      face.set("x", parts[index].box.x)
      face.set("y", parts[index].box.y)
      face.set("width", parts[index].box.width)
      face.set("height", parts[index].box.height)
      return face
    }
    return message
  }
}
