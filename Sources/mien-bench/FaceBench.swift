import Faces
import Files
import Inference
import Pixels
import Vision

/// facedetect beside gst-opencv's, and beside its own networks alone.
enum FaceBench {
  static func comparisons() -> [Comparison] {
    [(1280, 720), (1920, 1080)].flatMap { width, height in
      ["NV12", "RGB"].map { format in
        let caps = "video/x-raw,format=\(format),width=\(width),height=\(height)"
        func ours(_ accuracy: String) -> Comparison.Way {
          let launch = Launch(
            elements: "facedetect accuracy=\(accuracy) tracking=false landmarks=false"
              + " expressions=false updates=none",
            caps: caps, frames: 100, environment: Environment.ours)
          return .init(name: "facedetect accuracy=\(accuracy)", measure: launch.measure)
        }
        let peer = Launch(
          elements: format == "RGB"
            ? "facedetect display=false updates=none"
            : "videoconvert ! video/x-raw,format=RGB ! facedetect display=false updates=none"
              + " ! videoconvert ! \(caps)",
          caps: caps, frames: 20, environment: Environment.peers)
        return Comparison(
          title: "Finding faces, \(width)x\(height) \(format)",
          ways: [
            ours("high"), ours("low"),
            .init(name: "full-range network alone", measure: network(.fullRange)),
            .init(name: "short-range network alone", measure: network(.shortRange)),
            .init(
              name: "gst-opencv facedetect" + (format == "RGB" ? "" : " + conversions"),
              measure: peer.measure),
          ],
          bars: width == 1280
            ? [.share("find faces, 720p \(format): gst-opencv", of: 0, to: 4, atMost: 1.0 / 20)]
            : [])
      }
    }
  }

  /// Following one face beside the mediapipe wheel's FaceMesh.
  static func following() -> [Comparison] {
    [(1280, 720), (1920, 1080), (3840, 2160)].map { width, height in
      func ours(_ name: String, _ properties: String, _ format: String = "RGB") -> Comparison.Way {
        let launch = Launch(
          elements: "facedetect updates=none \(properties)",
          caps: "video/x-raw,format=\(format),width=\(width),height=\(height)", frames: 100,
          environment: Environment.ours)
        return .init(name: name, measure: launch.measure)
      }
      return Comparison(
        title: "Following one face, \(width)x\(height)",
        ways: [
          ours("468 points, max-faces=1, RGB", "max-faces=1 expressions=false"),
          ours("468 points, max-faces=1, NV12", "max-faces=1 expressions=false", "NV12"),
          ours("468 points, looking for more, NV12", "expressions=false", "NV12"),
          ours("468 points and expressions, NV12", "", "NV12"),
          ours("boxes alone, NV12", "expressions=false landmarks=false", "NV12"),
          .init(name: "mediapipe 0.10.14 FaceMesh, RGB") { measurement in
            let frames = 400
            func cost(_ count: Int) -> Cost? {
              run(
                [
                  "/usr/bin/python3", "setup/peer_facemesh.py", ".build/peers", "\(width)",
                  "\(height)", "\(count)",
                ], environment: [:])
            }
            guard let short = cost(10), let long = cost(10 + frames) else { return false }
            measurement.add(long - short, frames: frames)
            return true
          },
        ],
        bars: width < 3840
          ? [.share("follow 468 points, \(height)p: FaceMesh", of: 0, to: 5, atMost: 1)] : [])
    } + [bySize()]
  }

  /// What following costs as the frame grows and the face with it.
  private static func bySize() -> Comparison {
    let sizes = [(1280, 720), (1920, 1080), (3840, 2160)]
    return Comparison(
      title: "Following one face, 468 points, max-faces=1, by size",
      ways: ["NV12", "RGB"].flatMap { format in
        sizes.map { width, height in
          let launch = Launch(
            elements: "facedetect updates=none max-faces=1 expressions=false",
            caps: "video/x-raw,format=\(format),width=\(width),height=\(height)", frames: 200,
            environment: Environment.ours)
          return .init(name: "\(width)x\(height) \(format)", measure: launch.measure)
        }
      },
      bars: [
        .share("follow at 4K NV12: the same at 720p", of: 2, to: 0, atMost: 1.15),
        .share("follow at 4K RGB: the same at 720p", of: 5, to: 3, atMost: 1.15),
      ])
  }

  private static func network(
    _ model: FaceDetector.Model
  ) -> (inout Measurement) -> Bool {
    let graph = try? Graph(path: FilePath("models/" + model.fileName))
    return { measurement in
      guard let graph else { return false }
      let frames = 200
      let (cpu, wall) = (processorTime(), now())
      for _ in 0..<frames { try? graph.invoke() }
      measurement.add(Cost(cpu: processorTime() - cpu, wall: now() - wall), frames: frames)
      return true
    }
  }
}
