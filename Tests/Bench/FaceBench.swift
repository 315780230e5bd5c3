import Files
import Inference
import Vision

/// Compares facedetect with gst-opencv's, with its own networks alone, and with FaceMesh of the
/// mediapipe wheel.
enum FaceBench {
  static func comparisons() -> [Comparison] {
    sizes.prefix(2).flatMap { width, height in
      ["NV12", "RGB"].map { format in
        let caps = caps(format, width, height)
        func ours(_ accuracy: String) -> Candidate {
          Candidate(
            "facedetect accuracy=\(accuracy)",
            "facedetect accuracy=\(accuracy) tracking=false landmarks=false expressions=false"
              + " updates=none", caps, frames: 100)
        }
        let peer = "facedetect display=false updates=none"
        return Comparison(
          title: "Finding faces, \(width)x\(height) \(format)",
          candidates: [
            ours("high"), ours("low"),
            shortRangeNetwork(),
            format == "RGB"
              ? Candidate("gst-opencv facedetect", peer, caps, frames: 20, Environment.peers)
              : Candidate(
                "gst-opencv facedetect + conversions",
                "videoconvert ! video/x-raw,format=RGB ! \(peer) ! videoconvert ! \(caps)", caps,
                frames: 20, Environment.peers),
          ],
          bars: width == 1280
            ? [
              Bar("find faces, 720p \(format): gst-opencv", .share, of: 0, to: 3, atMost: 1.0 / 50)
            ] : [])
      }
    }
  }

  /// Tracking of one face.
  static func following() -> [Comparison] {
    sizes.map { width, height in
      func ours(_ name: String, _ properties: String, _ format: String = "NV12") -> Candidate {
        following(name, properties, caps(format, width, height), frames: 100)
      }
      let python = "/usr/bin/python3 setup/peer_facemesh.py .build/peers \(width) \(height)"
      let landmarker =
        "/usr/bin/python3 setup/peer_landmarker.py .build/landmarker \(width) \(height)"
      return Comparison(
        title: "Following one face, \(width)x\(height)",
        candidates: [
          ours("468 points, max-faces=1, RGB", "max-faces=1 expressions=false", "RGB"),
          ours("468 points, max-faces=1, NV12", "max-faces=1 expressions=false"),
          ours("468 points, looking for more, NV12", "expressions=false"),
          ours("468 points and expressions, NV12", ""),
          ours("boxes alone, NV12", "expressions=false landmarks=false"),
          Candidate("mediapipe 0.10.14 FaceMesh, RGB", frames: 400, less: 10) {
            words(python) + ["\($0)"]
          },
          ours("478 points, max-faces=1, RGB", "max-faces=1 expressions=false mesh=478", "RGB"),
          ours("478 points and 52 blendshapes, RGB", "max-faces=1 blendshapes=true", "RGB"),
          Candidate("mediapipe 1.2.2 FaceLandmarker, RGB", frames: 300, less: 10) {
            words(landmarker) + ["\($0)"]
          },
        ],
        bars: [
          Bar("follow 468 points, \(height)p: FaceMesh", .share, of: 0, to: 5, atMost: 1.0 / 3),
          Bar(
            "478 points, 52 blendshapes, \(height)p: FaceLandmarker", .share, of: 7, to: 8,
            atMost: 0.33),
        ])
    } + [bySize(), several()]
  }

  /// The cost of each additional face, without and with expressions.
  private static func several() -> Comparison {
    let crowd = ".build/bench-crowd.png"
    _ = execute(words(self.crowd(crowd)))
    let counts = [1, 2, 4, 8, 16]
    func candidates(_ more: String, _ properties: String) -> [Candidate] {
      counts.map { count in
        Candidate(
          "\(count) of 16 faces" + more,
          "facedetect updates=none max-faces=\(count)" + properties, caps("NV12", 1920, 1080),
          frames: 100, source: "filesrc location=\(crowd) ! pngdec ! videoconvert")
      }
    }
    return Comparison(
      title: "Following several faces, 1920x1080 NV12",
      candidates: candidates("", " expressions=false") + candidates(" and expressions", ""),
      bars: [
        Bar("each further face, 468 points", .each(more: 15), of: 4, to: 0, atMost: 2),
        Bar("each further face and expressions", .each(more: 15), of: 9, to: 5, atMost: 2),
        // 32 ms a frame: 30 frames a second on one core, while the target is two.
        Bar("16 faces, 468 points", .milliseconds, of: 4, atMost: 32),
        Bar("16 faces and expressions", .milliseconds, of: 9, atMost: 32),
      ])
  }

  /// Draws the photograph's face sixteen times, in four rows; returns the command.
  private static func crowd(_ path: String) -> String {
    let places = (0..<16).map { index in
      "sink_\(index)::xpos=\(105 + 480 * (index % 4)) sink_\(index)::ypos=\(270 * (index / 4))"
    }
    return
      "gst-launch-1.0 -q filesrc location=models/astronaut.png ! pngdec ! videoconvert"
      + " ! videocrop left=80 right=172 bottom=252 ! videoscale"
      + " ! video/x-raw,width=270,height=270 ! tee name=t"
      + " compositor name=mix " + places.joined(separator: " ")
      + " ! video/x-raw,width=1920,height=1080 ! videoconvert ! pngenc"
      + " ! filesink location=\(path)"
      + (0..<16).map { " t. ! queue ! mix.sink_\($0)" }.joined()
  }

  /// Tracking at several frame sizes, where the face is scaled with the frame.
  private static func bySize() -> Comparison {
    Comparison(
      title: "Following one face, 468 points, max-faces=1, by size",
      candidates: ["NV12", "RGB"].flatMap { format in
        sizes.map { width, height in
          following(
            "\(width)x\(height) \(format)", "max-faces=1 expressions=false",
            caps(format, width, height), frames: 200)
        }
      },
      bars: [
        Bar("follow at 4K NV12: the same at 720p", .share, of: 2, to: 0, atMost: 1.15),
        Bar("follow at 4K RGB: the same at 720p", .share, of: 5, to: 3, atMost: 1.15),
      ])
  }

  private static func following(
    _ name: String, _ properties: String, _ caps: String, frames: Int
  ) -> Candidate {
    Candidate(name, "facedetect updates=none \(properties)", caps, frames: frames)
  }

  private static func shortRangeNetwork() -> Candidate {
    let graph = try? Graph(path: FilePath("models/" + FaceDetector.fileName))
    return Candidate("short-range network alone") { measurement in
      guard let graph else { return false }
      measurement.time(frames: 200) { try? graph.invoke() }
      return true
    }
  }
}
