package import Faces
import Pixels

extension Frame {
  /// The element message that tells an application of the faces in this frame.
  ///
  /// Laid out as the message of gst-opencv's facedetect: `timestamp`, `stream-time`,
  /// `running-time`, `duration` (uint64, nanoseconds) and a list `faces` of structures `face`
  /// with `x`, `y`, `width`, `height` (uint, pixels, clipped to the frame). Added here: `id`,
  /// `confidence`, and pose and expressions where they are known. The largest face comes last,
  /// for that is the one `faceoverlay` decorates.
  package func facesMessage(named name: StaticString, _ faces: [Face]) -> Structure {
    let message = Structure(name)
    message.set("timestamp", time: header.timestamp)
    message.set("stream-time", time: header.streamTime)
    message.set("running-time", time: header.runningTime)
    message.set("duration", time: header.duration)
    let (width, height) = (Double(picture.width), Double(picture.height))
    let ordered = faces.sorted { $0.box.area < $1.box.area }
    message.set("faces", listOf: ordered.count) { index in
      Self.describe(ordered[index], width, height)
    }
    return message
  }

  /// The element message that tells of something that happened to a face in this frame:
  /// `event` (string), `id` (uint) and the frame's times.
  package func eventMessage(_ event: String, face id: UInt32) -> Structure {
    let message = Structure("face-event")
    message.set("event", event)
    message.set("id", id)
    message.set("timestamp", time: header.timestamp)
    message.set("stream-time", time: header.streamTime)
    message.set("running-time", time: header.runningTime)
    message.set("duration", time: header.duration)
    return message
  }

  private static func describe(_ face: Face, _ width: Double, _ height: Double) -> Structure {
    let frame = Rectangle(x: 0, y: 0, width: width, height: height)
    let box = face.box.scaled(x: width, y: height).intersection(frame)
    func pixels(_ value: Double) -> UInt32 { UInt32(max(0, min(value, 65535)).rounded()) }
    let s = Structure("face")
    s.set("x", pixels(box.x))
    s.set("y", pixels(box.y))
    s.set("width", pixels(box.width))
    s.set("height", pixels(box.height))
    s.set("id", face.id)
    s.set("confidence", face.confidence)
    if let pose = face.pose {
      s.set("roll", pose.roll)
      s.set("yaw", pose.yaw)
      s.set("pitch", pose.pitch)
    }
    if let expression = face.expression {
      s.set("left-eye-open", expression.leftEyeOpen)
      s.set("right-eye-open", expression.rightEyeOpen)
      s.set("mouth-open", expression.mouthOpen)
      s.set("smile", expression.smile)
    }
    return s
  }
}
