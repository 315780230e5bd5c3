import Files
import Glibc
import Inference
import PersonKey
import Pixels
import Support
import Threads
import Vision

/// Measures personkey's mattes over time, on made films with known alpha.
///
/// The faces are given as `facedetect` gives them, from the first frame on, or not at all.
enum PersonFilmBench {
  /// A frame's matte against the truth.
  private struct Score {
    /// The intersection over union at one half, and the matte's share of the true area, in percent.
    var iou = 0.0
    var area = 0.0
    /// The mean of alpha farther than 12 pixels from people, in percent: trails and objects.
    var beside = 0.0
    /// The runs of networks.
    var runs = 0
  }

  /// What the network is given.
  private enum Way: String, CaseIterable {
    case detector = "behind a detector"
    case noFaces = "without faces"
    /// As MediaPipe's examples do.
    case wholeFrame = "the whole frame"
  }

  static func run(_ report: Report) {
    guard let cutout = try? PersonCutout.load(), let heads = try? PortraitHead.load() else {
      report.line("  Pictures are missing: make setup")
      return
    }
    report.line(
      "\nMade films, 640x360: intersection over union of frames 0, 5 and the last; the least from"
        + " frame 5 on; area of frame 0 and 10, and what is shown beside people; in percent. Runs of the network a frame from frame 5 on."
    )
    for (title, films) in [
      ("from head to foot, still", PersonFilm.standing), ("two rows, still", PersonFilm.rows),
      ("two and three people, moving", PersonFilm.several),
      ("another walks by behind", PersonFilm.passing), ("moving", PersonFilm.moving),
      ("talking", PersonFilm.talking),
      ("close up; the face is lost", PersonFilm.closeUps),
    ] {
      for way in Way.allCases {
        report.line("\(title), \(way.rawValue)")
        var all: [[Score]] = []
        for film in films {
          guard let scores = try? play(film, cutout, heads, way) else {
            report.line("  \(film.name): not run")
            continue
          }
          all.append(scores)
          report.line("  " + film.name.padded(28) + text([scores]))
        }
        report.line("  " + "mean".padded(28) + text(all))
      }
    }
    cuts(report, cutout, heads)
  }

  private static func text(_ films: [[Score]]) -> String {
    func mean(_ value: ([Score]) -> Double) -> String {
      pad(films.reduce(0) { $0 + value($1) } / Double(max(films.count, 1)))
    }
    return mean { $0[0].iou } + mean { $0[5].iou } + mean { $0.last?.iou ?? 0 } + "   "
      + mean { $0[5...].map(\.iou).min() ?? 0 } + "   " + mean { $0[0].area }
      + mean { $0[10].area } + "   "
      + mean { $0.reduce(0) { $0 + $1.beside } / Double($0.count) } + "   "
      + mean { $0[5...].reduce(0) { $0 + Double($1.runs) } / Double($0.count - 5) }
  }

  /// A scene after another one, with another person: the first frame and the tenth.
  private static func cuts(_ report: Report, _ cutout: PersonCutout, _ heads: [PortraitHead]) {
    report.line("after a cut: frames 0, 5 and 10 of the second scene")
    for (index, film) in PersonFilm.standing.enumerated() {
      let before = PersonFilm.standing[(index + 1) % PersonFilm.standing.count]
      guard let key = try? FilmKeyer(),
        let _ = try? play(before, cutout, heads, .detector, on: key, frames: 8),
        let scores = try? play(film, cutout, heads, .detector, on: key, frames: 11)
      else { continue }
      report.line(
        "  " + film.name.padded(28) + [0, 5, 10].map { pad(scores[$0].iou) }.joined())
    }
  }

