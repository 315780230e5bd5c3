import CGStreamer

/// Behaviour that differs between versions of GStreamer, GLib and GTK, by name: tests query the
/// behaviour, not the version.
package enum GStreamerHabits {
  /// The minor number of the running version of GStreamer: 22 in Debian 12, 26 in Debian 13.
  private static let minor: guint = {
    var (major, minor, micro, nano): (guint, guint, guint, guint) = (0, 0, 0, 0)
    gst_version(&major, &minor, &micro, &nano)
    return minor
  }()

  /// gst-inspect prints more empty lines, and a flags heading for elements without flags.
  package static let inspectsAtGreaterLength = minor >= 24
  /// gst-inspect prints the types of values in caps behind them, and aligns caps differently.
  package static let inspectsTypesOfValues = minor >= 28
  /// gst-libav reports that an animated GIF ends too early.
  package static let noticesCutAnimations = minor >= 24
  /// matroskademux ignores durations that exceed the range of GstClockTime.
  package static let refusesLongBlocks = minor >= 24
  /// Elements that crop, flip or add borders transform metadata instead of dropping it.
  package static let metadataMovesWithPixels = minor >= 28
  /// videoconvert converts all of a frame that is larger than its caps.
  package static let convertsLargerFramesWhole = minor >= 28
  /// GLib 2.76 and newer has no slice allocator: allocations of GStreamer's objects are counted.
  package static let objectsAreCounted = glib_check_version(2, 76, 0) == nil
  /// GTK tells assistive technology of its controls as GTK 4.8 does, and Python can ask for them.
  package static let canReadControls =
    (try? Command([
      "sh", "-c",
      "! pkg-config --atleast-version=4.10 gtk4 && PATH=/usr/bin:$PATH python3 -c"
        + " 'import gi; gi.require_version(\"Atspi\", \"2.0\")' && command -v dbus-run-session",
    ]).status) == 0
  /// GTK's file dialogue of version 4.10 and newer loses some keys while it opens.
  package static let fileDialogueLosesKeys =
    (try? Command(["pkg-config", "--atleast-version=4.10", "gtk4"]).status) == 0

  /// Discards messages of librsvg from now on: versions from 2.59 on warn of oversized drawings,
  /// and tests with fatal warnings would end.
  package static func silenceRSVGWarnings() { unheard }

  private static let unheard: Void = g_log_set_writer_func(
    { level, fields, count, _ in
      for place in 0..<Int(count) {
        guard let field = fields?[place], String(cString: field.key) == "GLIB_DOMAIN" else {
          continue
        }
        let domain = field.value?.assumingMemoryBound(to: CChar.self)
        if domain.map({ String(cString: $0) }) == "librsvg" { return G_LOG_WRITER_HANDLED }
      }
      return g_log_writer_default(level, fields, count, nil)
    }, nil, nil)
}
