import Pixels
import Support

/// Counts of what is hidden in frames whose faces are known.
struct HidingScore {
  private let width, height: Int
  private var frames = 0
  /// Frames in which a due face is bare; and those with one of at least 32 pixels.
  private var bareFrames = (any: 0, large: 0)
  private var due = [Int](repeating: 0, count: FindingScore.classes.count)
  private var bare = [Int](repeating: 0, count: FindingScore.classes.count)
  /// The hidden fraction of each frame that belongs to no face.
  private var needless: [Double] = []

  init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  /// Adds a frame in I420 in which magenta marks what is hidden.
  mutating func add(_ bytes: [UInt8], _ truth: [FaceTruth], isFirst: Bool) {
    let hidden = mask(bytes)
    if !isFirst {
      frames += 1
      var isBare = (any: false, large: false)
      for face in truth where face.isDue {
        guard let size = FindingScore.classes.lastIndex(where: { $0 <= face.width }) else {
          continue
        }
        due[size] += 1
        if covered(face, hidden) < 0.98 {
          bare[size] += 1
          isBare = (true, isBare.large || size > 0)
        }
      }
      if isBare.any { bareFrames.any += 1 }
      if isBare.large { bareFrames.large += 1 }
    }
    var rest = hidden
    for face in truth {
      let margin = 0.25 * face.width
      let box = Rectangle(
        x: face.box.x - margin, y: face.box.y - margin, width: face.box.width + 2 * margin,
        height: face.box.height + 2 * margin)
      forEachPixel(in: box) { rest[$0] = false }
    }
    needless.append(Double(rest.count { $0 }) / Double(width * height))
  }

  private func mask(_ bytes: [UInt8]) -> [Bool] {
    let count = width * height
    guard bytes.count >= count * 3 / 2 else { return [Bool](repeating: false, count: count) }
    return bytes.withUnsafeBufferPointer { bytes in
      [Bool](unsafeUninitializedCapacity: count) { result, used in
        used = count
        for y in 0..<height {
          for x in 0..<width {
            let place = (y / 2) * (width / 2) + x / 2
            // Magenta in BT.709 is 78, 214 and 230; chroma at the edge is mixed, and nothing else
            // in the street is as magenta.
            let (luma, blue, red) = (
              Int(bytes[y * width + x]), Int(bytes[count + place]),
              Int(bytes[count * 5 / 4 + place])
            )
            result[y * width + x] = abs(luma - 78) <= 1 && blue > 145 && red > 165
          }
        }
      }
    }
  }

  /// The hidden fraction of the part of a face's ellipse that is inside the frame.
  private func covered(_ face: FaceTruth, _ hidden: [Bool]) -> Double {
    var (total, count) = (0, 0)
    forEachPixel(in: face.box) {
      total += 1
      if hidden[$0] { count += 1 }
    }
    return total == 0 ? 1 : Double(count) / Double(total)
  }

  /// The indices of the pixels inside the ellipse in a box.
  private func forEachPixel(in box: Rectangle, _ body: (Int) -> Void) {
    let (top, left) = (max(0, Int(box.y)), max(0, Int(box.x)))
    let (bottom, right) = (min(height, Int(box.maxY) + 1), min(width, Int(box.maxX) + 1))
    guard top < bottom, left < right else { return }
    for y in top..<bottom {
      let v = (Double(y) + 0.5 - box.center.y) / box.height
      for x in left..<right {
        let u = (Double(x) + 0.5 - box.center.x) / box.width
        if u * u + v * v <= 0.25 { body(y * width + x) }
      }
    }
  }

  var text: String {
    let sizes = zip(FindingScore.classNames, zip(bare, due)).map {
      "\($0) \($1.0)/\($1.1)"
    }
    let mean = needless.reduce(0, +) / Double(max(1, needless.count))
    return "frames with a bare due face \(bareFrames.any) of \(frames), of 32 px or more"
      + " \(bareFrames.large); bare faces by width "
      + sizes.joined(separator: ", ")
      + "; hidden without a face: mean \(tenths(100 * mean)) %,"
      + " maximum \(tenths(100 * (needless.max() ?? 0))) % of the frame"
  }
}
