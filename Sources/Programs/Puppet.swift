package import CGStreamer
import Client
import Faces
import Pixels
package import Puppets

/// Sends the face in each frame to a program that animates an avatar.
///
/// An application of the metadata `MienFaces`, which it reads through GStreamer's API. One thread at a
/// time.
package final class Puppet {
  private let kind: PuppetProtocol
  private let sender: DatagramSender
  private let start = MonotonicClock.seconds
  /// The id of the face that was sent last.
  private var id: UInt32 = 0

  /// As `DatagramSender.init`.
  package init(_ kind: PuppetProtocol, to place: String?) throws(ProgramError) {
    self.kind = kind
    sender = try DatagramSender(to: place, port: kind.port)
  }

  /// The receiver, as "127.0.0.1:39539".
  package var place: String { sender.place }

  /// Why the last datagram was not sent; nil if it was.
  package var failure: String? { sender.failure }

  /// Sends the face of a frame: the one that was sent before, else the largest.
  package func send(_ buffer: UnsafeMutablePointer<GstBuffer>) {
    guard let frame = DetectionStructures(.faces, of: buffer) else { return }
    let faces = frame.entries.map { Face($0) }
    let face = faces.first { $0.id == id } ?? faces.max { $0.box.area < $1.box.area }
    id = face?.id ?? 0
    let sent = face.map { PuppetFace($0, width: frame.width, height: frame.height) }
    if let datagram = kind.datagram(sent, time: MonotonicClock.seconds - start) {
      sender.send(datagram)
    }
  }
}

extension Face {
  /// A structure "face" of the metadata.
  fileprivate init(_ face: UnsafePointer<GstStructure>) {
    func number(_ name: String) -> Double? {
      var number = 0.0
      return gst_structure_get_double(face, name, &number) != 0 ? number : nil
    }
    var id: guint = 0
    gst_structure_get_uint(face, "id", &id)
    self.init(
      id: id, confidence: number("confidence") ?? 0,
      box: Rectangle(
        x: number("x") ?? 0, y: number("y") ?? 0, width: number("width") ?? 0,
        height: number("height") ?? 0))
    keypoints = DetectionStructures.points(face, "keypoints", of: 2) {
      Point(x: Double($0[0]), y: Double($0[1]))
    }
    landmarks = DetectionStructures.points(face, "landmarks", of: 3) {
      Landmark(x: $0[0], y: $0[1], z: $0[2])
    }
    blendshapes = DetectionStructures.points(face, "blendshapes", of: 1) { $0[0] }
    transform = DetectionStructures.points(face, "transform", of: 1) { $0[0] }
    pose = number("roll").map {
      HeadPose(roll: $0, yaw: number("yaw") ?? 0, pitch: number("pitch") ?? 0)
    }
    expression = number("smile").map {
      Expression(
        leftEyeOpen: number("left-eye-open") ?? 1, rightEyeOpen: number("right-eye-open") ?? 1,
        mouthOpen: number("mouth-open") ?? 0, smile: $0)
    }
  }
}
