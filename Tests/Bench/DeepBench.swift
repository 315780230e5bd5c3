/// Every element on a frame of 10 bits, beside the same in 8 bits; the peers at 10 bits are in
/// `KeyingBench` and `LooksBench`.
enum DeepBench {
  private static let elements: [(name: String, line: String)] = [
    ("facedetect", "facedetect updates=none"),
    ("beautifymask, whole frame", "beautifymask mask=full"),
    ("facehide", "facedetect updates=none ! facehide"),
    ("facereshape", "facedetect updates=none ! facereshape slim=1 eyes=0.5"),
    ("sticker", "facedetect updates=none ! sticker location=dog"),
    ("personkey", "personkey"),
    ("personkey, blur", "personkey blur=5"),
    ("photoeffect, look, vignette, grain", "photoeffect look=chrome vignette=0.5 grain=0.5"),
    ("photoeffect, cartoon", "photoeffect look=cartoon"),
  ]

  static func comparisons() -> [Comparison] {
    elements.map { name, line in
      Comparison(
        title: "\(name): 10 bits and 8, 1920x1080; the frozen frame is copied first",
        candidates: ["I420", "I420_10LE"].map {
          Candidate($0, line, caps($0, 1920, 1080), frames: 60)
        },
        bars: [Bar("\(name), I420_10LE: I420", .share, of: 1, to: 0, atMost: 2)])
    }
  }
}
