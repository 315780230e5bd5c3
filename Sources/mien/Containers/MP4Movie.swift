/// The times in the boxes of an MP4 file: of the movie and of each track.
struct MP4Movie {
  /// Units per second, and the duration in these units; 0 where unknown.
  private var scale = 0
  private var duration = 0
  private var patches: [Container.Patch] = []
  private var tracks: [Int: MP4Track] = [:]
  private var chapters: ChapterList?
  private var hasChapterTrack = false

  var contents: Container.Contents {
    var contents = Container.Contents()
    for (number, track) in tracks where track.isShown {
      contents.ends[number] = track.endTime(movieScale: scale)
    }
    let said = scale > 0 ? Double(duration) / Double(scale) : 0
    contents.length = max(said.nanoseconds ?? 0, contents.ends.values.max() ?? 0)
    contents.sounds = Set(tracks.values.filter(\.isSound).map(\.number))
    (contents.chapters, contents.hasChapterTrack) = (chapters, hasChapterTrack)
    contents.patches = patches + tracks.values.compactMap(\.patch)
    return contents
  }

  mutating func readTimes(_ box: MP4Box, isFragment: Bool) {
    for (name, box) in box.boxes() {
      switch (isFragment, name) {
      case (false, "mvhd"): readMovieHeader(box)
      case (false, "trak"):
        if let track = MP4Track(box) { tracks[track.number] = track }
        if box["tref"]?["chap"] != nil { hasChapterTrack = true }
        patches += Self.fullRangePatches(box)
      case (false, "udta"): chapters = box["chpl"].flatMap { ChapterList(neroBox: $0.bytes) }
      case (false, "mvex"): readExtension(box)
      case (true, "traf"): readTrackFragment(box)
      default: break
      }
    }
  }

  /// Hides the colour boxes of H.264 and HEVC that say full range.
  ///
  /// qtdemux of GStreamer 1.22 and 1.24 takes the colours from them without the range, so decoders
  /// give limited range; without the box they take both from the stream itself.
  private static func fullRangePatches(_ track: MP4Box) -> [Container.Patch] {
    guard !MovieHeaderPatch.readsColorRange,
      let entries = track["mdia"]?["minf"]?["stbl"]?["stsd"]?.boxes(skipping: 8)
    else { return [] }
    return entries.filter { ["avc1", "avc3", "hvc1", "hev1"].contains($0.name) }.flatMap { entry in
      // The fields of a visual sample entry; ISO/IEC 14496-12, 12.1.3 and 12.1.5.
      entry.box.boxes(skipping: 78).compactMap { name, box in
        let bytes = box.bytes
        guard name == "colr", bytes.starts(with: "nclx".utf8), bytes.count > 10, bytes[10] > 127
        else { return nil }
        return Container.Patch(offset: box.range.lowerBound - 4, bytes: Array("free".utf8))
      }
    }
  }

  private mutating func readMovieHeader(_ box: MP4Box) {
    let bytes = box.bytes
    let isLong = bytes.first == 1
    let (offset, size) = isLong ? (20, 8) : (12, 4)
    guard let scale = bytes.bigEndian(at: offset),
      let duration = bytes.bigEndian(at: offset + 4, size)
    else {
      return
    }
    self.scale = scale
    setDuration(duration, size, at: box.range.lowerBound + offset + 4)
  }

  private mutating func readExtension(_ box: MP4Box) {
    for (name, box) in box.boxes() {
      let bytes = box.bytes
      if name == "mehd" {
        let size = bytes.first == 1 ? 8 : 4
        guard let duration = bytes.bigEndian(at: 4, size) else { continue }
        setDuration(duration, size, at: box.range.lowerBound + 4)
      } else if name == "trex", let number = bytes.bigEndian(at: 4),
        let each = bytes.bigEndian(at: 12)
      {
        tracks[number]?.sampleDuration = each
      }
    }
  }

