import CGStreamer
import Glibc
import Pixels
import Support

/// What `facehide` leaves of the faces in a made street, behind `facedetect` with the preset "Hide
/// everyone".
///
/// The elements are those that `make build` built; facehide has its defaults but for one colour,
/// which marks what it hides.
enum StreetHiding {
  static func run(_ report: Report) throws {
    gst_init(nil, nil)
    if let plugin = gst_plugin_load_file(".build/lib/gstreamer-1.0/libgstmien.so", nil) {
      gst_object_unref(UnsafeMutableRawPointer(plugin))
    }
    guard let preset = Preset("MienFaceDetect", "Hide everyone") else {
      throw Pipeline.Failure(description: "no preset")
    }
    let scene = try StreetScene(seed: StreetFinding.seed)
    let scratch = ScratchFolder()
    let path = scratch.path + "/street.i420"
    guard let file = fopen(path, "wb") else {
      throw Pipeline.Failure(description: "no file \(path)")
    }
    var truth: [[FaceTruth]] = []
    for frame in 0..<scene.frameCount {
      truth.append(scene.draw(frame))
      let bytes = planar(scene.picture)
      _ = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
    }
    fclose(file)
    report.line("\nHiding in the street, seed \(StreetFinding.seed): facedetect \(preset.text)")
    for lookahead in [0, 15] {
      var score = HidingScore(width: scene.width, height: scene.height)
      var frame = 0
      let pipeline = try Pipeline(
        "filesrc location=\(path) blocksize=\(scene.width * scene.height * 3 / 2)"
          + " ! rawvideoparse format=i420 width=\(scene.width) height=\(scene.height)"
          + " framerate=30/1 colorimetry=bt709 ! facedetect \(preset.text)"
          + " ! facehide lookahead=\(lookahead) mode=color color=0xffff00ff"
          + " ! fakesink name=sink")
      var shown: [Int: [UInt8]] = [:]
      let folder = FindingBench.setting("HIDING_PICTURES")
      try pipeline.watch("sink") { buffer in
        if frame < truth.count {
          let bytes = CapturedFrame(buffer).bytes
          score.add(bytes, truth[frame], isFirst: frame == 0)
          if folder != nil, frame % 20 == 0 { shown[frame] = bytes }
        }
        frame += 1
      }
      try pipeline.run()
      for (frame, bytes) in shown {
        try FindingPicture.write(
          bytes, format: "i420", scene.width, scene.height,
          to: "\(folder ?? "out")/hidden-\(lookahead)-\(frame).png")
      }
      report.line("  lookahead=\(lookahead): \(score.text)")
    }
  }

  /// The bytes of an RGB picture as I420 in BT.709.
  private static func planar(_ picture: OwnedPicture) -> [UInt8] {
    let (w, h) = (picture.width, picture.height)
    return [UInt8](unsafeUninitializedCapacity: w * h * 3 / 2) { out, count in
      count = w * h * 3 / 2
      picture.withPicture { picture in
        for y in stride(from: 0, to: h - 1, by: 2) {
          let rows = (picture.plane(0).row(y), picture.plane(0).row(y + 1))
          for x in stride(from: 0, to: w - 1, by: 2) {
            var sum = SIMD3<Int32>.zero
            for (line, row) in [(0, rows.0), (1, rows.1)] {
              for column in x..<x + 2 {
                let color = SIMD3(
                  Int32(row[3 * column]), Int32(row[3 * column + 1]), Int32(row[3 * column + 2]))
                sum &+= color
                let luma = 47 &* color.x &+ 157 &* color.y &+ 16 &* color.z
                out[(y + line) * w + column] = UInt8((luma &+ 128) >> 8 &+ 16)
              }
            }
            let place = (y / 2) * (w / 2) + x / 2
            let blue = -26 &* sum.x &- 86 &* sum.y &+ 112 &* sum.z
            let red = 112 &* sum.x &- 102 &* sum.y &- 10 &* sum.z
            out[w * h + place] = UInt8((blue &+ 512) >> 10 &+ 128)
            out[w * h * 5 / 4 + place] = UInt8((red &+ 512) >> 10 &+ 128)
          }
        }
      }
    }
  }
}
