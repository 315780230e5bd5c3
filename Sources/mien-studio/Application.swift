import CGTK4
import Client
import Files
import Glibc
import Programs

/// The studio as a program: its arguments, its window, its exit code.
enum Application {
  private nonisolated(unsafe) static var window: MainWindow?
  private nonisolated(unsafe) static var problem: ProgramError?
  private nonisolated(unsafe) static var start = Start()

  /// The command line.
  struct Start {
    /// The file to open.
    var input: FilePath?
    /// Whether latency statistics are printed at the end.
    var reports = false
  }

  static let help = """
    Usage: mien studio [OPTION...] [FILE]

    Shows a camera, a film or a picture through Mien's elements, in a window. Without FILE that is
    a photograph.

      -h, --help       Show help options
      -r, --report     Say at the end how many frames were shown, and how late
    """

  static func run() throws(ProgramError) -> Int32 {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.contains("--help") || arguments.contains("-h") {
      Terminal.printLine(help)
      return ExitCode.success.rawValue
    }
    start.reports = arguments.contains { $0 == "--report" || $0 == "-r" }
    let rest = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { FilePath($0) }
    }.filter { $0 != "--report" && $0 != "-r" }
    if let option = rest.first(where: { $0.bytes.first == UInt8(ascii: "-") }) {
      throw .usage("there is no option \(Terminal.printable(option)) (see mien studio --help)")
    }
    guard rest.count <= 1 else { throw .usage("name one picture or film (see mien studio --help)") }
    start.input = rest.first
    try Plugin.load()
    Translations.load(root: Plugin.root)
    gtk_disable_setlocale()
    // Without a session bus GTK warns of missing accessibility, and warnings may be fatal.
    if getenv("DBUS_SESSION_BUS_ADDRESS") == nil, getenv("XDG_RUNTIME_DIR") == nil {
      setenv("GTK_A11Y", "none", 0)
    }
    // Without a graphics card GTK would use a software GL renderer, which takes seconds to start.
    if !StudioPaths.hasGraphicsCard { setenv("GSK_RENDERER", "cairo", 0) }
    guard gtk_init_check() != 0 else {
      throw .failure("there is no screen to open a window on; start it from a desktop")
    }
    g_set_prgname("org.mien.Studio")
    g_set_application_name("Mien Studio")
    guard
      let program = gtk_application_new(
        "org.mien.Studio", GApplicationFlags(rawValue: cgtk_application_non_unique))
    else {
      throw .failure("GTK makes no application")
    }
    Signal.connect(UnsafeMutableRawPointer(program), "activate") {
      do throws(ProgramError) {
        let window = try MainWindow(program, start)
        self.window = window
        window.open()
      } catch {
        problem = error
      }
    }
    listenForSignals(program)
    _ = g_application_run(
      UnsafeMutableRawPointer(program).assumingMemoryBound(to: GApplication.self), 0, nil)
    window?.stopAll()
    if let problem { throw problem }
    return ExitCode.success.rawValue
  }

  /// Signals close the window as the user does.
  private static func listenForSignals(_ program: UnsafeMutablePointer<GtkApplication>) {
    TerminationSignal.install()
    MainLoop.schedule(milliseconds: 100) {
      guard let signal = TerminationSignal.received else { return true }
      problem = .interrupted(signal)
      window?.close(force: true)
      return false
    }
  }
}