  /// All ones, and 0, mean an unknown duration.
  private mutating func setDuration(_ duration: Int, _ size: Int, at offset: Int) {
    let isKnown = duration > 0 && (size == 8 || duration != Int(UInt32.max))
    if isKnown { self.duration = max(self.duration, duration) }
    patches.append(.init(offset: offset, bytes: Array(repeating: 0, count: size)))
  }

  private mutating func readTrackFragment(_ box: MP4Box) {
    let boxes = box.boxes()
    guard let header = boxes.first(where: { $0.name == "tfhd" })?.box.bytes,
      let flags = header.bigEndian(at: 0), let number = header.bigEndian(at: 4),
      var track = tracks[number]
    else { return }
    var offset = 8 + (flags & 1 != 0 ? 8 : 0) + (flags & 2 != 0 ? 4 : 0)
    var each = track.sampleDuration
    if flags & 8 != 0 {
      each = header.bigEndian(at: offset) ?? each
      offset += 4
    }
    for (name, box) in boxes {
      let bytes = box.bytes
      if name == "tfdt" {
        if let time = bytes.bigEndian(at: 4, bytes.first == 1 ? 8 : 4) { track.next = Double(time) }
      } else if name == "trun" {
        Self.readRun(bytes, each, &track)
      }
    }
    tracks[number] = track
  }

  private static func readRun(_ bytes: [UInt8], _ each: Int, _ track: inout MP4Track) {
    guard let flags = bytes.bigEndian(at: 0), let count = bytes.bigEndian(at: 4) else { return }
    guard flags & 0x100 != 0 else { return track.appendSamples(count, each) }
    let size = [0x100, 0x200, 0x400, 0x800].reduce(0) { $0 + (flags & $1 != 0 ? 4 : 0) }
    var offset = 8 + (flags & 1 != 0 ? 4 : 0) + (flags & 4 != 0 ? 4 : 0)
    for _ in 0..<count {
      guard let duration = bytes.bigEndian(at: offset) else { return }
      track.appendSamples(1, duration)
      offset += size
    }
  }
}

/// One track's samples and edits.
///
/// Times are untrusted numbers: they are computed as Double, because integers would overflow.
struct MP4Track {
  let number: Int
  /// Whether it is video or audio.
  let isShown: Bool
  let isSound: Bool
  /// A patch with a longer duration; nil where the duration is right.
  private(set) var patch: Container.Patch?
  /// The default duration of samples in fragments.
  var sampleDuration = 0
  /// The time of the next sample, in units of the track.
  var next = 0.0
  private let scale: Int
  /// Runs of samples of equal duration, in units of the track.
  private var runs: [(start: Double, count: Int, duration: Int)] = []
  /// The edit list; nil where it changes the rate.
  ///
  /// Durations in units of the movie, 0 for the rest of the track; starts in units of the track, nil
  /// for an empty edit.
  private var edits: [(duration: Int, start: Int?)]? = []

  /// Nil where a required box is missing.
  init?(_ box: MP4Box) {
    guard let media = box["mdia"], let kind = media["hdlr"]?.bytes, kind.count >= 12,
      let header = box["tkhd"]?.bytes, let times = media["mdhd"]?.bytes,
      let number = header.bigEndian(at: header.first == 1 ? 20 : 12),
      let scale = times.bigEndian(at: times.first == 1 ? 20 : 12)
    else { return nil }
    self.number = number
    self.scale = scale
    isSound = kind[8..<12].elementsEqual("soun".utf8)
    isShown = isSound || kind[8..<12].elementsEqual("vide".utf8)
    let samples = media["minf"]?["stbl"]
    if let table = samples?["stts"]?.bytes {
      for offset in stride(from: 8, to: table.count - 7, by: 8) {
        appendSamples(table.bigEndian(at: offset)!, table.bigEndian(at: offset + 4)!)
      }
    }
    if let table = box["edts"]?["elst"]?.bytes {
      edits = Self.readEditList(table)
    } else if let offset = media["mdhd"]?.range.lowerBound, let table = samples?["ctts"]?.bytes {
      patch = Self.durationPatch(times, offset, table)
    }
  }

