import Programs

/// What is missing of a film that has come to its end.
extension Evidence {
  /// The reason why it is not whole, or nil.
  ///
  /// `length`: nanoseconds that it should last, or 0.
  func verdict(
    picture: Track, sounds: [Track], length: Int, contents: Container.Contents
  ) -> String? {
    read { tracks in
      Self.notDecoded(picture, contents.frames) ?? Self.lostStream(tracks, contents)
        ?? Self.pictureHole(picture) ?? Self.soundHole(sounds) ?? Self.soundNotDecoded(sounds)
        ?? Self.endsEarly(picture, sounds, contents.ends) ?? Self.breaksOff(picture, sounds, length)
    }
  }

  private static func seconds(_ time: Int) -> String { (Double(time) / 1e9).fixed(2) + " s" }

  /// How much sooner than the longest a stream may end: containers round, sound runs on.
  private static func tolerance(_ length: Int) -> Int { max(500_000_000, length / 50) }

  private static func notDecoded(_ track: Track, _ counted: Int) -> String? {
    if track.given.count * 2 < track.givenCount { return "its frames have no times" }
    let (taken, given) = (track.takenCount, track.givenCount)
    // Of two fields that make a frame, each may come by itself.
    let areFields = given > 8 && abs(taken - 2 * given) <= 2
    if taken > given, !areFields {
      let missing = missing(track)
      if let first = missing.first {
        let at = first.map { ", the first at \(seconds($0))" } ?? ""
        return "\(missing.count) of its \(taken) frames cannot be decoded\(at)"
      }
    }
    if taken > 0, taken < counted {
      return "it holds \(counted) frames, and \(taken) could be read"
    }
    if let first = track.first, let shown = track.given.first, shown - first > pictureHole {
      return "its first \(seconds(shown - first)) cannot be decoded"
    }
    return nil
  }

  private static func lostStream(_ tracks: [Track], _ contents: Container.Contents) -> String? {
    let sounds = contents.sounds.filter { contents.ends[$0] != nil }
    let isPassedOver = !sounds.isSubset(of: tracks.compactMap(\.number))
    let isLost = isPassedOver || tracks.contains { !$0.taken.isEmpty && $0.decoded == 0 }
    return isLost ? "one of its streams cannot be decoded" : nil
  }

  /// Frames that went into the decoder and did not come out, but those before the first that did: a
  /// film may begin with some that refer to what was cut away.
  private static func missing(_ track: Track) -> [Int?] {
    if track.taken.count < track.takenCount {
      return Array(repeating: nil, count: track.takenCount - track.givenCount)
    }
    let given = track.given.sorted()
    guard let first = given.first else { return track.taken.sorted() }
    let steps = zip(given, given.dropFirst()).map { $1 - $0 }.sorted()
    let near = steps.isEmpty ? 0 : steps[steps.count / 2] * 3 / 4
    var missing: [Int?] = []
    var index = 0
    for time in track.taken.sorted() {
      while index + 1 < given.count, given[index + 1] <= time { index += 1 }
      let next = given[min(index + 1, given.count - 1)]
      if time > first, min(abs(time - given[index]), abs(next - time)) > near {
        missing.append(time)
      }
    }
    return missing
  }

  /// Of films with a steady rate alone: in others every frame stays for as long as it does.
  private static func pictureHole(_ track: Track) -> String? {
    guard let rate = track.rate else { return nil }
    let step = 1e9 / rate
    let times = track.given.sorted()
    let steps = Array(zip(times, times.dropFirst()))
    let uneven = steps.count { abs(Double($1 - $0) - step) > step / 5 }
    let hole = steps.first { start, end in
      Double(end - start) - step > Double(pictureHole)
        && end - (track.long[start] ?? 0) > pictureHole
    }
    guard uneven <= max(2, times.count / 20), let hole else { return nil }
    return "its picture has a hole of \(seconds(hole.1 - hole.0)) at \(seconds(hole.0))"
  }

  private static func soundHole(_ sounds: [Track]) -> String? {
    // Where there are many, silence is not stored.
    let broken = sounds.first {
      !$0.holes.isEmpty && $0.holes.count <= max(8, $0.buffers / 50)
    }
    guard let hole = broken?.holes.first else { return nil }
    return "its sound has a hole of \(seconds(hole.end - hole.start)) at \(seconds(hole.start))"
  }

  /// Half a second is more than what decoders keep to themselves.
  private static let lost = 500_000_000

  private static func soundNotDecoded(_ sounds: [Track]) -> String? {
    for sound in sounds {
      guard let last = sound.taken.max(), last - sound.end > lost else { continue }
      return "its sound cannot be decoded from \(seconds(sound.end)) on"
    }
    return nil
  }

  /// Of containers that say of each stream when it ends: sound may well be shorter than the picture.
  private static func endsEarly(_ picture: Track, _ sounds: [Track], _ ends: [Int: Int]) -> String?
  {
    let named = [("picture", picture)] + sounds.map { ("sound", $0) }
    for (name, track) in named {
      guard let end = track.number.flatMap({ ends[$0] }), end - track.end > lost else { continue }
      return "its \(name) ends after \(seconds(track.end)) of \(seconds(end))"
    }
    return nil
  }

  private static func breaksOff(_ picture: Track, _ sounds: [Track], _ length: Int) -> String? {
    let soundEnd = sounds.map(\.end).max() ?? 0
    if soundEnd - picture.end > tolerance(soundEnd) {
      return "its picture ends after \(seconds(picture.end)), its sound after \(seconds(soundEnd))"
    }
    let reached = ([picture] + sounds).map { max($0.end, $0.position) }.max() ?? 0
    if length - reached > tolerance(length) {
      return "it breaks off after \(seconds(reached)) of \(seconds(length))"
    }
    return nil
  }
}
