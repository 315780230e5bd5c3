package import Client
package import Files
import Glibc

/// A camera that other programs find, and that shows the frames of a pipeline.
package enum VirtualCamera: Equatable {
  /// A device of the kernel module v4l2loopback.
  case loopback(FilePath)
  /// A node of PipeWire; browsers find it through the camera portal.
  case pipeWire

  /// The name of the camera in other programs; a loopback device has its own.
  package static let name = "Mien"

  /// The property of a PipeWire node that tells the process that made it.
  package static let processProperty = "mien.process"

  /// What the system has: a loopback device where one is loaded, else PipeWire.
  ///
  /// The error says what is missing, and what to do.
  package static func find() throws(ProgramError) -> VirtualCamera {
    for number in 0..<64 {
      let name = "video\(number)"
      if access("/sys/devices/virtual/video4linux/\(name)", F_OK) == 0,
        access("/dev/\(name)", W_OK) == 0
      {
        return .loopback(FilePath("/dev/\(name)"))
      }
    }
    guard Element.isAvailable("pipewiresink") else {
      throw .failure(
        "the system has no way to be a camera: install gstreamer1.0-pipewire, or the kernel "
          + "module v4l2loopback-dkms")
    }
    guard isPipeWireRunning else {
      throw .failure(
        "PipeWire does not run for this user: install pipewire and wireplumber, log in again, or "
          + "start both with systemctl --user start pipewire wireplumber")
    }
    return .pipeWire
  }

  /// Whether the socket of PipeWire's daemon is where its library looks for it.
  private static var isPipeWireRunning: Bool {
    for variable in ["PIPEWIRE_RUNTIME_DIR", "XDG_RUNTIME_DIR"] {
      if let folder = getenv(variable) {
        let name = getenv("PIPEWIRE_REMOTE").map { String(cString: $0) } ?? "pipewire-0"
        return access(String(cString: folder) + "/" + name, W_OK) == 0
      }
    }
    return false
  }

  /// The sink, with conversion to a format that other programs take, in gst-launch syntax.
  ///
  /// The format is named: without it `videoconvert` would choose one that PipeWire does not know,
  /// and consumers would find a camera without a format.
  package var sinkDescription: String {
    switch self {
    case .loopback(let device):
      "videoconvert ! video/x-raw,format=YUY2 ! v4l2sink device=\(device) sync=false"
    case .pipeWire:
      "videoconvert ! video/x-raw,format=I420 ! pipewiresink name=camera mode=provide"
        + " stream-properties=\"properties,media.class=Video/Source,media.role=Camera"
        + ",node.name=mien,node.description=\(Self.name)"
        + ",\(Self.processProperty)=(string)\(getpid())\""
    }
  }

  /// Whether an error of the sink says that the last consumer ended.
  ///
  /// PipeWire 1.4.2's `pipewiresink` reports the buffers that a consumer takes with it as a resource that is
  /// not found. The sink is of no more use then; a new one is.
  package static func isEndOfConsumer(_ report: BusReport) -> Bool {
    report.isMissingResource && report.source?.factoryName == "pipewiresink"
  }
}
