import CGStreamer
import Pixels
import Support
import Testing

/// `facehide` behind a detector that looks for everyone: real films, made crowds, whole folders.
@Suite(.timeLimit(.minutes(20))) struct FaceHideFilmTests {
  /// What hides shows in one colour, which no film has.
  private static let marked = "facehide name=h lookahead=15 mode=color color=0xffff00ff"

  /// Which bytes of RGB have the colour that hides.
  private static func mask(_ bytes: ArraySlice<UInt8>) -> [Bool] {
    stride(from: bytes.startIndex, to: bytes.endIndex, by: 3).map {
      bytes[$0] == 255 && bytes[$0 + 1] == 0 && bytes[$0 + 2] == 255
    }
  }

  /// The camera goes over a crowd of real faces, 26 to 51 pixels wide.
  @Test func aMadeCrowdIsHiddenAllButAFew() throws {
    let crowd = try Crowd(width: 1280, height: 720)
    crowd.draw(42, widths: 26...51, seed: 3)
    let (width, frames, step) = (1200, 16, 5)
    let folder = ScratchFolder()
    let film = folder.write(
      "crowd.rgb",
      (0..<frames).flatMap { frame in
        crowd.picture.withPicture { picture in
          (0..<720).flatMap { y in
            let row = picture.plane(0).row(y)
            return (0..<3 * width).map { row[3 * step * frame + $0] }
          }
        }
      })
    let run = try Command.launch(
      "filesrc location=\(film) ! rawvideoparse format=rgb width=\(width) height=720 framerate=25/1"
        + " ! facedetect min-confidence=0.4 tiles=3x3 detect-interval=1 max-faces=64 smoothing=0"
        + " expressions=false updates=none ! \(Self.marked)"
        + " ! filesink location=\(folder.path)/hidden.rgb")
    #expect(run.status == 0, "\(run.errors)")
    let bytes = ScratchFolder.bytes(folder.path + "/hidden.rgb")
    try #require(bytes.count == frames * width * 720 * 3)
    var (seen, hidden, area) = (0, 0, 0)
    for frame in 0..<frames {
      let mask = Self.mask(bytes[frame * width * 720 * 3..<(frame + 1) * width * 720 * 3])
      area += mask.count { $0 }
      for face in crowd.faces {
        let left = face.x - Double(step * frame)
        guard left >= 0, left + face.width <= Double(width) else { continue }
        seen += 1
        var (inside, covered) = (0, 0)
        for (y, x) in product(
          Int(face.y)...min(Int(face.maxY), 719), Int(left)...min(Int(left + face.width), width - 1)
        ) {
          let u = (Double(x) + 0.5 - left) / face.width - 0.5
          let v = (Double(y) + 0.5 - face.y) / face.height - 0.5
          guard u * u + v * v <= 0.25 else { continue }
          inside += 1
          if mask[y * width + x] { covered += 1 }
        }
        if Double(covered) >= 0.98 * Double(inside) { hidden += 1 }
      }
    }
    #expect(seen > 500 && Double(hidden) >= 0.9 * Double(seen), "\(hidden) of \(seen)")
    // Faces take 4 % of the frame, what is hidden of them with its margin three times that.
    #expect(Double(area) < 0.2 * Double(frames * width * 720))
  }

  /// Seeks through the demuxer of a film in which a face is in every frame.
  @Test func noFrameShowsAFaceWhereverTheFilmIsEntered() throws {
    #expect(Registered.now)
    let size = RealScene.man.size
    let pipeline = try Pipeline(
      "\(RealScene.man.source) ! video/x-raw,format=RGB"
        + " ! facedetect accuracy=low detect-interval=1 expressions=false updates=none"
        + " ! \(Self.marked) ! fakesink name=sink sync=false")
    var shares: [(time: UInt64, share: Double)] = []
    try pipeline.watch("sink") { buffer in
      let frame = CapturedFrame(buffer)
      let count = Self.mask(frame.bytes[...]).count { $0 }
      shares.append((frame.pts, Double(count) / Double(size.width * size.height)))
    }
    pipeline.setState(GST_STATE_PAUSED)
    let sink = try #require(pipeline.element("sink"))
    defer { gst_object_unref(UnsafeMutableRawPointer(sink)) }
    gst_element_get_state(sink, nil, nil, 20 * 1_000_000_000)
    var ends: [Int] = []
    for (milliseconds, rate) in [(1500, 1.0), (300, 1), (2200, 1), (1800, -1)] {
      let place = gint64(milliseconds) * 1_000_000
      let flags = GstSeekFlags(
        GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue)
      let isSought =
        rate > 0
        ? gst_element_seek(
          sink, rate, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, place, GST_SEEK_TYPE_NONE, 0)
        : gst_element_seek(
          sink, rate, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_SET, place)
      #expect(isSought != 0)
      gst_element_get_state(sink, nil, nil, 20 * 1_000_000_000)
      pipeline.setState(GST_STATE_PLAYING)
      g_usleep(400_000)
      pipeline.setState(GST_STATE_PAUSED)
      gst_element_get_state(sink, nil, nil, 20 * 1_000_000_000)
      ends.append(shares.count)
    }
    #expect(ends.allSatisfy { $0 > 0 } && ends == ends.sorted())
    let bare = shares.filter { $0.share < 0.02 }
    #expect(shares.count > 20 && bare.isEmpty, "\(bare.prefix(9)) of \(shares.count)")
  }

  @Test func aBatchHidesEveryFaceOfAFolder() throws {
    let folder = ScratchFolder()
    let (films, hidden) = (folder.path + "/in", folder.path + "/out")
    _ = try Command(["mkdir", films])
    _ = try Command(["cp", Photograph.path, "\(films)/a.png"])
    let run = try Command.mien(["batch", films, hidden, "--hide"])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(try Command.mien(["faces", "\(films)/a.png", "--expect", "1"]).status == 0)
    let left = try Command.mien(["faces", "\(hidden)/a.png", "--expect", "0"])
    #expect(left.status == 0, "\(left.output)")
  }

  /// Presets are files of one type, and the two names of the detector have one each.
  @Test(arguments: ["facedetect", "mienfacedetect"])
  func everyoneIsLookedForByEitherNameOfTheDetector(name: String) throws {
    let run = try Command([
      Photograph.root + "/pipelines/env.sh", "/usr/bin/python3", "-c",
      """
      import gi
      gi.require_version("Gst", "1.0")
      from gi.repository import Gst
      Gst.init(None)
      detector = Gst.ElementFactory.make("\(name)")
      assert detector.load_preset("Hide everyone")
      print(detector.props.max_faces, detector.props.tiles.value_nick)
      """,
    ])
    #expect(run.output == "64 3x3\n", "\(run.errors)")
  }
}
