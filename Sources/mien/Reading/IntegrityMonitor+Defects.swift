import Programs

/// What is missing from a film that was read to its end.
extension IntegrityMonitor {
  /// The first defect found; nil where the film is complete.
  ///
  /// `length`: the duration in nanoseconds that the container gives, or 0.
  func defect(
    picture: StreamStatistics, sounds: [StreamStatistics], length: Int, contents: Container.Contents
  ) -> String? {
    withStreams { streams in
      Self.undecodedFramesDefect(picture, contents.frames) ?? Self.lostStreamDefect(
        streams, contents)
        ?? Self.pictureGapDefect(picture) ?? Self.soundGapDefect(sounds)
        ?? Self.undecodedSoundDefect(
          sounds)
        ?? Self.earlyEndDefect(picture, sounds, contents.ends)
        ?? Self.truncationDefect(picture, sounds, length)
    }
  }

  private static func secondsText(_ time: Int) -> String { (Double(time) / 1e9).fixed(2) + " s" }

  /// How much sooner than the longest stream another may end, in nanoseconds: containers round times, and
  /// audio mostly ends later.
  private static func endTolerance(_ length: Int) -> Int { max(500_000_000, length / 50) }

  private static func undecodedFramesDefect(_ track: StreamStatistics, _ counted: Int) -> String? {
    if track.outputTimes.count * 2 < track.outputCount { return "its frames have no times" }
    let (inputs, outputs) = (track.inputCount, track.outputCount)
    // The two fields of a frame may be separate inputs.
    let areFields = outputs > 8 && abs(inputs - 2 * outputs) <= 2
    if inputs > outputs, !areFields {
      let missing = missingFrameTimes(track)
      if let first = missing.first {
        let at = first.map { ", the first at \(secondsText($0))" } ?? ""
        return "\(missing.count) of its \(inputs) frames cannot be decoded\(at)"
      }
    }
    if inputs > 0, inputs < counted {
      return "it holds \(counted) frames, and \(inputs) could be read"
    }
    if let first = track.first, let shown = track.outputTimes.first, shown - first > pictureGap {
      return "its first \(secondsText(shown - first)) cannot be decoded"
    }
    return nil
  }

  private static func lostStreamDefect(
    _ streams: [StreamStatistics], _ contents: Container.Contents
  )
    -> String?
  {
    let sounds = contents.sounds.filter { contents.ends[$0] != nil }
    let isIgnored = !sounds.isSubset(of: streams.compactMap(\.number))
    let isLost = isIgnored || streams.contains { !$0.inputTimes.isEmpty && $0.decodedCount == 0 }
    return isLost ? "one of its streams cannot be decoded" : nil
  }

  /// The times of inputs without an output, except those before the first output: a film may begin
  /// with frames that refer to others before the cut.
  private static func missingFrameTimes(_ track: StreamStatistics) -> [Int?] {
    if track.inputTimes.count < track.inputCount {
      return Array(repeating: nil, count: track.inputCount - track.outputCount)
    }
    let outputs = track.outputTimes.sorted()
    guard let first = outputs.first else { return track.inputTimes.sorted() }
    let steps = zip(outputs, outputs.dropFirst()).map { $1 - $0 }.sorted()
    let near = steps.isEmpty ? 0 : steps[steps.count / 2] * 3 / 4
    var missing: [Int?] = []
    var index = 0
    for time in track.inputTimes.sorted() {
      while index + 1 < outputs.count, outputs[index + 1] <= time { index += 1 }
      let next = outputs[min(index + 1, outputs.count - 1)]
      if time > first, min(abs(time - outputs[index]), abs(next - time)) > near {
        missing.append(time)
      }
    }
    return missing
  }

  /// A gap in a film of constant frame rate; with a variable rate frames may last any time.
  private static func pictureGapDefect(_ track: StreamStatistics) -> String? {
    guard let rate = track.rate else { return nil }
    let step = 1e9 / rate
    let times = track.outputTimes.sorted()
    let steps = Array(zip(times, times.dropFirst()))
    let uneven = steps.count { abs(Double($1 - $0) - step) > step / 5 }
    let gap = steps.first { start, end in
      Double(end - start) - step > Double(pictureGap)
        && end - (track.longFrames[start] ?? 0) > pictureGap
    }
    guard uneven <= max(2, times.count / 20), let gap else { return nil }
    return "its picture has a hole of \(secondsText(gap.1 - gap.0)) at \(secondsText(gap.0))"
  }

  private static func soundGapDefect(_ sounds: [StreamStatistics]) -> String? {
    // Many gaps mean that silence is not stored.
    let broken = sounds.first {
      !$0.gaps.isEmpty && $0.gaps.count <= max(8, $0.bufferCount / 50)
    }
    guard let gap = broken?.gaps.first else { return nil }
    return
      "its sound has a hole of \(secondsText(gap.end - gap.start)) at \(secondsText(gap.start))"
  }

  /// Nanoseconds; more than decoders hold back.
  private static let maximumDelay = 500_000_000

  private static func undecodedSoundDefect(_ sounds: [StreamStatistics]) -> String? {
    for sound in sounds {
      guard let last = sound.inputTimes.max(), last - sound.end > maximumDelay else { continue }
      return "its sound cannot be decoded from \(secondsText(sound.end)) on"
    }
    return nil
  }

  /// A stream that ends before the container says; sound may well be shorter than the picture.
  private static func earlyEndDefect(
    _ picture: StreamStatistics, _ sounds: [StreamStatistics], _ ends: [Int: Int]
  ) -> String? {
    let named = [("picture", picture)] + sounds.map { ("sound", $0) }
    for (name, track) in named {
      guard let end = track.number.flatMap({ ends[$0] }), end - track.end > maximumDelay else {
        continue
      }
      return "its \(name) ends after \(secondsText(track.end)) of \(secondsText(end))"
    }
    return nil
  }

  private static func truncationDefect(
    _ picture: StreamStatistics, _ sounds: [StreamStatistics], _ length: Int
  ) -> String? {
    let soundEnd = sounds.map(\.end).max() ?? 0
    if soundEnd - picture.end > endTolerance(soundEnd) {
      return
        "its picture ends after \(secondsText(picture.end)),"
        + " its sound after \(secondsText(soundEnd))"
    }
    let reached = ([picture] + sounds).map { max($0.end, $0.position) }.max() ?? 0
    if length - reached > endTolerance(length) {
      return "it breaks off after \(secondsText(reached)) of \(secondsText(length))"
    }
    return nil
  }
}
