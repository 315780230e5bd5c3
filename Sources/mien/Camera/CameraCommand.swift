import CGStreamer
import Files
import Glibc
import Programs

/// `mien camera`: a decorated camera, film or picture as a camera of other programs.
enum CameraCommand {
  private static let own: [Options.Option] = [
    .init("verbose", "v", "Say when other programs begin and end to look")
  ]

  static func run(_ arguments: [FilePath]) throws(ProgramError) -> Int32 {
    let options = try Options.parse(
      arguments, EffectOptions.options + own, usage: "[IN]",
      summary: "Is a camera that calls and other programs see, named \(VirtualCamera.name). IN is "
        + "a camera,\na picture or a film, which repeats; without it the first camera is shown.",
      text: EffectOptions.help + "\n\n" + """
        The picture comes by PipeWire, or where a device of v4l2loopback is loaded by that. With
        PipeWire the real camera is open only while somebody looks. Ctrl-C ends it.

        Exit code: 0; 2 for wrong use; 3 where there is no camera to show, or no way to be one.
        """)
    guard options.positional.count <= 1 else {
      throw .usage("name one camera, picture or film, or none (see mien camera --help)")
    }
    try Plugin.load()
    let effects = try EffectOptions(options)
    let camera = try VirtualCamera.find()
    try effects.runOnTestPicture()
    let source = try CameraSource(options.positional.first)
    do throws(ProgramError) {
      let broadcast = try CameraBroadcast(
        source, effects, as: camera, isVerbose: options.has("verbose"))
      try broadcast.run()
    } catch {
      throw error.prefixed(by: Terminal.printable(source.path))
    }
    return ExitCode.success.rawValue
  }
}
