package import Faces
package import Frames
import Pixels

extension Frame {
  /// The element message about the faces in this frame.
  ///
  /// Compatible with gst-opencv's facedetect: `timestamp`, `stream-time`, `running-time`,
  /// `duration` (uint64, nanoseconds) and a list `faces` of structures `face` with `x`, `y`,
  /// `width`, `height` (uint, pixels, clipped to the frame). Additional fields: `id`, `confidence`,
  /// and pose and expressions if they are known. The largest face comes last, as `faceoverlay`
  /// decorates the last one. If hands were searched for, there is also a list `hands` of structures `hand` with
  /// the same numbers, the side and the gesture.
  package func facesMessage(
    named name: StaticString, _ faces: [Face], hands: [TrackedHand]? = nil
  ) -> Structure {
    let message = Structure(name)
    message.set(timesOf: header)
    let (width, height) = (Double(picture.width), Double(picture.height))
    let ordered = faces.sorted { $0.box.area < $1.box.area }
    message.set("faces", listOf: ordered.count) { index in
      Self.faceStructure(ordered[index], width, height)
    }
    if let hands {
      message.set("hands", listOf: hands.count) { Self.handStructure(hands[$0], width, height) }
    }
    return message
  }

  /// The element message about an event of a face in this frame: `event` (string), `id` (uint) and
  /// the frame's times.
  package func eventMessage(_ event: String, face id: UInt32) -> Structure {
    let message = Structure("face-event")
    message.set("event", event)
    message.set("id", id)
    message.set(timesOf: header)
    return message
  }

  private static func handStructure(
    _ hand: TrackedHand, _ width: Double, _ height: Double
  ) -> Structure {
    let s = Structure("hand")
    s.set(hand.box, clippedTo: width, height)
    s.set("id", hand.id)
    s.set("confidence", hand.confidence)
    s.set(sideOf: hand)
    return s
  }

  private static func faceStructure(_ face: Face, _ width: Double, _ height: Double) -> Structure {
    let s = Structure("face")
    s.set(face.box, clippedTo: width, height)
    s.set("id", face.id)
    s.set("confidence", face.confidence)
    s.set(poseOf: face)
    s.set(expressionOf: face)
    return s
  }
}

extension Structure {
  func set(timesOf header: borrowing FrameHeader) {
    set("timestamp", time: header.timestamp)
    set("stream-time", time: header.streamTime)
    set("running-time", time: header.runningTime)
    set("duration", time: header.duration)
  }

  /// Sets a normalized box in whole pixels of a frame of this size, clipped to it.
  fileprivate func set(_ box: Rectangle, clippedTo width: Double, _ height: Double) {
    let frame = Rectangle(x: 0, y: 0, width: width, height: height)
    let box = box.scaled(x: width, y: height).intersection(frame)
    func pixels(_ value: Double) -> UInt32 { UInt32(max(0, min(value, 65535)).rounded()) }
    set("x", pixels(box.x))
    set("y", pixels(box.y))
    set("width", pixels(box.width))
    set("height", pixels(box.height))
  }

  /// Sets the head pose in degrees, if it is known.
  func set(poseOf face: Face) {
    guard let pose = face.pose else { return }
    set("roll", pose.roll)
    set("yaw", pose.yaw)
    set("pitch", pose.pitch)
  }

  /// Sets eye opening, mouth opening and smile, 0...1, if they are known.
  func set(expressionOf face: Face) {
    guard let expression = face.expression else { return }
    set("left-eye-open", expression.leftEyeOpen)
    set("right-eye-open", expression.rightEyeOpen)
    set("mouth-open", expression.mouthOpen)
    set("smile", expression.smile)
  }
}
