import Glibc
import Pixels
import Support

/// Compares mattes of people on scenes with known alpha.
enum PersonQualityBench {
  /// A case with the measures of each method; nil if the method cannot run here.
  private struct Trial {
    let one: PersonCase
    let found: [PersonScene.Measures?]

    var isLarge: Bool { one.pose.height > 0.5 }
  }

  private static let columns:
    [(title: String, value: any KeyPath<PersonScene.Measures, Double> & Sendable)] = [
      ("IoU", \.iou), ("boundary", \.boundary), ("edge SAD", \.edgeSad), ("gradient", \.gradient),
      ("PSNR", \.psnr), ("edge PSNR", \.edgePsnr),
    ]

  static func run(_ report: Report) {
    guard let cutout = try? PersonCutout.load() else {
      report.line("  The photograph is missing: make setup")
      return
    }
    keep(cutout)
    report.line(
      "\nPeople in drawn rooms and before real pictures, 1280x720; errors in percent, composites in"
        + " decibels.")
    let groups = [
      ("who fill the picture, in drawn rooms", PersonCase.large),
      ("who fill the picture, before real pictures", PersonCase.largeBeforePictures),
      ("far away, in drawn rooms", PersonCase.small),
      ("far away, before real pictures", PersonCase.smallBeforePictures),
    ]
    var all: [Trial] = []
    for (title, cases) in groups {
      let trials = cases.compactMap { trial($0, cutout) }
      guard trials.count == cases.count else {
        report.line("  Pictures of rooms are missing: make setup")
        return
      }
      table("\(cases.count) \(title)", trials, report)
      all += trials
    }
    let large = all.filter(\.isLarge)
    table("All \(large.count) who fill the picture", large, report)
    table("All \(all.count)", all, report)
    rooms(all, report)
    gates(large, all.filter { !$0.isLarge }, report)
  }

  /// Copies a shot and an empty room for `pipelines/people.sh`.
  private static func keep(_ cutout: PersonCutout) {
    mkdir(".build/quality", 0o755)
    let folder = ScratchFolder()
    for (name, scene) in [
      ("person", PersonScene(cutout, .study, [.init(height: 0.86, center: 0.46)])),
      ("room", PersonScene(cutout, .night, [])),
    ] {
      folder.write("scene.raw", scene.picture(.i420).tightBytes)
      _ = execute(["cp", folder.path + "/scene.raw", ".build/quality/\(name).i420"])
    }
  }

  /// Measures all methods on a case, and draws its strip; nil if its picture is missing.
  private static func trial(_ one: PersonCase, _ cutout: PersonCutout) -> Trial? {
    guard let scene = try? one.scene(cutout) else { return nil }
    let picture = scene.picture(.i420)
    let keyed = MattingMethod.all.map { $0.key(picture) }
    if let ours = keyed[MattingMethod.ours], let peer = keyed[MattingMethod.mediapipe] {
      var strip = PersonStrip(width: scene.width, height: scene.height)
      strip.add(picture.rgbValues)
      strip.add(matte: peer.matte)
      strip.add(matte: ours.matte)
      strip.add(peer.composite)
      strip.add(ours.composite)
      strip.write(one.fileName)
    }
    return Trial(
      one: one, found: keyed.map { $0.map { scene.measures($0.matte, $0.composite) } })
  }

  // MARK: Tables

  /// The mean of a method's figures; nil if it did not run on all of the cases.
  private static func mean(
    _ trials: [Trial], _ method: Int, _ value: KeyPath<PersonScene.Measures, Double>
  ) -> Double? {
    let figures = trials.compactMap { $0.found[method]?[keyPath: value] }
    guard figures.count == trials.count, !figures.isEmpty else { return nil }
    return figures.reduce(0, +) / Double(figures.count)
  }

  private static func shown(_ figure: Double?) -> String { figure.map(pad) ?? " not run" }

