package import Faces
package import Pixels
package import Threads

/// Fills the boxes of faces with blocks of their mean values.
///
/// Keeps its memory from frame to frame. One object per stream, for one thread at a time.
package final class FaceBlocks {
  /// Boxes in normalized coordinates: 0 to 1 across the picture, and possibly beyond.
  private var boxes: [Rectangle] = []

  package init() {}

  /// Sets the faces of the next picture; false if there is nothing to fill.
  package func setFaces(_ faces: [Face]) -> Bool {
    boxes.removeAll(keepingCapacity: true)
    for face in faces { boxes.append(face.box) }
    return !boxes.isEmpty
  }

  /// Fills every box with `blocks` x `blocks` blocks.
  ///
  /// Threads get whole rows of blocks, which share no sample: any number of threads gives the same bits.
  package func fill(_ picture: borrowing Picture, blocks: Int, runner: any SliceRunner) {
    // One loop for all formats: a component knows the layout of its samples.
    for index in picture.format.layout.components.indices {
      let samples = picture.component(index)
      // Boxes may overlap, so they are filled one after another.
      for box in boxes {
        runner.run(blocks) { row in
          let ys = Self.samples(box.y, box.height, block: row, of: blocks, count: samples.height)
          for column in 0..<blocks {
            let xs = Self.samples(
              box.x, box.width, block: column, of: blocks, count: samples.width)
            Self.fillBlock(samples, xs, ys)
          }
        }
      }
    }
  }

  /// The samples of one block along one axis with `count` samples.
  private static func samples(
    _ start: Double, _ length: Double, block: Int, of blocks: Int, count: Int
  ) -> Range<Int> {
    func edge(_ number: Int) -> Int {
      let position = start + length * Double(number) / Double(blocks)
      // False for NaN, which metadata may contain.
      return position > 0 ? Int(min(position, 1) * Double(count)) : 0
    }
    return edge(block)..<max(edge(block), edge(block + 1))
  }

  private static func fillBlock(_ samples: Component, _ xs: Range<Int>, _ ys: Range<Int>) {
    guard !xs.isEmpty, !ys.isEmpty else { return }
    var sum = 0
    for y in ys { for x in xs { sum &+= Int(samples[x, y]) } }
    let mean = UInt8(sum / (xs.count * ys.count))
    for y in ys { for x in xs { samples[x, y] = mean } }
  }
}
