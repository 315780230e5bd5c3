/// What copies frames from other memory to the main memory, by the feature that caps have for it.
package struct FrameMemory: Sendable {
  /// As caps name it, such as "memory:GLMemory".
  package let feature: String
  /// The element in gst-launch syntax, and the Debian package that has it.
  package let element, package: String

  private static let all = [
    FrameMemory("memory:GLMemory", "gldownload", "gstreamer1.0-gl"),
    FrameMemory("memory:CUDAMemory", "cudadownload", "gstreamer1.0-plugins-bad"),
    FrameMemory("memory:VAMemory", "vapostproc", "gstreamer1.0-plugins-bad"),
    FrameMemory("memory:DMABuf", "vapostproc", "gstreamer1.0-plugins-bad"),
    FrameMemory("memory:VASurface", "vaapipostproc", "gstreamer1.0-vaapi"),
    FrameMemory("memory:VulkanImage", "vulkandownload", "gstreamer1.0-plugins-bad"),
    // Pictures beside the frame, which an element draws on it.
    FrameMemory(
      "meta:GstVideoOverlayComposition", "overlaycomposition", "gstreamer1.0-plugins-base"),
  ]

  private init(_ feature: String, _ element: String, _ package: String) {
    (self.feature, self.element, self.package) = (feature, element, package)
  }

  /// The first one that is known among the features of caps, as "memory:DMABuf, meta:Other", or of caps in
  /// gst-launch syntax.
  package init?(features: String) {
    guard let found = Self.all.first(where: { features.contains($0.feature) }) else { return nil }
    self = found
  }
}
