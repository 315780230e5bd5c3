import Support
import Testing

/// What `mien decorate` keeps of films, as ffprobe reads it back.
@Suite(.timeLimit(.minutes(20))) struct FilmTableTests {
  /// A made film, and what its output has.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    /// The arguments of ffmpeg before the file name; `$V` and `$A` are sources of 0.4 s.
    let made: String
    /// The name of the output; without one it has the ending of the input.
    var output: String?
    /// Fields of ffprobe in the output, as `key=value`.
    var keeps: [String] = []
    /// What is said to be lost; nothing where it is nil.
    var lost: String?
    /// The times of frames are compared.
    var comparesTimes = false

    var testDescription: String { name + (output.map { " to " + $0 } ?? "") }
  }

  private static let h264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p"
  private static let h265 = "-c:v libx265 -preset ultrafast -x265-params log-level=none"
  // ffmpeg 7 takes primaries and transfer from the frames, and no longer from options.
  private static let fullRange =
    "scale=out_range=pc:out_color_matrix=bt709"
    + ",setparams=range=pc:color_primaries=bt709:color_trc=bt709:colorspace=bt709"
  private static let transparent = "-vf format=yuva444p10le,colorchannelmixer=aa=0.5"
  private static let ten = ["codec_name=hevc", "pix_fmt=yuv420p10le"]
  private static let chapters = [
    "start_time=0.000000", "start_time=0.200000", "tag:title=One day", "tag:title=Übermorgen",
  ]
  private static let hasX264 =
    (try? Command(["gst-inspect-1.0", "--exists", "x264enc"]).status == 0) ?? false
  private static let interlaced = "its interlaced frames are marked as whole ones"
  /// Without x264enc, which Debian has in gstreamer1.0-plugins-ugly.
  private static let interlacedIfNeeded =
    hasX264 ? nil : interlaced + "; x264enc of gstreamer1.0-plugins-ugly keeps interlaced frames"
  private static let topFieldFirst = ["interlaced_frame=1", "top_field_first=1"]

  static let rows: [Row] = [
    Row(
      name: "hdr10.mp4",
      made: "$V $A \(h265)"
        + ":master-display='G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,500)'"
        + ":max-cll=1000,400:hdr10=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc"
        + " -pix_fmt yuv420p10le -c:a aac",
      keeps: ten + [
        "color_space=bt2020nc", "color_transfer=smpte2084", "color_primaries=bt2020",
        "max_content=1000", "max_average=400", "max_luminance=10000000/10000",
      ]),
    Row(
      name: "hlg.mkv",
      made: "$V \(h265):colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc"
        + " -pix_fmt yuv420p10le",
      keeps: ten + ["color_transfer=arib-std-b67", "color_primaries=bt2020"]),
    Row(
      name: "h264-422.mkv", made: "$V $A -c:v libx264 -preset ultrafast -pix_fmt yuv422p10le",
      keeps: ["pix_fmt=yuv422p10le"]),
    Row(
      name: "prores-422.mov", made: "$V $A -c:v prores_ks -profile:v 2 -pix_fmt yuv422p10le",
      keeps: ["pix_fmt=yuv422p10le", "codec_name=aac"]),
    Row(
      name: "prores-4444.mov", made: "$V $A \(transparent) -c:v prores_ks",
      keeps: ["codec_name=prores", "pix_fmt=yuva444p12le", "codec_name=aac"]),
    Row(
      name: "prores-4444.mov", made: "", output: "from-4444.mkv",
      keeps: ["codec_name=ffv1", "pix_fmt=yuva444p10le", "codec_name=flac"]),
    Row(
      name: "prores-4444.mov", made: "", output: "from-4444.mp4", keeps: ["pix_fmt=yuv444p10le"],
      lost:
        "its transparency, which MP4 does not keep here (QuickTime and Matroska do), was left out"
    ),
    Row(
      name: "turned-4444.mov",
      made: "$V \(transparent) -c:v prores_ks flat.mov && turn flat.mov",
      keeps: ["codec_name=prores", "width=96", "height=128"],
      lost: "its bits a sample became 8, since turning keeps no more with alpha"),
    Row(
      name: "alpha.webm",
      made: "$V -vf format=yuva420p,colorchannelmixer=aa=0.5 -c:v libvpx-vp9 -cpu-used 8",
      output: "alpha.mkv", keeps: ["codec_name=ffv1", "pix_fmt=yuva420p"]),
    Row(
      name: "v210.mov", made: "$V -c:v v210 -pix_fmt yuv422p10le", keeps: ["pix_fmt=yuv422p10le"]),
    Row(
      name: "ffv1-444.mkv", made: "$V $A -c:v ffv1 -pix_fmt yuv444p10le",
      keeps: ["pix_fmt=yuv444p10le"]),
    Row(
      name: "av1.mkv", made: "$V -c:v libaom-av1 -cpu-used 8 -pix_fmt yuv420p10le", keeps: ten),
    Row(
      name: "vp9.webm",
      made: "$V $A -c:v libvpx-vp9 -cpu-used 8 -pix_fmt yuv420p10le -c:a libopus",
      keeps: ["codec_name=vp9", "pix_fmt=yuv420p10le", "codec_name=vorbis"]),
    Row(
      name: "colours-444.mp4", made: "$V -c:v libx264 -preset ultrafast -pix_fmt yuv444p",
      keeps: ["pix_fmt=yuv420p"], lost: "its 4:4:4 colour became 4:2:0"),
    Row(
      name: "full-range.mp4",
      made: "$V -vf \(fullRange) \(h264)",
      keeps: ["color_range=pc", "color_space=bt709", "color_transfer=bt709"]),
    Row(
      name: "full-range.mp4", made: "", output: "full-range.mkv",
      keeps: ["color_range=pc", "color_space=bt709", "color_transfer=bt709"]),
    Row(
      name: "full-range.mp4", made: "", output: "full-range.mov", keeps: ["color_space=bt709"],
      lost: hasX264 ? nil : "its full range became limited"),
    Row(
      name: "full-range-10.mkv",
      made: "$V -vf \(fullRange) \(h265):range=full -pix_fmt yuv420p10le",
      output: "full-range-10.mp4", keeps: ten + ["color_range=pc"]),
    Row(
      name: "interlaced.mp4", made: "$V $A -vf setfield=tff \(h264) -flags +ildct+ilme",
      keeps: hasX264 ? topFieldFirst : [], lost: interlacedIfNeeded),
    Row(name: "interlaced.mp4", made: "", output: "interlaced.webm", lost: interlaced),
    Row(
      name: "interlaced-422.mov",
      made: "$V -vf setfield=bff -c:v prores_ks -profile:v 2 -pix_fmt yuv422p10le -flags +ildct",
      keeps: ["pix_fmt=yuv422p10le"]
        + (hasX264 ? ["interlaced_frame=1", "top_field_first=0"] : []),
      lost: interlacedIfNeeded),
    Row(
      name: "interlaced-4444.mov",
      made: "$V -vf setfield=tff,format=yuva444p10le,colorchannelmixer=aa=0.5 -c:v prores_ks"
        + " -flags +ildct",
      keeps: topFieldFirst + ["codec_name=prores"]),
    Row(
      name: "interlaced-4444.mov", made: "", output: "interlaced-ffv1.mkv",
      keeps: topFieldFirst + ["codec_name=ffv1"]),
    Row(
      name: "mpeg2.mpg", made: "$V -vf setfield=tff -c:v mpeg2video -flags +ildct+ilme -b:v 2M",
      output: "mpeg2.mkv", keeps: hasX264 ? topFieldFirst : [], lost: interlacedIfNeeded),
    Row(
      name: "variable.mkv",
      made: "$V $A -vf 'select=not(eq(mod(n\\,3)\\,1))' -fps_mode vfr \(h264)", comparesTimes: true),
    Row(
      name: "anamorphic.mp4", made: "$V -vf setsar=16/11 \(h264)",
      keeps: ["sample_aspect_ratio=16:11"]),
    Row(
      name: "turned.mp4", made: "$V \(h264) straight.mp4 && turn straight.mp4",
      keeps: ["width=96", "height=128"]),
    Row(
      name: "two-sounds.mp4", made: "$V $A $A -map 0 -map 1 -map 2 \(h264) $languages",
      keeps: ["tag:language=deu", "tag:language=fra"]),
    Row(
      name: "two-sounds.mkv", made: "$V $A $A -map 0 -map 1 -map 2 \(h264) $languages",
      keeps: ["tag:language=ger", "tag:language=fre"]),
    Row(
      name: "subtitles.mp4",
      made: "$V -i lines.srt \(h264) -c:s mov_text -metadata:s:s language=deu",
      keeps: ["codec_name=mov_text", "tag:language=deu"]),
    Row(
      name: "subtitles.mkv", made: "$V -i lines.srt \(h264) -metadata:s:s language=deu -c:s srt",
      keeps: ["codec_name=subrip", "tag:language=ger"]),
    Row(
      name: "subtitles.mkv", made: "", output: "from-mkv.mp4", keeps: ["codec_name=mov_text"]),
    Row(
      name: "subtitles.mkv", made: "", output: "subtitles.webm",
      lost: "its track of subtitles is lost: WebM gets none here, Matroska does"),
    Row(
      name: "styled.mkv", made: "$V -i lines.srt \(h264) -c:s ass", keeps: ["codec_name=subrip"],
      lost: "its styled subtitles became plain text"),
    Row(
      name: "chapters.mp4", made: "$V $A -i words.txt -map_metadata 2 \(h264)",
      keeps: chapters + ["tag:title=A title", "tag:artist=Jürgen"]),
    Row(
      name: "chapters.mkv", made: "$V $A -i words.txt -map_metadata 2 \(h264)",
      keeps: chapters + ["tag:TITLE=A title", "tag:ARTIST=Jürgen"]),
    Row(name: "chapters.mp4", made: "", output: "from-mp4.mkv", keeps: chapters),
    Row(name: "chapters.mkv", made: "", output: "chapters-from-mkv.mp4", keeps: chapters),
    Row(name: "chapters.mkv", made: "", output: "chapters.webm", keeps: chapters),
  ]

  private static let script = """
    cd "$1"
    V="-f lavfi -i testsrc2=s=128x96:r=25:d=0.4" A="-f lavfi -i sine=r=48000:d=0.4"
    languages="-metadata:s:a:0 language=deu -metadata:s:a:1 language=fra"
    printf '1\\n00:00:00,000 --> 00:00:00,150\\nA <i>line</i> & more\\n\\n' >lines.srt
    printf '2\\n00:00:00,200 --> 00:00:00,370\\nAnother\\n\\n' >>lines.srt
    printf ';FFMETADATA1\\ntitle=A title\\nartist=Jürgen\\n[CHAPTER]\\nTIMEBASE=1/1000\\n' >words.txt
    printf 'START=0\\nEND=200\\ntitle=One day\\n' >>words.txt
    printf '[CHAPTER]\\nTIMEBASE=1/1000\\nSTART=200\\nEND=400\\ntitle=Übermorgen\\n' >>words.txt
    make() { ffmpeg -nostdin -v error -y "$@"; }
    # The option of ffmpeg 6, or the tag of older ones.
    turn() {
      make -display_rotation 90 -i $1 -c copy $2 2>/dev/null \
        || make -i $1 -c copy -metadata:s:v rotate=90 $2
    }

    """

  @Test func filmsKeepWhatTheirContainersHold() throws {
    let scratch = ScratchFolder()
    let needed = Self.rows.filter { !$0.made.isEmpty }
    let lines = needed.map { "make \($0.made) \($0.name) || echo \($0.name)\n" }.joined()
    let making = try Command(["bash", "-c", Self.script + lines, "bash", scratch.path])
    let missing = Set(making.output.split(separator: "\n").map(String.init))
    if !missing.isEmpty {
      print("left out, since ffmpeg has no encoder: \(missing.sorted())\n\(making.errors)")
    }
    try #require(making.status == 0 && missing.count < 4, "\(making.errors)")
    for row in Self.rows where !missing.contains(row.name) {
      try check(row, in: scratch.path)
    }
  }

  private func check(_ row: Row, in folder: String) throws {
    let input = "\(folder)/\(row.name)"
    let output = "\(folder)/out-\(row.output ?? row.name)"
    let run = try Command.mien(["decorate", input, output, "--look", "mono"])
    #expect(run.status == 0, "\(row.testDescription): \(run.errors)")
    let said = row.lost.map { "mien: \($0)\n" } ?? ""
    #expect(run.errors == said, "\(row.testDescription)")
    let fields = try fields(of: output)
    for field in row.keeps {
      #expect(fields.contains(field), "\(row.testDescription): \(field) of \(fields.sorted())")
    }
    if row.comparesTimes {
      #expect(try times(in: input) == times(in: output), "\(row.testDescription)")
    }
    guard row.lost != nil else { return }
    let strict = try Command.mien(
      [
        "decorate", input, "\(folder)/strict-\(row.output ?? row.name)", "--look", "mono",
        "--strict",
      ]
    )
    #expect(strict.status == 3, "\(row.testDescription): \(strict.errors)")
    #expect(strict.errors.contains("with --strict nothing is written"), "\(strict.errors)")
  }

  private func fields(of path: String) throws -> Set<String> {
    let run = try Command([
      "ffprobe", "-v", "error", "-read_intervals", "%+#1", "-show_streams", "-show_chapters",
      "-show_format", "-show_frames", "-of", "compact=s=\u{1F}:e=none", path,
    ])
    let fields = run.output.split(whereSeparator: { $0 == "\u{1F}" || $0 == "\n" })
    // ffprobe 7 writes "side_datum/mastering_display_metadata:" before fields of side data.
    return Set(
      fields.map { field in
        guard field.hasPrefix("side_datum/") else { return String(field) }
        return field.split(separator: ":", maxSplits: 1).last.map(String.init) ?? ""
      })
  }

  private func times(in path: String) throws -> [Substring] {
    let run = try Command([
      "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of",
      "csv=p=0", path,
    ])
    return run.output.split(separator: "\n").sorted()
  }

  @Test func subtitlesKeepTheirTextAndTimes() throws {
    let scratch = ScratchFolder()
    let film =
      "make $V -i lines.srt \(Self.h264) -c:s srt a.mkv && make -i a.mkv -c copy -c:s mov_text a.mp4"
    let making = try Command(["bash", "-c", Self.script + film, "bash", scratch.path])
    try #require(making.status == 0, "\(making.errors)")
    for (input, output, text) in [
      ("a.mkv", "b.mkv", "A <i>line</i> & more"), ("a.mp4", "c.mkv", "A line & more"),
      ("a.mkv", "b.mp4", "A line & more"), ("a.mp4", "c.mp4", "A line & more"),
    ] {
      let run = try Command.mien(
        ["decorate", scratch.path + "/" + input, scratch.path + "/" + output, "--look", "mono"])
      #expect(run.status == 0, "\(run.errors)")
      let read = try Command([
        "ffprobe", "-v", "error", "-select_streams", "s", "-show_packets", "-show_data", "-of",
        "compact", scratch.path + "/" + output,
      ]).output
      // The second lies behind a pause, after which qtmux ends the last text too early.
      #expect(read.contains("pts_time=0.200000"), "\(input) to \(output): \(read)")
      #expect(read.contains("duration_time=0.170000"), "\(input) to \(output): \(read)")
      let lines = try Command([
        "ffmpeg", "-nostdin", "-v", "error", "-i", scratch.path + "/" + output, "-map", "0:s",
        "-c:s", output.hasSuffix(".mkv") ? "copy" : "text", "-f",
        output.hasSuffix(".mkv") ? "srt" : "data", "-",
      ]).output
      #expect(lines.contains(text), "\(input) to \(output): \(lines)")
      #expect(read.contains("duration_time=0.150000"), "\(input) to \(output): \(read)")
    }
  }
}
