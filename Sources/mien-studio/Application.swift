import CGTK4
import Files
import Glibc
import Programs
import Studio

/// The studio as a program: its words, its one window, its end.
enum Application {
  private nonisolated(unsafe) static var window: MainWindow?
  private nonisolated(unsafe) static var problem: Problem?
  private nonisolated(unsafe) static var start = Start()

  /// What the command line asks for.
  struct Start {
    /// What is shown first.
    var input: FilePath?
    /// Whether a line at the end says how late frames were.
    var reports = false
  }

  static let help = """
    Usage: mien studio [OPTION...] [FILE]

    Shows a camera, a film or a picture through Mien's elements, in a window. Without FILE that is
    a photograph.

      -h, --help       Show help options
      -r, --report     Say at the end how many frames were shown, and how late
    """

  static func run() throws(Problem) -> Int32 {
    let words = CommandLine.arguments.dropFirst()
    if words.contains("--help") || words.contains("-h") {
      Terminal.say(help)
      return Ending.done.rawValue
    }
    start.reports = words.contains { $0 == "--report" || $0 == "-r" }
    let rest = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { FilePath($0) }
    }.filter { $0 != "--report" && $0 != "-r" }
    if let option = rest.first(where: { $0.bytes.first == UInt8(ascii: "-") }) {
      throw .use("there is no option \(Terminal.shown(option)) (see mien studio --help)")
    }
    guard rest.count <= 1 else { throw .use("name one picture or film (see mien studio --help)") }
    start.input = rest.first
    try Plugin.load()
    Words.load(root: Places.root)
    gtk_disable_setlocale()
    // Its warnings would end the program where nobody can hear what is said to assistive tools.
    if getenv("DBUS_SESSION_BUS_ADDRESS") == nil, getenv("XDG_RUNTIME_DIR") == nil {
      setenv("GTK_A11Y", "none", 0)
    }
    // Without a graphics card GTK would have the processor do what a card does, and take seconds.
    if !Places.hasGraphicsCard { setenv("GSK_RENDERER", "cairo", 0) }
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
    Signal.on(UnsafeMutableRawPointer(program), "activate") {
      do throws(Problem) {
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
    window?.end()
    if let problem { throw problem }
    return Ending.done.rawValue
  }

  /// Ctrl-C closes the window as the user would.
  private static func listenForSignals(_ program: UnsafeMutablePointer<GtkApplication>) {
    Interruption.listen()
    MainLoop.after(milliseconds: 100) {
      guard let signal = Interruption.signal else { return true }
      problem = .interrupted(signal)
      window?.close(mustBe: true)
      return false
    }
  }
}
