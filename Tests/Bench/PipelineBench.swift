/// Compares a pipeline of four elements with the same pipeline without them.
enum PipelineBench {
  static func comparisons() -> [Comparison] {
    ["NV12", "I420"].map { format in
      func candidate(_ name: String, _ elements: String) -> Candidate {
        Candidate(name, elements, caps(format, 1920, 1080), frames: 200)
      }
      func all(_ properties: String, pack: String) -> String {
        "chromakey method=green background-color=0xff102030 ! facedetect updates=none\(properties)"
          + " ! beautifymask ! sticker location=\(pack)"
      }
      return Comparison(
        title: "All four elements on one face, 1920x1080 \(format)",
        candidates: [
          candidate("all four, pack glasses", all("", pack: "glasses")),
          candidate("all four, pack halo", all("", pack: "halo")),
          candidate("all four, detection beside the stream", all(" async=true", pack: "glasses")),
          candidate("passing the frame on", "identity"),
          candidate(
            "with personkey instead, a colour",
            "facedetect updates=none ! beautifymask ! sticker location=glasses"
              + " ! personkey background-color=0xff102030"),
        ],
        bars: [
          Bar(
            "all four, 60 frames/s on one core, \(format)", .milliseconds, of: 0,
            atMost: 1000.0 / 60),
          Bar("... with personkey instead, \(format)", .milliseconds, of: 4, atMost: 1000.0 / 60),
          Bar("memory over a bare pipeline, \(format)", .megabytes, of: 0, to: 3, atMost: 60),
          Bar("... with the animated pack halo, \(format)", .megabytes, of: 1, to: 3, atMost: 60),
          Bar("... with personkey instead, \(format)", .megabytes, of: 4, to: 3, atMost: 80),
        ])
    }
  }
}
