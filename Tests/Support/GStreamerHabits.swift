import CGStreamer

/// What versions of GStreamer do in their own ways, by name: tests ask for the habit, not the version.
package enum GStreamerHabits {
  /// The second number of the version that runs: 22 in Debian 12, 26 in Debian 13.
  private static let minor: guint = {
    var (major, minor, micro, nano): (guint, guint, guint, guint) = (0, 0, 0, 0)
    gst_version(&major, &minor, &micro, &nano)
    return minor
  }()

  /// gst-inspect prints more empty lines, and a heading for flags that an element has none of.
  package static let inspectsAtGreaterLength = minor >= 24
  /// gst-inspect prints the types of values behind them in caps, and aligns caps otherwise.
  package static let inspectsTypesOfValues = minor >= 28
  /// gst-libav reports that an animated GIF ends too early.
  package static let noticesCutAnimations = minor >= 24
  /// matroskademux takes durations that no clock holds for none.
  package static let refusesLongBlocks = minor >= 24
  /// Crops, flips and boxes tell metadata how they move pixels, where they dropped it before.
  package static let metadataMovesWithPixels = minor >= 28
  /// videoconvert converts all of a frame that is larger than its caps.
  package static let convertsLargerFramesWhole = minor >= 28
  /// GLib from 2.76 on has no slices of its own: GStreamer's objects are allocated as all else is.
  package static let objectsAreCounted = glib_check_version(2, 76, 0) == nil
  /// GTK's file dialogue from 4.10 on takes keys otherwise, some of which are lost while it opens.
  package static let fileDialogueLosesKeys =
    (try? Command(["pkg-config", "--atleast-version=4.10", "gtk4"]).status) == 0

  /// librsvg from 2.59 on warns of drawings that are too large for it, which tests that end at
  /// warnings are not to end at: from here on it is not heard.
  package static func letRSVGWarn() { unheard }

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
