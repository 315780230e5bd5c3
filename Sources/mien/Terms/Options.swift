import CGStreamer
import CJSONGLib
import Files
import Glibc
import Programs

/// The options and other words of one of the command's tasks, read by GLib.
struct Options {
  /// One option as it is declared.
  struct Option {
    enum Value {
      case none
      /// What it is called in the help.
      case required(String)
      /// Given as --name=value, or left out.
      case optional(String)
    }

    let name: String
    let letter: Character
    let value: Value
    /// What --help says.
    let help: String

    init(_ name: String, _ letter: Character, _ value: Value, _ help: String) {
      self.name = name
      self.letter = letter
      self.value = value
      self.help = help
    }

    /// One that is there or not.
    init(_ name: String, _ letter: Character, _ help: String) {
      self.init(name, letter, .none, help)
    }
  }

  /// What was given, in its order; the value is nil where none was.
  private(set) var given: [(name: String, value: FilePath?)] = []
  /// The words that are no options.
  private(set) var words: [FilePath] = []

  func has(_ name: String) -> Bool { given.contains { $0.name == name } }

  /// The value that was given last.
  func value(_ name: String) -> FilePath? { given.last { $0.name == name }?.value }

  /// Reads `arguments`, the task's name being the first of them.
  ///
  /// "--help" prints the help and ends the command. `usage` names the words, as "IN [OUT]"; `text`
  /// stands at the end of the help.
  static func read(
    _ arguments: [FilePath], _ options: [Option], usage: String, summary: String, text: String
  ) throws(Problem) -> Options {
    let task = arguments[0].description
    let context = g_option_context_new(usage)
    defer { g_option_context_free(context) }
    g_option_context_set_summary(context, summary)
    g_option_context_set_description(context, text)
    let collected = Collected()
    for option in options {
      collected.names["--" + option.name] = option.name
      collected.names["-\(option.letter)"] = option.name
    }
    // Given back with the context; the words of the declarations live as long as the process.
    let group = g_option_group_new(
      task, "", "", Unmanaged.passRetained(collected).toOpaque(),
      { Unmanaged<Collected>.fromOpaque($0!).release() })
    var entries = options.map(entry)
    var rest = GOptionEntry()
    rest.long_name = UnsafePointer(g_strdup(""))  // G_OPTION_REMAINING
    rest.flags = cgst_option_flag_filename
    rest.arg = G_OPTION_ARG_CALLBACK
    rest.arg_data = unsafeBitCast(collect, to: gpointer.self)
    entries += [rest, GOptionEntry()]
    g_option_group_add_entries(group, entries)
    g_option_context_set_main_group(context, group)

    let program = g_get_prgname().map { String(cString: $0) } ?? "mien"
    g_set_prgname("mien " + task)
    defer { g_set_prgname(program) }
    var words = copy(arguments)
    defer { g_strfreev(words) }
    // GLib prints the help, and ends the process without a look at whether it could be written.
    let printing = g_set_print_handler { text in
      if let text { Terminal.print(String(cString: text)) }
      exit(Terminal.end(Ending.done.rawValue))
    }
    defer { g_set_print_handler(printing) }
    var error: UnsafeMutablePointer<GError>?
    let isRead = g_option_context_parse_strv(context, &words, &error) != 0
    guard isRead else {
      defer { g_error_free(error) }
      let reason = error.map { String(cString: $0.pointee.message) } ?? "these words mean nothing"
      throw .use("\(reason) (see mien \(task) --help)")
    }
    return Options(given: collected.given, words: collected.words)
  }

  /// A list that ends with a null pointer, from which GLib removes and frees what it has read.
  private static func copy(
    _ arguments: [FilePath]
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>? {
    let words = g_strv_builder_new()
    for word in arguments { word.withCString { g_strv_builder_add(words, $0) } }
    defer { g_strv_builder_unref(words) }
    return g_strv_builder_end(words)
  }

  private final class Collected {
    var given: [(name: String, value: FilePath?)] = []
    var words: [FilePath] = []
    /// As they are written, with their lines before them.
    var names: [String: String] = [:]
  }

  private static let collect: GOptionArgFunc = { name, value, user, _ in
    let collected = Unmanaged<Collected>.fromOpaque(user!).takeUnretainedValue()
    let value = value.map { FilePath(UnsafePointer($0)) }
    if let name = collected.names[name.map { String(cString: $0) } ?? ""] {
      collected.given.append((name, value))
    } else if let value {
      collected.words.append(value)
    }
    return 1
  }

  private static func entry(_ option: Option) -> GOptionEntry {
    var entry = GOptionEntry()
    entry.long_name = UnsafePointer(g_strdup(option.name))
    entry.short_name = option.letter.asciiValue.map { gchar($0) } ?? 0
    entry.arg = G_OPTION_ARG_CALLBACK
    entry.arg_data = unsafeBitCast(collect, to: gpointer.self)
    entry.description = UnsafePointer(g_strdup(option.help))
    var flags = cgst_option_flag_filename
    switch option.value {
    case .none: flags = cgst_option_flag_no_arg
    case .required(let name): entry.arg_description = UnsafePointer(g_strdup(name))
    case .optional(let name):
      flags |= cgst_option_flag_optional_arg
      entry.arg_description = UnsafePointer(g_strdup(name))
    }
    entry.flags = flags
    return entry
  }
}
