/// All four elements in a row, beside the same pipeline without them.
enum WholeBench {
  static func comparisons() -> [Comparison] {
    ["NV12", "I420"].map { format in
      let caps = "video/x-raw,format=\(format),width=1920,height=1080"
      func way(_ name: String, _ elements: String) -> Comparison.Way {
        let launch = Launch(
          elements: elements, caps: caps, frames: 200, environment: Environment.ours)
        return .init(name: name, measure: launch.measure)
      }
      let three =
        "chromakey method=green background-color=0xff102030 ! facedetect updates=none ! beautifymask"
      return Comparison(
        title: "All four elements on one face, 1920x1080 \(format)",
        ways: [
          way("all four, pack glasses", three + " ! sticker location=glasses"),
          way("all four, pack halo", three + " ! sticker location=halo"),
          way(
            "all four, detection beside the stream",
            "chromakey method=green background-color=0xff102030 ! facedetect updates=none async=true"
              + " ! beautifymask ! sticker location=glasses"),
          way("passing the frame on", "identity"),
        ],
        bars: [
          .milliseconds("all four, 60 frames/s on one core, \(format)", of: 0, atMost: 1000.0 / 60),
          .megabytes("memory over a bare pipeline, \(format)", of: 0, over: 3, atMost: 60),
          .megabytes("... with the animated pack halo, \(format)", of: 1, over: 3, atMost: 60),
        ])
    }
  }
}
