import Support

/// Measures the flicker of masks of people on films, in static parts of the picture.
///
/// The figure is the root of the mean squared change between frames, in percent (dtSSD without a
/// reference), over pixels around which luma changed by less than `still` codes on average. Over
/// the whole picture it would measure how much people move: a mask that does not follow them would
/// get a better figure.
enum PersonFlickerBench {
  private static let (width, height) = (640, 360)
  private static let films = [("single_face.mp4", 72), ("WolfgangLanger_Pexels.mp4", 150)]
  /// The limit of the mean change of luma over 5x5 cells of 2x2 pixels, in codes.
  private static let still: Float = 2

  static func run(_ report: Report) {
    report.line(
      "\nFlicker where nothing moves, \(width)x\(height), in percent; in brackets over all.")
    for (film, frames) in films {
      let folder = ScratchFolder()
      let (planes, colors) = (folder.path + "/film.i420", folder.path + "/film.rgb")
      let out = folder.path + "/out.raw"
      let source =
        "gst-launch-1.0 -q filesrc location=models/scenes/\(film) ! decodebin ! videoconvert"
        + " ! videoscale add-borders=false ! videoconvert"
        + " ! video/x-raw,width=\(width),height=\(height),pixel-aspect-ratio=1/1,format="
      guard execute(words(source + "I420 ! filesink location=\(planes)")) != nil,
        execute(words(source + "RGB ! filesink location=\(colors)")) != nil
      else {
        report.line("  \(film): not there, or not to be read: make setup")
        continue
      }
      report.line(film)
      let pixels = width * height
      let luma = Frames(ScratchFolder.bytes(planes), every: pixels * 3 / 2, from: 0, frames)
      let moving = Movement(luma, width: width, height: height, still: still)
      let ours =
        "gst-launch-1.0 -q filesrc location=\(planes) ! rawvideoparse format=i420 width=\(width)"
        + " height=\(height) ! facedetect ! personkey ! video/x-raw,format=A420"
        + " ! filesink location=\(out)"
      func peer(_ job: String) -> String {
        "/usr/bin/python3 setup/peer_selfie.py .build/peers \(width) \(height) \(frames) \(job)"
          + " \(colors) \(out)"
      }
      for (name, command, environment, size, first) in [
        (
          "facedetect ! personkey, defaults", ours, Environment.ours, pixels * 5 / 2, pixels * 3 / 2
        ),
        ("mediapipe 0.10.14, general", peer("keep"), [:], pixels, 0),
        ("the same, smoothed as its graphs do", peer("smooth"), [:], pixels, 0),
        ("live-backgroundremoval-lite's recipe", peer("lite"), [:], pixels, 0),
        ("Jitsi Meet's recipe", peer("jitsi"), [:], pixels, 0),
      ] {
        guard execute(words(command), environment) != nil else {
          report.line("  " + name.padded(40) + "not run")
          continue
        }
        let masks = Frames(ScratchFolder.bytes(out), every: size, from: first, frames)
        let (rest, all) = moving.flicker(masks)
        report.line("  " + name.padded(40) + pad(rest) + " (" + pad(all) + ")")
      }
    }
  }
}

/// The same plane of all frames of a film.
private struct Frames {
  let bytes: [UInt8]
  let size, first, count: Int

  init(_ bytes: [UInt8], every size: Int, from first: Int, _ count: Int) {
    (self.bytes, self.size, self.first) = (bytes, size, first)
    self.count = min(count, bytes.count / size)
  }

  subscript(frame: Int, index: Int) -> Float { Float(bytes[frame * size + first + index]) }
}

/// The static cells of a film's frames, by changes of luma.
private struct Movement {
  private let width, height: Int
  /// For each frame but the first, a flag for each cell of 2x2 pixels.
  private var isStill: [[Bool]] = []

  init(_ luma: Frames, width: Int, height: Int, still: Float) {
    (self.width, self.height) = (width, height)
    let (columns, rows) = (width / 2, height / 2)
    func cell(_ frame: Int, _ x: Int, _ y: Int) -> Float {
      let at = 2 * y * width + 2 * x
      let upper = luma[frame, at] + luma[frame, at + 1]
      return (upper + luma[frame, at + width] + luma[frame, at + width + 1]) / 4
    }
    for frame in 1..<max(luma.count, 1) {
      // A summed-area table.
      var sums = [Float](repeating: 0, count: (columns + 1) * (rows + 1))
      for y in 0..<rows {
        var line: Float = 0
        for x in 0..<columns {
          line += abs(cell(frame, x, y) - cell(frame - 1, x, y))
          sums[(y + 1) * (columns + 1) + x + 1] = sums[y * (columns + 1) + x + 1] + line
        }
      }
      isStill.append(
        (0..<columns * rows).map { index in
          let (x, y) = (index % columns, index / columns)
          let (left, right) = (max(x - 2, 0), min(x + 3, columns))
          let (top, bottom) = (max(y - 2, 0) * (columns + 1), min(y + 3, rows) * (columns + 1))
          let sum =
            sums[bottom + right] - sums[top + right] - sums[bottom + left] + sums[top + left]
          return sum / Float((right - left) * (bottom - top) / (columns + 1)) < still
        })
    }
  }

  /// The flicker of masks in static parts, and in the whole picture.
  func flicker(_ masks: Frames) -> (rest: Double, all: Double) {
    var sums = (rest: 0.0, all: 0.0)
    var counts = (rest: 0.0, all: 0.0)
    for frame in 1..<max(min(masks.count, isStill.count + 1), 1) {
      for y in 0..<height {
        for x in 0..<width {
          let change = Double(masks[frame, y * width + x] - masks[frame - 1, y * width + x]) / 255
          sums.all += change * change
          counts.all += 1
          guard isStill[frame - 1][min(y / 2, height / 2 - 1) * (width / 2) + x / 2] else {
            continue
          }
          sums.rest += change * change
          counts.rest += 1
        }
      }
    }
    return (
      100 * (sums.rest / max(counts.rest, 1)).squareRoot(),
      100 * (sums.all / max(counts.all, 1)).squareRoot()
    )
  }
}
