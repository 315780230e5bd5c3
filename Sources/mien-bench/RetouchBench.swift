import Faces
import Pixels
import Retouch
import Support
import Threads

/// The retouching beside OpenCV's bilateral filter and gst's gaussianblur.
enum RetouchBench {
  /// Width and height of each face, in heights of the frame.
  private static let face = (width: 0.375, height: 0.444)

  static func comparisons() -> [Comparison] {
    [background()] + sizes()
  }

  /// The same face in frames of several sizes, flat and in noise outside it.
  private static func background() -> Comparison {
    let size = (width: 405.0, height: 480.0)
    let ways = [(1280, 720), (1920, 1080), (3840, 2160)].flatMap { width, height in
      [false, true].map { isNoisy in
        let box = Rectangle(
          x: 0.5 - size.width / 2 / Double(width), y: 0.5 - size.height / 2 / Double(height),
          width: size.width / Double(width), height: size.height / Double(height))
        return Comparison.Way(
          name: "in \(width)x\(height), \(isNoisy ? "noise" : "grey") about it",
          measure: retouching(
            .nv12, width, height, [mesh(1, in: box)], RetouchSettings(), frames: 150,
            noiseOutside: isNoisy ? box : nil))
      }
    }
    return Comparison(title: "Retouching one face of 405x480 pixels, NV12", ways: ways)
  }

  /// Treats faces with a mesh and with less in every mask, and prints nothing: for counting what
  /// is allocated, which must not depend on the number of frames.
  static func treat(frames: Int) {
    let runner = SerialRunner()
    for mask in RetouchSettings.Mask.allCases {
      for format in mask == .face ? [PixelFormat.nv12, .rgb] : [.nv12] {
        let picture = OwnedPicture(
          format: format, width: 97, height: 83,
          colorimetry: format.family == .rgb ? .rgb : .bt709)
        var faces = (0..<3).map {
          mesh($0 + 1, in: Rectangle(x: 0.05 + 0.3 * Double($0), y: 0.2, width: 0.3, height: 0.5))
        }
        faces[0].landmarks = []
        faces[1].landmarks = []
        faces[1].keypoints = [(7.0, 9.0), (13, 9), (10, 12), (10, 14), (6, 10), (14, 10)].map {
          Point(x: 0.25 + $0.0 / 40, y: 0.2 + $0.1 / 40)
        }
        var settings = RetouchSettings()
        settings.mask = mask
        settings.evenSkin = 0.5
        let retouch = SkinRetouch()
        picture.withPicture { picture in
          for _ in 0..<frames {
            retouch.process(
              picture, faces: faces, settings: settings, elapsed: 1.0 / 30, runner: runner)
          }
        }
      }
    }
  }

  private static func sizes() -> [Comparison] {
    [(1280, 720), (1920, 1080), (3840, 2160)].flatMap { width, height in
      [1, 4].map { faces in
        let found = (0..<faces).map { mesh($0, of: faces, width, height) }
        let frames = max(8, 200_000_000 / (width * height) / faces)
        var ways = [PixelFormat.nv12, .i420, .rgbx, .rgb].map { format in
          Comparison.Way(
            name: "retouching alone, \(format.rawValue)",
            measure: retouching(
              format, width, height, found, RetouchSettings(), frames: frames))
        }
        var even = RetouchSettings()
        even.evenSkin = 0.5
        ways += [
          .init(
            name: "  and even-skin=0.5, NV12",
            measure: retouching(.nv12, width, height, found, even, frames: frames)),
          .init(
            name: "cv2.bilateralFilter d=9, luma of faces",
            measure: bilateral(
              Int(Double(height) * face.width), Int(Double(height) * face.height),
              count: faces, frames: 24)),
        ]
        if faces == 1 {
          ways += [
            .init(
              name: "cv2.bilateralFilter d=9, luma of frame",
              measure: bilateral(width, height, count: 1, frames: 6)),
            .init(
              name: "beautifymask, less facedetect (NV12)",
              measure: element(width, height, frames: 60)),
            .init(
              name: "gst gaussianblur, frame, and conversions",
              measure: blur(width, height, frames: 8)),
          ]
        }
        return Comparison(
          title: "Retouching \(faces == 1 ? "one face" : "four faces"), \(width)x\(height)",
          ways: ways,
          bars: faces == 1 && height == 1080
            ? [.share("retouch a face, 1080p: bilateralFilter", of: 0, to: 6, atMost: 0.1)] : [])
      }
    }
  }

  /// Draws fine texture on grey, and where asked noise outside a box with room for what the
  /// retouching looks at.
  private static func draw(_ picture: OwnedPicture, noiseOutside box: Rectangle?) {
    let kept = box.map {
      let inner = $0.scaled(x: Double(picture.width), y: Double(picture.height))
      return Rectangle(
        x: inner.x - 80, y: inner.y - 80, width: inner.width + 160, height: inner.height + 160)
    }
    picture.withPicture { target in
      var random = SplitMix(1)
      for index in 0..<picture.format.layout.planeCount {
        let plane = target.plane(index)
        let scaleX = Double(picture.width) / Double(max(plane.row(0).count, 1))
        let scaleY = Double(picture.height) / Double(plane.height)
        for y in 0..<plane.height {
          let row = plane.row(y)
          for x in 0..<row.count {
            let noise = random.next()
            let (u, v) = (Double(x) * scaleX, Double(y) * scaleY)
            let isNoise = kept.map { u < $0.x || u > $0.maxX || v < $0.y || v > $0.maxY } ?? false
            row[x] =
              isNoise
              ? UInt8(truncatingIfNeeded: noise)
              : UInt8(truncatingIfNeeded: 120 &+ (x &* 7 ^ y &* 13) % 40)
          }
        }
      }
    }
  }

