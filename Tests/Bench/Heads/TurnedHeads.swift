import CGStreamer
import Faces
import Glibc
import Pixels
import Stickers
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
      let portrait = try Portrait()
      let level = try yaws.map { try portrait.turned(yaw: $0, pitch: 0) }
      try write("heads", worn.map { try row(wearing: $0, level) }, report)
      for (name, stickers) in sheets {
        let rows = try pitches.map { pitch in
          try row(
            wearing: stickers, yaws.map { try portrait.turned(yaw: $0, pitch: pitch) })
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

  // MARK: Heads

  /// The portrait as a texture on its mesh.
  private struct Portrait {
    private let frame: HeadFrame
    private let points: [Point3]
    private let texture: SurfaceTexture

    init() throws {
      let portrait = try RealScene.portrait.picture(.rgb)
      let face = try FoundFace.largest(in: portrait)
      guard let frame = HeadFrame(face, width: portrait.width, height: portrait.height),
        let mesh = frame.mesh
      else { throw FoundFace.Missing.face }
      self.frame = frame
      points = (0..<Face.landmarkCount).map { mesh[$0] }
      let skin = OwnedPicture(format: .rgba, width: 1024, height: 1024, colorimetry: .rgb)
      unwrap(portrait, points, to: skin)
      let space = SpriteSpace(format: .rgb, colorimetry: .rgb, blend: .over)
      guard let sprite = Sprite.make(from: skin, space: space) else {
        throw FoundFace.Missing.face
      }
      texture = SurfaceTexture(sprite, on: .face(without: []))
    }

    func turned(yaw: Double, pitch: Double) throws -> Head {
      let head = TurnedHead(
        frame, points, by: yaw, pitch: pitch, unit: 60,
        at: Point(x: Double(width) / 2, y: Double(height) * 0.52))
      let picture = OwnedPicture(format: .rgb, width: width, height: height, colorimetry: .rgb)
      picture.withPicture { picture in
        head.drawSkull(on: picture)
        SpriteCompositor(width: width).draw(texture, on: head.points, picture: picture)
      }
      let id = UInt32(yaws.firstIndex(of: yaw) ?? 0) + 1
      return Head(face: head.attached(id: id, width, height), bytes: picture.tightBytes)
    }
  }

  /// Samples the face texture from a picture: each texel has the colour of its position on the
  /// mesh.
  private static func unwrap(_ from: OwnedPicture, _ mesh: [Point3], to texture: OwnedPicture) {
    texture.withPicture { texture in
      from.withPicture { from in
        for t in FaceTopology.triangles + FaceTopology.mouthTriangles {
          unwrap(from, [t.a, t.b, t.c], mesh, to: texture)
        }
      }
    }
  }

  /// The same for one triangle.
  private static func unwrap(
    _ from: borrowing Picture, _ triangle: [Int], _ mesh: [Point3], to texture: borrowing Picture
  ) {
    let side = Double(texture.width)
    let corners = triangle.map { FaceTopology.textureCoordinates[$0] * side }
    let places = triangle.map { mesh[$0].xy }
    let (low, high) = corners.boundingCorners
    let (e, f) = (corners[1] - corners[0], corners[2] - corners[0])
    let area = e.x * f.y - e.y * f.x
    guard abs(area) > 1e-9 else { return }
    // Extends each triangle slightly, since neighbouring texels are interpolated.
    let rows = max(0, Int(low.y) - 2)..<min(texture.height, Int(high.y) + 3)
    let columns = max(0, Int(low.x) - 2)..<min(texture.width, Int(high.x) + 3)
    for (y, x) in product(rows, columns) {
      let p = Point(x: Double(x) + 0.5, y: Double(y) + 0.5) - corners[0]
      let b = (p.x * f.y - p.y * f.x) / area
      let c = (e.x * p.y - e.y * p.x) / area
      let row = texture.plane(0).row(y)
      let isInside = min(b, c, 1 - b - c) >= 0
      guard isInside || (row[4 * x + 3] == 0 && min(b, c, 1 - b - c) > -0.2) else { continue }
      let place = places[0] * (1 - b - c) + places[1] * b + places[2] * c
      let color = sample(from, place)
      for channel in 0..<3 { row[4 * x + channel] = color[channel] }
      row[4 * x + 3] = 255
    }
  }

  private static func sample(_ picture: borrowing Picture, _ place: Point) -> [UInt8] {
    let x = min(max(place.x - 0.5, 0), Double(picture.width - 2))
    let y = min(max(place.y - 0.5, 0), Double(picture.height - 2))
    let (left, top) = (Int(x), Int(y))
    let (a, b) = (x - Double(left), y - Double(top))
    let (upper, lower) = (picture.plane(0).row(top), picture.plane(0).row(top + 1))
    return (0..<3).map { channel in
      let i = 3 * left + channel
      let above = Double(upper[i]) * (1 - a) + Double(upper[i + 3]) * a
      let below = Double(lower[i]) * (1 - a) + Double(lower[i + 3]) * a
      return UInt8((above * (1 - b) + below * b).rounded())
    }
  }
}