  private static func table(_ title: String, _ trials: [Trial], _ report: Report) {
    report.line(title)
    report.line("  " + "".padded(38) + columns.map { leading($0.title, 10) }.joined())
    for (index, method) in MattingMethod.all.enumerated() {
      report.line(
        "  " + method.name.padded(40)
          + columns.map { shown(mean(trials, index, $0.value)) }.joined(separator: "  "))
    }
  }

  /// Prints a row for each background, and the cases in which mediapipe's IoU is higher.
  private static func rooms(_ all: [Trial], _ report: Report) {
    report.line("What stands behind, large and small: IoU, and PSNR at the edge, of each candidate")
    var names: [String] = []
    for trial in all where !names.contains(trial.one.roomName) { names.append(trial.one.roomName) }
    for name in names {
      let trials = all.filter { $0.one.roomName == name }
      report.line(
        "  " + name.padded(24) + leading("\(trials.count)", 2)
          + MattingMethod.all.indices.map { method in
            "    " + shown(mean(trials, method, \.iou)) + "  "
              + shown(mean(trials, method, \.edgePsnr))
          }.joined())
    }
    for method in MattingMethod.all.indices where MattingMethod.all[method].peer == nil {
      let worse = all.compactMap { trial -> String? in
        guard let ours = trial.found[method], let peer = trial.found[MattingMethod.mediapipe],
          ours.iou < peer.iou
        else { return nil }
        return "  " + trial.one.fileName.padded(30) + pad(ours.iou) + "  " + pad(peer.iou)
      }
      report.line(
        "IoU below mediapipe's in \(worse.count) of \(all.count): \(MattingMethod.all[method].name)"
      )
      for line in worse { report.line(line) }
    }
  }

  // MARK: Gates

  private static func gates(_ large: [Trial], _ small: [Trial], _ report: Report) {
    report.line("Gates, on those who fill the picture unless said otherwise")
    func gate(_ name: String, _ figure: Double?, _ limit: Double, isLeast: Bool) {
      guard let figure else { return report.line("  not run   " + name) }
      let isMet = isLeast ? figure >= limit : figure <= limit
      report.line(
        "  " + (isMet ? "met" : "missed").padded(8) + pad(figure) + "  at "
          + (isLeast ? "least" : "most ") + pad(limit) + "  " + name)
    }
    /// Compares Mien's figure with mediapipe's.
    func beside(
      _ value: KeyPath<PersonScene.Measures, Double>, _ compare: (Double, Double) -> Double
    ) -> Double? {
      mean(large, MattingMethod.ours, value).flatMap { ours in
        mean(large, MattingMethod.mediapipe, value).map { compare(ours, $0) }
      }
    }
    gate("IoU", mean(large, 0, \.iou), 92.5, isLeast: true)
    gate("boundary", mean(large, 0, \.boundary), 77, isLeast: true)
    gate("edge SAD", mean(large, 0, \.edgeSad), 11.5, isLeast: false)
    gate("gradient", mean(large, 0, \.gradient), 1.3, isLeast: false)
    gate("IoU far away", mean(small, 0, \.iou), 96, isLeast: true)
    gate("IoU over mediapipe's", beside(\.iou, -), 5, isLeast: true)
    gate("edge PSNR over mediapipe's", beside(\.edgePsnr, -), 2, isLeast: true)
    gate("gradient, share of mediapipe's", beside(\.gradient, /), 0.75, isLeast: false)
  }

  private static func leading(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

extension PersonCase {
  /// The name of the background.
  fileprivate var roomName: String {
    switch room {
    case .drawn(let room): "\(room), drawn"
    case .real(let room): "\(room), real"
    }
  }

  /// The file name of its strip.
  fileprivate var fileName: String {
    let kind = if case .drawn = room { "drawn" } else { "real" }
    return kind + "-" + name.map { $0 == " " ? "-" : $0 == "," ? "" : String($0) }.joined()
  }
}
