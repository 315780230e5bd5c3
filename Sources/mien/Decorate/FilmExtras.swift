import CGStreamer
import Client
import Programs

/// What a film has beside pictures and sound: subtitles and chapters, and how the output keeps them.
final class FilmExtras {
  private let subtitles: [Pad]
  private let chapters: ChapterList?
  private let target: Decoration.Target
  private let length: Int
  /// What the output does not keep, for the user.
  private(set) var losses: [String] = []

  /// `length`: of the film in nanoseconds; 0 where it is unknown.
  init(_ streams: MediaReader.Streams, _ target: Decoration.Target, length: Int) {
    (self.target, self.length) = (target, length)
    let holdsText = target.type == .matroska || (target.isMP4 && target.stream == nil)
    let canWrite = holdsText && Element.isAvailable("capssetter")
    subtitles = canWrite ? streams.subtitles : []
    let count = streams.subtitles.count - subtitles.count
    if count > 0 {
      losses.append(
        "its \(Self.tracks(count)) of subtitles "
          + (count == 1 ? "is" : "are") + " lost: "
          + (holdsText
            ? "capssetter of gstreamer1.0-plugins-good is missing"
            : "\(target.format) gets none here, Matroska does"))
    }
    if streams.pictureSubtitles > 0 {
      let count = streams.pictureSubtitles
      losses.append(
        "its \(Self.tracks(count)) of subtitles that are pictures "
          + (count == 1 ? "is" : "are") + " lost")
    }
    if streams.hasStyledSubtitles, !subtitles.isEmpty {
      losses.append("its styled subtitles became plain text")
    }
    let found = streams.sentChapters ?? streams.chapters
    let isMatroska = target.type == .matroska || target.type == .webm
    let isKept = isMatroska || target.isMP4 && target.stream == nil
    // Matroska's muxer takes what is sent along by itself.
    chapters = isKept && !(isMatroska && streams.sentChapters != nil) ? found : nil
    if found != nil, !isKept {
      losses.append("its chapters are lost: \(target.format) gets none here")
    } else if target.isMP4, let found, found.chapters.count > ChapterList.most {
      losses.append("its chapters after \(ChapterList.most) are lost: MP4 holds no more")
    } else if found == nil, streams.hasChapterTrack {
      losses.append("its chapters, which are in a track alone, are lost")
    }
  }

  private static func tracks(_ count: Int) -> String { count == 1 ? "track" : "\(count) tracks" }

  /// Links the subtitles to the muxer, and gives it chapters that do not reach it by themselves.
  func connect(to muxer: Element, in pipeline: Element) throws(ProgramError) {
    if let chapters, !target.isMP4 { chapters.set(on: muxer, length: length) }
    for pad in subtitles {
      guard
        let bin = try? SubtitleText.makeBin(
          keepsTags: target.type == .matroska, endsEmpty: target.isMP4),
        let place = gst_element_request_pad_simple(muxer.raw, "subtitle_%u")
      else { throw .failure("its subtitles cannot be written") }
      defer { gst_object_unref(place) }
      pipeline.add(bin)
      guard bin.pad("src")?.link(Pad(place)) == true, pad.link(bin.pad("sink")) else {
        throw .failure("its subtitles cannot be written")
      }
    }
  }

  /// Adds to a complete file what the muxer has not written.
  func finish(_ part: AtomicFile) throws(ProgramError) {
    if let chapters, target.isMP4 { try MP4Chapters.write(chapters, to: part) }
  }
}

extension Decoration.Target {
  var isMP4: Bool { type == .mp4 || type == .mov }

  /// How the output's format is called.
  var format: String {
    guard isMP4, stream != nil else { return type.name }
    return (type == .mp4 ? "an " : "") + type.name + " in a pipe"
  }
}
