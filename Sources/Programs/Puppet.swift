package import CGStreamer
import Client
package import Faces
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
    guard let frame = MetadataFaces(buffer) else { return }
    let face = frame.faces.first { $0.id == id } ?? frame.faces.max { $0.box.area < $1.box.area }
    id = face?.id ?? 0
    let sent = face.map { PuppetFace($0, width: frame.width, height: frame.height) }
    if let datagram = kind.datagram(sent, time: MonotonicClock.seconds - start) {
      sender.send(datagram)
    }
  }
}

/// The `MienFaces` of a buffer, as far as puppets need them.
package struct MetadataFaces {
  /// Of the frame, in pixels.
  package let width, height: Int
  package private(set) var faces: [Face] = []

  /// Nil without the metadata.
  package init?(_ buffer: UnsafeMutablePointer<GstBuffer>) {
    guard let meta = gst_buffer_get_custom_meta(buffer, "MienFaces"),
      let contents = gst_custom_meta_get_structure(meta)
    else { return nil }
    var (width, height): (guint, guint) = (0, 0)
    gst_structure_get_uint(contents, "width", &width)
    gst_structure_get_uint(contents, "height", &height)
    (self.width, self.height) = (Int(width), Int(height))
    guard let list = gst_structure_get_value(contents, "faces"),
      g_type_check_value_holds(list, gst_value_array_get_type()) != 0
    else { return }
    for index in 0..<min(gst_value_array_get_size(list), 64) {
      let item = gst_value_array_get_value(list, index)
      if let item, let face = gst_value_get_structure(item) { faces.append(Face(face)) }
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
    keypoints = Self.points(face, "keypoints", of: 2) { Point(x: Double($0[0]), y: Double($0[1])) }
    landmarks = Self.points(face, "landmarks", of: 3) { Landmark(x: $0[0], y: $0[1], z: $0[2]) }
    blendshapes = Self.points(face, "blendshapes", of: 1) { $0[0] }
    transform = Self.points(face, "transform", of: 1) { $0[0] }
    pose = number("roll").map {
      HeadPose(roll: $0, yaw: number("yaw") ?? 0, pitch: number("pitch") ?? 0)
    }
    expression = number("smile").map {
      Expression(
        leftEyeOpen: number("left-eye-open") ?? 1, rightEyeOpen: number("right-eye-open") ?? 1,
        mouthOpen: number("mouth-open") ?? 0, smile: $0)
    }
  }

  /// A field of bytes as groups of `size` floats; at most 512 of them.
  private static func points<T>(
    _ face: UnsafePointer<GstStructure>, _ name: String, of size: Int, _ make: (SIMD3<Float>) -> T
  ) -> [T] {
    var length: gsize = 0
    guard let value = gst_structure_get_value(face, name),
      g_type_check_value_holds(value, cgst_type_bytes()) != 0,
      let bytes = g_value_get_boxed(value),
      let data = g_bytes_get_data(OpaquePointer(bytes), &length)
    else { return [] }
    return (0..<min(Int(length) / (4 * size), 512)).map { index in
      var group = SIMD3<Float>()
      for place in 0..<size {
        group[place] = data.loadUnaligned(
          fromByteOffset: 4 * (index * size + place), as: Float.self)
      }
      return make(group)
    }
  }
}