  /// Times `SkinRetouch` in this process on faces that stay where they are.
  private static func retouching(
    _ format: PixelFormat, _ width: Int, _ height: Int, _ faces: [Face],
    _ settings: RetouchSettings, frames: Int, noiseOutside box: Rectangle? = nil
  ) -> (inout Measurement) -> Bool {
    let picture = OwnedPicture(
      format: format, width: width, height: height,
      colorimetry: format.family == .rgb ? .rgb : .bt709)
    draw(picture, noiseOutside: box)
    let retouch = SkinRetouch()
    return { measurement in
      var start = Cost(cpu: 0, wall: 0)
      let runner = SerialRunner()
      picture.withPicture { picture in
        // The first one allocates.
        for frame in 0...frames {
          if frame == 1 { start = Cost(cpu: processorTime(), wall: now()) }
          retouch.process(
            picture, faces: faces, settings: settings, elapsed: 1.0 / 30, runner: runner)
        }
      }
      measurement.add(Cost(cpu: processorTime(), wall: now()) - start, frames: frames)
      return true
    }
  }

  /// The first of one face, or one in a row of several.
  private static func mesh(_ index: Int, of count: Int, _ width: Int, _ height: Int) -> Face {
    let w = face.width * Double(height) / Double(width)
    let x = (Double(index) + 0.5) / Double(count)
    return mesh(
      index + 1,
      in: Rectangle(x: x - w / 2, y: 0.5 - face.height / 2, width: w, height: face.height))
  }

  /// A face whose oval, eyes, brows and lips are ellipses in shares of `box`.
  private static func mesh(_ id: Int, in box: Rectangle) -> Face {
    let center = box.center
    var landmarks = [Landmark](
      repeating: Landmark(x: Float(center.x), y: Float(center.y), z: 0), count: 468)
    func ring(_ indices: [Int], _ x: Double, _ y: Double, _ a: Double, _ b: Double) {
      for (number, point) in indices.enumerated() {
        // A square's corners cut twice are near enough to an ellipse.
        let turn = Double(number) / Double(indices.count) * 4
        let side = Int(turn)
        let t = 2 * (turn - Double(side)) - 1
        let (u, v) = ((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t))
        let (c, s) = ((u - v) / 1.41421, (u + v) / 1.41421)
        let (dx, dy) = [(c, s), (-s, c), (-c, -s), (s, -c)][min(side, 3)]
        landmarks[point] = Landmark(
          x: Float(center.x + (x + dx * a) * box.width),
          y: Float(center.y + (y + dy * b) * box.height), z: 0)
      }
    }
    ring(MeshIndex.oval, 0, 0, 0.5, 0.5)
    ring(MeshIndex.leftEye, -0.21, -0.1, 0.1, 0.035)
    ring(MeshIndex.rightEye, 0.21, -0.1, 0.1, 0.035)
    ring(MeshIndex.leftBrow, -0.21, -0.2, 0.13, 0.025)
    ring(MeshIndex.rightBrow, 0.21, -0.2, 0.13, 0.025)
    ring(MeshIndex.lips, 0, 0.26, 0.19, 0.055)
    return Face(id: UInt32(id), confidence: 1, box: box, landmarks: landmarks)
  }

  /// OpenCV on one thread, from Python, whose share of the time is nothing beside the filter's.
  private static func bilateral(
    _ width: Int, _ height: Int, count: Int, frames: Int
  ) -> (inout Measurement) -> Bool {
    let program =
      "import cv2, numpy; cv2.setNumThreads(1);"
      + "a = numpy.random.default_rng(1).integers(100, 160, (\(height), \(width)), numpy.uint8);"
      + "[cv2.bilateralFilter(a, 9, 20, 9) for _ in range(%)]"
    return { measurement in
      func timed(_ frames: Int) -> Cost? {
        let text = program.split(separator: "%").joined(separator: "\(frames * count)")
        return run(["/usr/bin/python3", "-c", text], environment: [:])
      }
      guard let short = timed(2), let long = timed(2 + frames) else { return false }
      measurement.add(long - short, frames: frames)
      return true
    }
  }

  /// The element in a pipeline, less the same pipeline without it: with the copy that frames which
  /// are also held upstream need.
  private static func element(
    _ width: Int, _ height: Int, frames: Int
  ) -> (inout Measurement) -> Bool {
    func launch(_ rest: String) -> Launch {
      Launch(
        elements: "facedetect accuracy=low updates=none\(rest)",
        caps: "video/x-raw,format=NV12,width=\(width),height=\(height)", frames: frames,
        environment: Environment.ours)
    }
    return { measurement in
      var with = Measurement()
      var without = Measurement()
      guard launch(" ! beautifymask").measure(&with), launch("").measure(&without) else {
        return false
      }
      measurement.cpu.append(with.cpu[0] - without.cpu[0])
      measurement.wall.append(with.wall[0] - without.wall[0])
      return true
    }
  }

  private static func blur(
    _ width: Int, _ height: Int, frames: Int
  ) -> (inout Measurement) -> Bool {
    let caps = "video/x-raw,format=NV12,width=\(width),height=\(height)"
    return Launch(
      elements: "videoconvert ! gaussianblur sigma=2 ! videoconvert ! \(caps)", caps: caps,
      frames: frames, environment: Environment.peers
    ).measure
  }
}