  /// `times`: the media header, which is at `offset`; `table`: the composition offsets.
  private static func durationPatch(
    _ times: [UInt8], _ offset: Int, _ table: [UInt8]
  ) -> Container.Patch? {
    let (field, size) = times.first == 1 ? (24, 8) : (16, 4)
    let delays = stride(from: 12, to: table.count - 3, by: 8).map { table.bigEndian(at: $0)! }
    // Negative offsets are large numbers here; offsets beyond the track are ignored.
    guard let duration = times.bigEndian(at: field, size), (1...Int(UInt32.max)).contains(duration),
      let delay = delays.filter({ $0 <= min(duration, Int(Int32.max)) }).max(), delay > 0,
      duration + delay < Int(UInt32.max)
    else { return nil }
    let bytes = (0..<size).map {
      UInt8(truncatingIfNeeded: (duration + delay) >> (8 * (size - 1 - $0)))
    }
    return .init(offset: offset + field, bytes: bytes)
  }

  private static func readEditList(_ table: [UInt8]) -> [(duration: Int, start: Int?)]? {
    let size = table.first == 1 ? 8 : 4
    var edits: [(duration: Int, start: Int?)] = []
    for offset in stride(from: 8, to: table.count - 2 * size - 3, by: 2 * size + 4) {
      let (duration, start) = (
        table.bigEndian(at: offset, size)!, table.bigEndian(at: offset + size, size)!
      )
      let isEmpty = size == 4 ? start > Int(Int32.max) : start < 0
      // 1.0 as a fixed-point number; some programs write a plain 1.
      guard [0x10000, 1].contains(table.bigEndian(at: offset + 2 * size)!) else { return nil }
      edits.append((max(0, duration), isEmpty ? nil : start))
    }
    return edits
  }

  mutating func appendSamples(_ count: Int, _ duration: Int) {
    guard count > 0 else { return }
    if let last = runs.last, last.duration == duration,
      last.start + Double(last.count) * Double(duration) == next
    {
      runs[runs.count - 1].count += count
    } else {
      runs.append((next, count, duration))
    }
    next += Double(count) * Double(duration)
  }

  /// The presentation time of the last sample in nanoseconds; nil where it is unknown.
  func endTime(movieScale: Int) -> Int? {
    guard scale > 0, let edits else { return nil }
    let (units, all) = (Double(scale), [(duration: 0, start: Int?.some(0))])
    var (time, end): (Double, Double?) = (0, nil)
    for edit in edits.isEmpty ? all : edits {
      guard edit.duration == 0 || movieScale > 0 else { return nil }
      let duration = edit.duration == 0 ? 0 : Double(edit.duration) / Double(movieScale)
      if let start = edit.start {
        let stop = edit.duration == 0 ? Double.infinity : Double(start) + duration * units
        if let last = lastSample(before: stop) {
          end = time + max(0, last - Double(start)) / units
        }
        if edit.duration == 0 { break }
      }
      time += duration
    }
    return end?.nanoseconds
  }

  /// The time of the last sample before `stop`, in units of the track.
  private func lastSample(before stop: Double) -> Double? {
    runs.compactMap { run -> Double? in
      guard run.start < stop else { return nil }
      guard run.duration > 0 else { return run.start }
      let index = min(
        Double(run.count - 1), ((stop - run.start) / Double(run.duration)).rounded(.up) - 1)
      return run.start + max(0, index) * Double(run.duration)
    }.max()
  }
}

extension Double {
  /// Seconds as nanoseconds; nil where the number is too large.
  fileprivate var nanoseconds: Int? {
    isFinite && abs(self) < 1e9 ? Int(self * 1e9) : nil
  }
}