  private static func play(
    _ film: PersonFilm, _ cutout: PersonCutout, _ heads: [PortraitHead], _ way: Way,
    on key: FilmKeyer? = nil, frames: Int = .max
  ) throws -> [Score] {
    let key = try key ?? FilmKeyer()
    key.settings.tracksRegion = way != .wholeFrame
    var scores: [Score] = []
    var runs = key.runCount
    let folder = getenv("MIEN_FILM_FRAMES").map { String(cString: $0) }
    try film.forEachFrame(atMost: frames, cutout, heads) { number, frame in
      let matte = try key.matte(
        frame.picture, faces: way == .detector ? frame.faces : nil)
      var found = score(matte, frame.alpha)
      found.runs = key.runCount - runs
      runs = key.runCount
      scores.append(found)
      if let folder, [0, 1, 5, 12, 30].contains(number) {
        var strip = PersonStrip(width: PersonFilm.width, height: PersonFilm.height)
        strip.add(frame.picture.rgbValues)
        strip.add(matte: matte)
        strip.write(
          "\(folder) \(film.name) \(way) \(number)".replacing(
            " ", with: "-"
          )
          .replacing(",", with: ""))
      }
    }
    return scores
  }

  private static func score(_ matte: [Float], _ truth: [Float]) -> Score {
    let (width, height) = (PersonFilm.width, PersonFilm.height)
    var (common, either, own, real) = (0, 0, 0.0, 0.0)
    for (a, b) in zip(matte, truth) {
      common += a > 0.5 && b > 0.5 ? 1 : 0
      either += a > 0.5 || b > 0.5 ? 1 : 0
      own += Double(a)
      real += Double(b)
    }
    // A summed-area table of the truth's support.
    var sums = [Int32](repeating: 0, count: (width + 1) * (height + 1))
    for y in 0..<height {
      var line: Int32 = 0
      for x in 0..<width {
        line += truth[y * width + x] > 0 ? 1 : 0
        sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + line
      }
    }
    var (beside, count) = (0.0, 0)
    for y in 0..<height {
      for x in 0..<width {
        let (left, right) = (max(x - 12, 0), min(x + 13, width))
        let (top, bottom) = (max(y - 12, 0) * (width + 1), min(y + 13, height) * (width + 1))
        guard sums[bottom + right] - sums[top + right] - sums[bottom + left] + sums[top + left] == 0
        else { continue }
        beside += Double(matte[y * width + x])
        count += 1
      }
    }
    return Score(
      iou: 100 * Double(common) / Double(max(either, 1)), area: 100 * own / max(real, 1),
      beside: 100 * beside / Double(max(count, 1)))
  }
}

/// Segmentation and keying with the element's defaults, on frames in memory.
final class FilmKeyer {
  private let segmenter = PersonSegmenter()
  private let keyer = PersonKeyer()
  private let runner = ThreadPool(threads: 1)
  private let target: OwnedPicture
  var settings = PersonSegmenter.Settings()

  /// The runs of networks so far.
  var runCount: Int { segmenter.runCount }

  init(width: Int = PersonFilm.width, height: Int = PersonFilm.height) throws {
    let video = VideoFormat(
      format: .nv12, width: width, height: height, colorimetry: .bt709, chromaSite: .mpeg2)
    for network in PersonSegmenter.Network.allCases {
      try segmenter.install(
        Graph(path: FilePath("models/" + network.fileName), threads: runner), as: network)
    }
    segmenter.configure(video)
    keyer.configure(video)
    target = OwnedPicture(
      VideoFormat(
        format: .av12, width: video.width, height: video.height, colorimetry: .bt709,
        chromaSite: .mpeg2))
  }

  /// The alpha of a frame, 0...1, by rows.
  func matte(_ frame: OwnedPicture, faces: [Rectangle]?) throws -> [Float] {
    try key(frame, faces: faces)
    return target.withPicture { target in
      let alpha = target.component(3)
      return (0..<target.width * target.height).map {
        Float(alpha[$0 % target.width, $0 / target.width]) / 255
      }
    }
  }

  /// Writes a frame with its alpha.
  func key(_ frame: OwnedPicture, faces: [Rectangle]?) throws {
    try frame.withPicture { source in
      let mask = try segmenter.process(source, faces: faces, settings, runner)
      target.withPicture { target in
        keyer.process(
          source: source, destination: target,
          mask: mask.map {
            PersonKeyer.Mask(
              step: $0.step, probability: $0.probability, temporalWeight: $0.temporalWeight,
              colors: $0.colors)
          }, runner: runner)
      }
    }
  }

  /// Updates the mask alone.
  func segment(_ frame: OwnedPicture, faces: [Rectangle]?) throws {
    try frame.withPicture { _ = try segmenter.process($0, faces: faces, settings, runner) }
  }
}
