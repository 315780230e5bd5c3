import Faces
import Pixels
import Retouch
import Support
import Threads

/// Compares the retouching with OpenCV's bilateral filter and GStreamer's gaussianblur.
enum RetouchBench {
  static func comparisons() -> [Comparison] {
    [background()]
      + sizes.flatMap { width, height in [1, 4].map { faces($0, width, height) } }
  }

  /// The same face in frames of several sizes; the rest of the frame is flat or noise.
  private static func background() -> Comparison {
    let candidates = sizes.flatMap { width, height in
      [false, true].map { isNoisy in
        let (w, h) = (405 / Double(width), 480 / Double(height))
        let box = Rectangle(x: 0.5 - w / 2, y: 0.5 - h / 2, width: w, height: h)
        return retouching(
          "in \(width)x\(height), \(isNoisy ? "noise" : "grey") about it", .nv12, width, height,
          [face(1, in: box)], frames: 150, noiseOutside: isNoisy ? box : nil)
      }
    }
    return Comparison(title: "Retouching one face of 405x480 pixels, NV12", candidates: candidates)
  }

  /// `count` faces in a row, each 0.375 of the frame's height wide and 0.444 high.
  private static func faces(_ count: Int, _ width: Int, _ height: Int) -> Comparison {
    let (w, h) = (0.375 * Double(height) / Double(width), 0.444)
    let found = (0..<count).map { index in
      let x = (Double(index) + 0.5) / Double(count)
      return face(index + 1, in: Rectangle(x: x - w / 2, y: 0.5 - h / 2, width: w, height: h))
    }
    let frames = max(8, 200_000_000 / (width * height) / count)
    var candidates = [PixelFormat.nv12, .i420, .rgbx, .rgb].map { format in
      retouching(
        "retouching alone, \(format.rawValue)", format, width, height, found, frames: frames)
    }
    candidates += [
      retouching(
        "  and even-skin=0.5, NV12", .nv12, width, height, found, evenSkin: 0.5, frames: frames),
      bilateral(
        "faces", Int(Double(height) * 0.375), Int(Double(height) * 0.444), count: count,
        frames: 24),
    ]
    if count == 1 {
      let caps = caps("NV12", width, height)
      candidates += [
        bilateral("frame", width, height, count: 1, frames: 6),
        element(caps),
        Candidate(
          "gst gaussianblur, frame, and conversions",
          "videoconvert ! gaussianblur sigma=2 ! videoconvert ! \(caps)", caps, frames: 8,
          Environment.peers),
      ]
    }
    return Comparison(
      title: "Retouching \(count == 1 ? "one face" : "four faces"), \(width)x\(height)",
      candidates: candidates,
      bars: count == 1 && height == 1080
        ? [Bar("retouch a face, 1080p: bilateralFilter", .share, of: 0, to: 6, atMost: 1.0 / 56)]
        : [])
  }

  /// Times `SkinRetouch` in this process on static faces.
  private static func retouching(
    _ name: String, _ format: PixelFormat, _ width: Int, _ height: Int, _ faces: [Face],
    evenSkin: Double = 0, frames: Int, noiseOutside box: Rectangle? = nil
  ) -> Candidate {
    let picture = OwnedPicture(
      format: format, width: width, height: height,
      colorimetry: format.colorimetry(.bt709))
    draw(picture, noiseOutside: box)
    var settings = RetouchSettings()
    settings.evenSkin = evenSkin
    let retouch = SkinRetouch()
    let runner = SerialRunner()
    return Candidate(name) { measurement in
      picture.withPicture { picture in
        // The first frame allocates.
        measurement.time(frames: frames, after: 1) {
          retouch.process(
            picture, faces: faces, settings: settings, elapsed: 1.0 / 30, runner: runner)
        }
      }
      return true
    }
  }

  /// Draws fine texture on grey, and optionally noise outside a box, with a margin for the filters'
  /// halo.
  private static func draw(_ picture: OwnedPicture, noiseOutside box: Rectangle?) {
    let kept = box.map {
      let inner = $0.scaled(x: Double(picture.width), y: Double(picture.height))
      return Rectangle(
        x: inner.x - 80, y: inner.y - 80, width: inner.width + 160, height: inner.height + 160)
    }
    var random = SplitMix(1)
    picture.withPicture { target in
      for index in 0..<picture.format.layout.planeCount {
        let plane = target.plane(index)
        let scaleX = Double(picture.width) / Double(plane.rowBytes)
        let scaleY = Double(picture.height) / Double(plane.height)
        for (y, x) in product(0..<plane.height, 0..<plane.rowBytes) {
          let noise = random.next()
          let (u, v) = (Double(x) * scaleX, Double(y) * scaleY)
          let isNoise = kept.map { u < $0.x || u > $0.maxX || v < $0.y || v > $0.maxY } ?? false
          let texture = UInt64(120 &+ (x &* 7 ^ y &* 13) % 40)
          plane.row(y)[x] = UInt8(truncatingIfNeeded: isNoise ? noise : texture)
        }
      }
    }
  }

  /// A face whose mesh fills `box`; the usual ratio of height to width is 1.3.
  private static func face(_ id: Int, in box: Rectangle) -> Face {
    let points = HeadMesh.points(around: box.center, unit: Point(x: box.width, y: box.height / 1.3))
    return Face(
      id: UInt32(id), confidence: 1, box: box,
      landmarks: points.map { Landmark(x: Float($0.x), y: Float($0.y), z: 0) })
  }

  /// OpenCV on one thread, called from Python, whose overhead is negligible.
  private static func bilateral(
    _ what: String, _ width: Int, _ height: Int, count: Int, frames: Int
  ) -> Candidate {
    Candidate("cv2.bilateralFilter d=9, luma of \(what)", frames: frames, less: 2) { frames in
      [
        "/usr/bin/python3", "-c",
        "import cv2, numpy; cv2.setNumThreads(1);"
          + "a = numpy.random.default_rng(1).integers(100, 160, (\(height), \(width)), numpy.uint8);"
          + "[cv2.bilateralFilter(a, 9, 20, 9) for _ in range(\(frames * count))]",
      ]
    }
  }

  /// The time of a pipeline with the element minus that without it.
  ///
  /// It includes the copy of frames with other references.
  private static func element(_ caps: String) -> Candidate {
    func candidate(_ rest: String) -> Candidate {
      Candidate("", "facedetect accuracy=low updates=none\(rest)", caps, frames: 60)
    }
    return Candidate("beautifymask, less facedetect (NV12)") { measurement in
      var (with, without) = (Measurement(), Measurement())
      guard candidate(" ! beautifymask").measure(&with), candidate("").measure(&without) else {
        return false
      }
      measurement.cpu.append(with.cpu[0] - without.cpu[0])
      measurement.wall.append(with.wall[0] - without.wall[0])
      return true
    }
  }
}
