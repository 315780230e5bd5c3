import Faces
import Gst
import Pixels

struct FaceMosaicSettings: ElementSettings {
  // A field's first value is the property's default.
  var blocks: UInt32 = 8
}

/// Hides faces behind blocks.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! facedetect ! facemosaic ! autovideosink
final class FaceMosaic: VideoElement {
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

  // A frame without faces goes on as it came: not mapped, not copied.
  func access(to frame: borrowing FrameHeader, _ settings: FaceMosaicSettings) -> FrameAccess {
    guard let format else { return .none }
    let isKnown = frame.readFaces(into: &faces, width: format.width, height: format.height)
    return isKnown && !faces.isEmpty ? .change : .none
  }

  func process(_ frame: borrowing Frame, _ settings: FaceMosaicSettings) throws(ElementError) {
    let mosaic = Mosaic(blocks: Int(settings.blocks))
    for face in faces { mosaic.cover(face.box, of: frame.picture) }
  }
}

/// The pixel work: it knows pictures and rectangles, and no GStreamer.
///
/// It belongs in `Effects`.
struct Mosaic {
  /// Blocks across a rectangle.
  let blocks: Int

  /// Fills the blocks of `box`, in shares of the picture, each with its mean.
  func cover(_ box: Rectangle, of picture: borrowing Picture) {
    // One loop serves every format: a component knows where its samples lie.
    for index in picture.format.layout.components.indices {
      let samples = picture.component(index)
      for row in 0..<blocks {
        for column in 0..<blocks {
          let xs = range(box.x, box.width, column, in: samples.width)
          let ys = range(box.y, box.height, row, in: samples.height)
          fill(samples, xs, ys)
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
