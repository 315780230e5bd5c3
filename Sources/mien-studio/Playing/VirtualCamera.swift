import Client
import Glibc

/// The sink of a virtual camera.
enum VirtualCamera {
  /// In gst-launch syntax; nil where the system has neither v4l2loopback nor PipeWire.
  static var description: String? {
    for number in 0..<64 {
      let name = "video\(number)"
      if access("/sys/devices/virtual/video4linux/\(name)", F_OK) == 0,
        access("/dev/\(name)", W_OK) == 0
      {
        return "videoconvert ! video/x-raw,format=YUY2 ! v4l2sink device=/dev/\(name) sync=false"
      }
    }
    if let folder = getenv("XDG_RUNTIME_DIR"),
      access(String(cString: folder) + "/pipewire-0", W_OK) == 0,
      Element.isAvailable("pipewiresink")
    {
      return "videoconvert ! pipewiresink mode=provide"
        + " stream-properties=\"p,media.class=Video/Source,node.description=Mien\""
    }
    return nil
  }
}
