import Support

/// A film as written by editors and phones, made with ffmpeg: cut without re-encoding, with an edit
/// list; fragmented; with sound of another length.
struct OddFilm: Sendable {
  let name: String
  /// The arguments of `ffmpeg` before the file name.
  ///
  /// `$short` and `$long` are the source films, with a key frame per second and a single key frame.
  let arguments: String
  /// Whether there is an audio stream.
  var hasSound = true

  /// Arguments for an MP4 of four seconds with B-frames and a tone.
  private static func source(_ keyFrames: Int) -> String {
    "-f lavfi -i testsrc2=s=160x120:r=25:d=4 -f lavfi -i sine=f=440:r=44100:d=4"
      + " -c:v libx264 -preset ultrafast -bf 3 -g \(keyFrames) -c:a aac"
  }

  /// Writes all films into an existing folder.
  static func make(_ films: [OddFilm], in folder: String) throws {
    var script = "cd \"$1\"; make() { ffmpeg -nostdin -v error -y \"$@\"; }\n"
    script += "short=short-source.mp4 long=long-source.mp4\n"
    script += "make \(source(25)) $short && make \(source(250)) $long || exit\n"
    for film in films { script += "make \(film.arguments) \(film.name) || exit\n" }
    script += "rm -f $short $long all.mp4"
    let run = try Command(["bash", "-c", script, "bash", folder])
    guard run.status == 0 else {
      throw Pipeline.Failure(description: "ffmpeg makes no film", detail: run.errors)
    }
  }

  /// The number of frames, and the seconds of sound, that ffmpeg decodes.
  struct Length {
    let frames: Int
    let sound: Double

    init(of path: String) throws {
      let run = try Command([
        "bash", "-c",
        "ffmpeg -nostdin -v error -i \"$1\" -map 0:v:0 -fps_mode passthrough -s 16x16 -pix_fmt gray"
          + " -f rawvideo - | wc -c; ffmpeg -nostdin -v error -i \"$1\" -map '0:a:0?' -ac 1 -ar 8000"
          + " -f s16le - 2>/dev/null | wc -c", "bash", path,
      ])
      let numbers = run.output.split(separator: "\n").compactMap { Int($0) }
      guard numbers.count == 2 else {
        throw Pipeline.Failure(description: "ffmpeg counts nothing", detail: run.errors)
      }
      frames = numbers[0] / 256
      sound = Double(numbers[1]) / 16000
    }
  }
}

extension OddFilm {
  private static let pieces = "-i $short -c copy -movflags"

  /// Intact films; their outputs have all frames and all sound.
  static let whole = [
    OddFilm(name: "cut.mp4", arguments: "-ss 0.7 -t 1 -i $short -c copy"),
    OddFilm(name: "cut-long.mp4", arguments: "-ss 0.7 -t 1 -i $long -c copy"),
    OddFilm(name: "cut-late.mp4", arguments: "-ss 2.3 -t 1.5 -i $long -c copy"),
    OddFilm(name: "cut-to-end.mp4", arguments: "-ss 1.5 -i $short -c copy"),
    OddFilm(name: "cut-picture-new.mp4", arguments: "-ss 0.7 -t 1 -i $long -c:v libx264 -c:a copy"),
    OddFilm(name: "cut-sound-new.mp4", arguments: "-ss 0.7 -t 1 -i $short -c:v copy -c:a aac"),
    OddFilm(name: "cut.mov", arguments: "-ss 0.7 -t 1 -i $short -c copy"),
    OddFilm(name: "cut.m4v", arguments: "-ss 0.7 -t 1 -i $short -c copy -f mp4"),
    OddFilm(name: "cut.mkv", arguments: "-ss 0.7 -t 1 -i $short -c copy"),
    OddFilm(
      name: "cut-key-frames.mp4",
      arguments:
        "-i $short -g 1 -c:v libx264 -c:a copy all.mp4 && make -ss 1.2 -t 2 -i all.mp4 -c copy"
    ),
    OddFilm(
      name: "cut-silent.mp4", arguments: "-ss 0.7 -t 2.5 -i $short -an -c copy", hasSound: false),
    OddFilm(name: "whole.mp4", arguments: "-i $short -c copy"),
    OddFilm(name: "no-edits.mp4", arguments: "-i $short -c copy -use_editlist 0"),
    OddFilm(
      name: "sound-late.mp4",
      arguments: "-i $short -itsoffset 0.5 -i $short -map 0:v -map 1:a -c copy -t 4"),
    OddFilm(
      name: "picture-late.mp4",
      arguments: "-itsoffset 0.4 -i $short -i $short -map 0:v -map 1:a -c copy"),
    OddFilm(
      name: "sound-short.mp4",
      arguments: "-i $short -t 1.5 -i $short -map 0:v -map 1:a -c copy"),
    OddFilm(
      name: "cut-sound-short.mp4",
      arguments: "-ss 0.7 -i $short -ss 0.7 -t 1 -i $short -map 0:v -map 1:a -c copy"),
    OddFilm(
      name: "sound-short.mkv", arguments: "-i $short -t 1.5 -i $short -map 0:v -map 1:a -c copy"),
    // The sound is shorter than a fifth of the video, which qtdemux treats as a preview.
    OddFilm(
      name: "sound-very-short.mp4",
      arguments: "-stream_loop 2 -i $short -t 0.9 -i $short -map 0:v -map 1:a -c copy"),
    OddFilm(name: "pieces.mp4", arguments: pieces + " frag_keyframe+empty_moov"),
    OddFilm(name: "pieces-short.mp4", arguments: pieces + " empty_moov -frag_duration 300000"),
    OddFilm(name: "pieces-with-header.mp4", arguments: pieces + " frag_keyframe"),
    OddFilm(name: "pieces-dash.mp4", arguments: pieces + " dash+global_sidx"),
  ]
}
