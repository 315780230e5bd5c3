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
            elements: "facedetect accuracy=\(accuracy) updates=none", caps: caps, frames: 200,
            environment: Environment.ours)
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
          ])
      }
    }
  }

  private static func network(
    _ model: FaceDetector.Model
  ) -> (inout Measurement) -> Bool {
    let graph = try? Graph(path: "models/" + model.fileName)
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
