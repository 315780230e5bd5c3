import Binding
import Faces
import Frames
import Metadata
import Pixels
import Threads

@testable import Elements

struct FaceMosaicSettings: ElementSettings {
  // The initial value of a field is the default of its property.
  var blocks: UInt32 = 8
  var threads = 1
}

/// Fills faces found by a detector upstream with blocks.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! facedetect ! facemosaic ! autovideosink
final class FaceMosaic: Filter {
  static let description = ElementDescription(
    name: "facemosaic", typeName: "MienFaceMosaic", longName: "Face mosaic",
    classification: "Filter/Effect/Video",
    summary: "Fills faces found by a detector upstream with blocks",
    formats: PixelFormat.eightBit)

  static let properties: [Property<FaceMosaicSettings>] = [
    .uint("blocks", \.blocks, in: 1...64, "Number of blocks across a face."),
    .uint(
      "n-threads", \.threads, in: 0...64, atStart: true,
      "Threads per frame; 0 uses one per core. The output is the same for every number."),
  ]

  private let host: ElementHost
  private let faceBlocks = FaceBlocks()
  private var input = FaceInput(description.name)
  private var runner = ThreadPool(threads: 1)
  private var format: VideoFormat?

  init(host: ElementHost) { self.host = host }

  func start(_ settings: FaceMosaicSettings) throws(ElementError) {
    runner = ThreadPool(threads: settings.threads)
    input = FaceInput(Self.description.name)
  }

  func configure(_ format: VideoFormat) throws(ElementError) { self.format = format }

  func prepare(
    _ frame: borrowing FrameHeader, _ settings: FaceMosaicSettings
  ) throws(ElementError) -> Int? {
    guard let format else { return nil }
    input.read(frame, format, host)
    // Without a plan the frame is pushed unchanged: neither mapped nor copied.
    return faceBlocks.setFaces(input.faces) ? Int(settings.blocks) : nil
  }

  func process(_ frame: borrowing Frame, _ blocks: Int) throws(ElementError) {
    faceBlocks.fill(frame.picture, blocks: blocks, runner: runner)
  }

  func ended() { input.warnAtEnd(host) }

  func reset() { input.reset() }

  func stop() { runner = ThreadPool(threads: 1) }
}
