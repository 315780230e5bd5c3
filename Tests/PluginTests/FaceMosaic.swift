import Binding
import Faces
import Frames
import Metadata
import Pixels

struct FaceMosaicSettings: ElementSettings {
  // A field's first value is the property's default.
  var blocks: UInt32 = 8
}

/// Hides faces behind blocks.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! facedetect ! facemosaic ! autovideosink
final class FaceMosaic: Filter {
  static let description = ElementDescription(
    name: "facemosaic", typeName: "MienFaceMosaic", longName: "Face mosaic",
    classification: "Filter/Effect/Video",
    summary: "Hides the faces that a detector upstream has found behind blocks",
    formats: PixelFormat.allCases)

  static let properties: [Property<FaceMosaicSettings>] = [
    .uint(
      "blocks", \.blocks, in: 1...64,
      "Blocks across a face; fewer hide more.")
  ]

  private var format: VideoFormat?
  private var faces: [Face] = []

  init(host: ElementHost) {}

  func configure(_ format: VideoFormat) throws(ElementError) { self.format = format }

  // Without a plan the frame goes on as it came: not mapped, not copied.
  func prepare(
    _ frame: borrowing FrameHeader, _ settings: FaceMosaicSettings
  ) throws(ElementError) -> Mosaic? {
    guard let format,
      frame.readFaces(into: &faces, width: format.width, height: format.height), !faces.isEmpty
    else { return nil }
    return Mosaic(boxes: faces.map(\.box), blocks: Int(settings.blocks))
  }

  func process(_ frame: borrowing Frame, _ mosaic: Mosaic) throws(ElementError) {
    mosaic.cover(frame.picture)
  }
}

/// The pixel work: it knows pictures and rectangles, and no GStreamer.
///
/// It belongs in a module of its own.
struct Mosaic {
  /// In shares of the picture.
  let boxes: [Rectangle]
  /// Blocks across a box.
  let blocks: Int

  /// Fills the blocks of every box, each with its mean.
  func cover(_ picture: borrowing Picture) {
    // One loop serves every format: a component knows where its samples lie.
    for index in picture.format.layout.components.indices {
      let samples = picture.component(index)
      for box in boxes {
        for block in 0..<blocks * blocks {
          fill(
            samples, range(box.x, box.width, block % blocks, in: samples.width),
            range(box.y, box.height, block / blocks, in: samples.height))
        }
      }
    }
  }

  /// Where block `number` begins and ends along a side of `size` samples, clipped to it.
  private func range(
    _ start: Double, _ length: Double, _ number: Int, in size: Int
  ) -> Range<Int> {
    func place(_ part: Int) -> Int {
      let share = start + length * Double(part) / Double(blocks)
      // Written so that no number at all gives 0: metadata can hold anything.
      return share > 0 ? Int(min(share, 1) * Double(size)) : 0
    }
    return place(number)..<max(place(number), place(number + 1))
  }

  private func fill(_ samples: Component, _ xs: Range<Int>, _ ys: Range<Int>) {
    guard !xs.isEmpty, !ys.isEmpty else { return }
    var sum = 0
    for y in ys { for x in xs { sum &+= Int(samples[x, y]) } }
    let mean = UInt8(sum / (xs.count * ys.count))
    for y in ys { for x in xs { samples[x, y] = mean } }
  }
}
