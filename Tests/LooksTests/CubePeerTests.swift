import Looks
import Pixels
import Support
import Testing
import Threads

/// Cubes against ffmpeg's lut3d, which reads the same files.
@Suite(.timeLimit(.minutes(20))) struct CubePeerTests {
  @Test func tenDialectsMatchFFmpeg() throws {
    let scratch = ScratchFolder()
    let photograph = try Photograph.load(.rgb, width: 256, height: 256)
    let input = scratch.write("in.rgb", photograph.tightBytes)
    for (index, dialect) in CubeTexts.dialects.enumerated() {
      let bytes = Array(dialect.text.utf8)
      let cube = scratch.write("\(index).cube", bytes)
      let output = scratch.path + "/\(index).rgb"
      let run = try Command([
        "ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "256x256", "-i",
        input, "-vf", "lut3d=file=\(cube):interp=tetrahedral", "-f", "rawvideo", "-pix_fmt",
        "rgb24", output,
      ])
      try #require(run.status == 0, "\(dialect.name): \(run.errors)")
      let theirs = ScratchFolder.bytes(output)
      let ours = try looked(photograph, try CubeReader.read(bytes).map)
      try #require(theirs.count == ours.count)
      let sum = zip(ours, theirs).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      let mean = Double(sum) / Double(ours.count)
      let worst = zip(ours, theirs).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
      #expect(mean < 1, "\(dialect.name): mean \(mean), worst \(worst)")
      #expect(worst <= 8, "\(dialect.name): mean \(mean), worst \(worst)")
    }
  }

  private func looked(_ source: OwnedPicture, _ map: ColorMap) throws -> [UInt8] {
    let picture = OwnedPicture(source.video)
    source.withPicture { picture.copy($0) }
    Looked.change(picture, cube: map)
    return picture.tightBytes
  }

  /// All of 4096 colours and all greys, in every way a cube can be as large as it likes.
  @Test(arguments: [2, 3, 17, 32, 33, 65])
  func anIdentityIsTheIdentity(size: Int) throws {
    let text = (["LUT_3D_SIZE \(size)"] + CubeTexts.identity(size))
      .joined(separator: "\n")
    let map = try CubeReader.read(Array(text.utf8)).map
    for format in [PixelFormat.rgb, .bgrx, .argb, .ayuv, .y444, .i420, .nv21, .yuy2] {
      let colors = format.colorimetry(.bt709)
      let picture = TestColors.picture(format, colors)
      let before = picture.tightBytes
      Looked.change(picture, cube: map)
      let after = picture.tightBytes
      let worst = zip(before, after).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
      #expect(worst <= (format.family == .rgb ? 0 : 1), "\(format)")
    }
  }
}

/// One frame through a look.
enum Looked {
  static func change(
    _ picture: OwnedPicture, cube: ColorMap? = nil, mask: EffectMask? = nil, time: UInt64 = 0,
    runner: any SliceRunner = SerialRunner(), _ change: (inout LookSettings) -> Void = { _ in }
  ) {
    let effect = PhotoEffect()
    var settings = LookSettings()
    change(&settings)
    effect.setCube(cube)
    effect.configure(picture.video)
    picture.withPicture {
      effect.process($0, settings, mask: mask, time: time, runner: runner)
    }
  }
}
