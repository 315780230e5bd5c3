import CGStreamer
import Pixels
import Support

/// Draws stickers on heads with larger angles than in any of the films, for inspection.
///
/// A portrait is sampled into a face texture, which is drawn on its mesh with a yaw of -40 to 40 and a
/// pitch of -30 to 30 degrees, over a bald grey head; then `sticker` draws the packs. The results are
/// out/heads.jpg, and out/heads-hat.jpg and others with every yaw at every pitch.
enum TurnedHeads {
  private static let (width, height) = (300, 390)
  private static let yaws = [-40.0, -20, 0, 20, 40]
  private static let pitches = [-30.0, -15, 0, 15, 30]
  private static let worn = [
    "location=facepaint", "location=mask", "location=hat ! sticker location=glasses",
    "location=halo",
    "location=dog",
  ]
  /// The sheets of every angle: what is worn on heads that look down and up.
  private static let sheets = [
    ("hat", "location=hat"), ("halo", "location=halo"), ("dog", "location=dog"),
    ("moustache", "location=moustache"), ("glasses", "location=glasses"),
  ]

  static func run(_ report: Report) {
    do {
      gst_init(nil, nil)
      if let plugin = gst_plugin_load_file(".build/lib/gstreamer-1.0/libgstmien.so", nil) {
        gst_object_unref(UnsafeMutableRawPointer(plugin))
      }
      let portrait = try TexturedHead(.portrait)
      let level = yaws.map { turned(portrait, yaw: $0, pitch: 0) }
      try write("heads", worn.map { try row(wearing: $0, level) }, report)
      for (name, stickers) in sheets {
        let rows = try pitches.map { pitch in
          try row(
            wearing: stickers, yaws.map { turned(portrait, yaw: $0, pitch: pitch) })
        }
        try write("heads-" + name, rows, report)
      }
    } catch {
      report.line("No heads were drawn: \(error)")
    }
  }

  /// Writes rows of pictures as out/NAME.jpg.
  private static func write(_ name: String, _ rows: [[UInt8]], _ report: Report) throws {
    let scratch = ScratchFolder()
    let strip = rows.flatMap(\.self)
    let raw = scratch.write("strip", strip)
    let (width, height) = (width * yaws.count, height * rows.count)
    try Pipeline(
      "filesrc location=\(raw) blocksize=\(strip.count) ! rawvideoparse format=rgb"
        + " width=\(width) height=\(height) ! videoscale method=lanczos"
        + " ! video/x-raw,width=\(width * 3 / 5),height=\(height * 3 / 5)"
        + " ! videoconvert ! video/x-raw,format=I420 ! jpegenc quality=78"
        + " ! filesink location=out/\(name).jpg"
    ).run()
    report.line("Written: out/\(name).jpg")
  }

  private struct Head {
    let face: AttachedFace
    let bytes: [UInt8]
  }

  /// The frames of all heads after `sticker`, side by side.
  private static func row(wearing stickers: String, _ heads: [Head]) throws -> [UInt8] {
    let size = width * height * 3
    let scratch = ScratchFolder()
    let frames = scratch.write("frames", heads.flatMap(\.bytes))
    let pipeline = try Pipeline(
      "filesrc location=\(frames) blocksize=\(size) ! rawvideoparse format=rgb width=\(width)"
        + " height=\(height) framerate=2/1 ! identity name=here ! sticker \(stickers)"
        + " ! fakesink name=sink")
    var (given, taken): (Int, [[UInt8]]) = (0, [])
    try pipeline.watch("here", pad: "src") { buffer in
      AttachedFace.attach(
        [heads[given].face], measuredOn: (UInt32(width), UInt32(height)), to: buffer)
      given += 1
    }
    try pipeline.watch("sink") { taken.append(CapturedFrame($0).bytes) }
    try pipeline.run()
    let line = width * 3
    return (0..<height).flatMap { y in taken.flatMap { $0[y * line..<(y + 1) * line] } }
  }

  private static func turned(_ portrait: TexturedHead, yaw: Double, pitch: Double) -> Head {
    let (head, picture) = portrait.turned(
      yaw: yaw, pitch: pitch, unit: 60, width: width, height: height)
    let id = UInt32(yaws.firstIndex(of: yaw) ?? 0) + 1
    return Head(face: head.attached(id: id, width, height), bytes: picture.tightBytes)
  }
}
