/// Compares personkey with the selfie segmentation of the mediapipe wheel, and with recipes that use it.
enum PersonBench {
  static func comparisons() -> [Comparison] {
    sizes.prefix(2).flatMap { width, height in
      let caps = caps("NV12", width, height)
      func ours(_ name: String, _ properties: String, _ more: String = "") -> Candidate {
        Candidate(name, "personkey \(properties)\(more)", caps, frames: 300)
      }
      func peer(_ name: String, _ job: String, _ model: Int = 0) -> Candidate {
        Candidate(name, frames: 300, less: 30) { frames in
          words("/usr/bin/python3 setup/peer_selfie.py .build/peers \(width) \(height)")
            + ["\(frames)", job, "\(model)"]
        }
      }
      let size = "\(height)p"
      // The format does not change, so that only the mask is written.
      let shown = " background-color=0xff000000 show-matte=true"
      return [
        Comparison(
          title: "A mask of people, \(width)x\(height) NV12",
          candidates: [
            ours("personkey, mask alone", "model=general" + shown),
            ours("personkey model=fast, mask alone", "model=fast" + shown),
            ours("personkey, alpha out", "model=general"),
            peer("mediapipe 0.10.14, general, RGB", "mask"),
            peer("mediapipe 0.10.14, landscape, RGB", "mask", 1),
            peer("live-backgroundremoval-lite's recipe, moving, RGB", "lite"),
            peer("Jitsi Meet's recipe, RGB", "jitsi"),
          ],
          bars: [
            Bar("mask of people, \(size): mediapipe", .share, of: 0, to: 3, atMost: 0.5),
            Bar("fast mask of people, \(size): mediapipe", .share, of: 1, to: 4, atMost: 0.5),
          ]),
        Comparison(
          title: "Another room behind people, \(width)x\(height) NV12",
          candidates: [
            ours("personkey, a picture", "background=models/astronaut.png"),
            ours("personkey, a colour", "background-color=0xff203040"),
            ours("personkey, blur 3 %", "blur=3"),
            peer("mediapipe and its blend, RGB", "blend"),
            peer("mediapipe and its blur, RGB", "blur"),
          ],
          bars: [
            Bar("picture behind people, \(size): mediapipe", .share, of: 0, to: 3, atMost: 0.5),
            Bar("blur behind people, \(size): mediapipe", .share, of: 2, to: 4, atMost: 0.5),
          ]),
      ]
    }
  }
}
