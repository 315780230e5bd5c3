import Support
import Vision

/// Face finding in single faces that are dark, rolled, or of several sizes.
///
/// Each is a still, and a film of twelve identical frames of which the last counts. PORTRAIT_KINDS
/// selects kinds, such as "roll90,light64".
enum PortraitFinding {
  private static let frames = 12

  static func run(_ report: Report) throws {
    let portraits = try PortraitVariants()
    let finder = try TimedFinder("defaults")
    report.line(
      "\nPortraits: \(PortraitVariants.count) of each kind, \(portraits.width)x\(portraits.height);"
        + " found and false as stills, with CPU ms of a still, and as films of \(frames) frames")
    let only = FindingBench.setting("PORTRAIT_KINDS")?.split(separator: ",").map(String.init)
    for variant in PortraitVariants.Variant.all where only?.contains(variant.fileName) ?? true {
      var (still, film) = (FindingScore(), FindingScore())
      var seconds = 0.0
      for number in 0..<PortraitVariants.count {
        let truth = portraits.draw(number, variant)
        let (width, height) = (portraits.width, portraits.height)
        finder.reset()
        seconds -= finder.seconds
        let faces = try finder.faces(in: portraits.picture, frame: nil)
        seconds += finder.seconds
        still.add(faces, [truth], width: width, height: height)
        finder.reset()
        for frame in 0..<frames {
          let faces = try finder.faces(in: portraits.picture, frame: frame)
          if frame == frames - 1 { film.add(faces, [truth], width: width, height: height) }
        }
        try FindingPicture.writeIfWanted(
          portraits.picture, [truth], film, "PORTRAIT_PICTURES",
          "\(variant.fileName)-\(number)")
      }
      report.line(
        "  \(variant.name.padded(28)) still \(still.shortText) \(tenths(1000 * seconds / Double(PortraitVariants.count)))"
          + "   film \(film.shortText)")
    }
  }
}
