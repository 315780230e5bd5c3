import CGStreamer
import Elements
import Pixels
import Support

/// Registers the elements in this process, once, as the plugin file would.
enum Registered {
  static let now: Bool = {
    gst_init(nil, nil)
    return gst_plugin_register_static(
      gint(GST_VERSION_MAJOR), gint(GST_VERSION_MINOR), "mien-under-test", "elements under test",
      { registerElements($0) }, "0", "MIT/X11", "gst-mien", "gst-mien", "local") != 0
  }()

  /// Runs a pipeline whose last element is called "sink" and returns the frames that reach it.
  static func frames(_ description: String, at element: String = "sink") throws -> [CapturedFrame] {
    precondition(now)
    let pipeline = try Pipeline(description)
    return try pipeline.frames(at: element)
  }

  /// The photograph as a stream of `count` frames in the given format and size; its upper part
  /// where that is wider than high, so that the face keeps its shape.
  static func photograph(
    _ format: PixelFormat = .rgb, width: Int = 512, height: Int = 512, count: Int = 1
  ) -> String {
    let bottom = max(0, 512 - (512 * height + width / 2) / width)
    return "filesrc location=\(Photograph.path) ! pngdec ! videocrop bottom=\(bottom)"
      + " ! imagefreeze num-buffers=\(count) ! videoconvert ! videoscale add-borders=false"
      + " ! video/x-raw,width=\(width),height=\(height),pixel-aspect-ratio=1/1 ! videoconvert"
      + " ! video/x-raw,format=\(format.rawValue)"
  }
}

/// Where the face is in the photograph, in shares: genuine mediapipe, full-range model.
enum KnownFace {
  static let box = Rectangle(
    x: 173.659 / 512, y: 67.776 / 512, width: 103.929 / 512, height: 103.926 / 512)
  static let leftEye = Point(x: 202.806 / 512, y: 103.499 / 512)
  static let rightEye = Point(x: 247.980 / 512, y: 105.884 / 512)
}
