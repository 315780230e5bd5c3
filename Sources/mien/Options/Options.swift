import CGStreamer
import CJSONGLib
import Client
import Files
import Glibc
import Programs

/// The options and positional arguments of a subcommand, parsed by GLib.
struct Options {
  /// The declaration of an option.
  struct Option {
    enum Value {
      case none
      /// With its name in the help.
      case required(String)
      /// As --name=value, or without a value.
      case optional(String)
    }

    let name: String
    let letter: Character
    let value: Value
    /// The text of --help.
    let help: String

    init(_ name: String, _ letter: Character, _ value: Value, _ help: String) {
      self.name = name
      self.letter = letter
      self.value = value
      self.help = help
    }

    /// An option without a value.
    init(_ name: String, _ letter: Character, _ help: String) {
      self.init(name, letter, .none, help)
    }
  }

  /// The given options in order; the value is nil without one.
  private(set) var given: [(name: String, value: FilePath?)] = []
  /// The other arguments.
  private(set) var positional: [FilePath] = []

  func has(_ name: String) -> Bool { given.contains { $0.name == name } }

  /// The last value given.
  func value(_ name: String) -> FilePath? { given.last { $0.name == name }?.value }

  /// Parses `arguments`, of which the first is the subcommand's name.
  ///
  /// "--help" prints the help and exits. `usage`: the positional arguments, as "IN [OUT]"; `text`: the
  /// end of the help.
  static func parse(
    _ arguments: [FilePath], _ options: [Option], usage: String, summary: String, text: String
  ) throws(ProgramError) -> Options {
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
    // The context owns `collected`; the strings of the declarations are never freed.
    let group = g_option_group_new(
      task, "", "", Unmanaged.passRetained(collected).toOpaque(),
      { Unmanaged<Collected>.fromOpaque($0!).release() })
    var entries = options.map(makeEntry)
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
    var words = makeStringVector(arguments)
    defer { g_strfreev(words) }
    // GLib prints the help and exits without checking that it was written.
    let printing = g_set_print_handler { text in
      if let text { Terminal.print(String(cString: text)) }
      exit(Terminal.closeOutput(exitCode: ExitCode.success.rawValue))
    }
    defer { g_set_print_handler(printing) }
    var error: UnsafeMutablePointer<GError>?
    let isRead = g_option_context_parse_strv(context, &words, &error) != 0
    guard isRead else {
      let reason = ClientError(error, or: "these words mean nothing").text
      throw .usage("\(reason) (see mien \(task) --help)")
    }
    return Options(given: collected.given, positional: collected.positional)
  }

  /// A NULL-terminated list, from which GLib removes and frees what it has parsed.
  private static func makeStringVector(
    _ arguments: [FilePath]
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>? {
    let words = g_strv_builder_new()
    for word in arguments { word.withCString { g_strv_builder_add(words, $0) } }
    defer { g_strv_builder_unref(words) }
    return g_strv_builder_end(words)
  }

  private final class Collected {
    var given: [(name: String, value: FilePath?)] = []
    var positional: [FilePath] = []
    /// Option names by their spelling with dashes.
    var names: [String: String] = [:]
  }

  private static let collect: GOptionArgFunc = { name, value, user, _ in
    let collected = Unmanaged<Collected>.fromOpaque(user!).takeUnretainedValue()
    let value = value.map { FilePath(UnsafePointer($0)) }
    if let name = collected.names[name.map { String(cString: $0) } ?? ""] {
      collected.given.append((name, value))
    } else if let value {
      collected.positional.append(value)
    }
    return 1
  }

  private static func makeEntry(_ option: Option) -> GOptionEntry {
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
