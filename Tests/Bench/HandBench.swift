import Glibc
import Pixels
import Support

/// The cost of hands in `facedetect`, beside GestureRecognizer of the mediapipe wheel.
enum HandBench {
  private static let (width, height) = (1280, 720)

  static func comparisons() -> [Comparison] {
    let pictures = (1...2).map { drawn($0) }
    func ours(_ name: String, _ properties: String, _ picture: String) -> Candidate {
      Candidate(
        name, "facedetect updates=none landmarks=false expressions=false \(properties)",
        caps("RGB", width, height), frames: 100,
        source: "filesrc location=\(picture) ! pnmdec ! videoconvert")
    }
    func theirs(_ hands: Int) -> Candidate {
      Candidate(
        "mediapipe 1.2.2 GestureRecognizer, \(hands) of \(hands)", frames: 100, less: 10
      ) { frames in
        words(
          "/usr/bin/python3 setup/peer_gestures.py .build/landmarker \(pictures[hands - 1])"
            + " \(hands) \(frames)")
      }
    }
    return [
      Comparison(
        title: "Hands and their gestures, \(width)x\(height) RGB",
        candidates: [
          ours("faces alone", "hands=none", pictures[0]),
          ours("1 hand of at most 1", "hands=always max-hands=1", pictures[0]),
          ours("1 hand of at most 2", "hands=always", pictures[0]),
          ours("2 hands of at most 2", "hands=always", pictures[1]),
          theirs(1), theirs(2),
        ],
        bars: [
          Bar("one hand: GestureRecognizer", .share, of: 1, to: 4, atMost: 1),
          Bar("two hands: GestureRecognizer", .share, of: 3, to: 5, atMost: 1),
        ]),
      Comparison(
        title: "No hand in the photograph, \(width)x\(height) NV12",
        candidates: [("faces alone", "none"), ("and searches for hands", "always")].map {
          Candidate(
            $0.0, "facedetect updates=none hands=\($0.1)", caps("NV12", width, height), frames: 100)
        },
        bars: []),
    ]
  }

  /// Writes a picture of so many open hands; its path.
  private static func drawn(_ count: Int) -> String {
    let hands = (0..<count).map { index in
      DrawnHand(.open, wrist: Point(x: 400 + 480 * Double(index), y: 540), size: 300)
    }
    let bytes = DrawnHand.picture(hands, width: width, height: height).tightBytes
    let path = ".build/bench-hands-\(count).ppm"
    guard let file = fopen(path, "w") else { return path }
    defer { fclose(file) }
    fputs("P6 \(width) \(height) 255\n", file)
    bytes.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, file) }
    return path
  }
}
