import CGStreamer
import Elements

/// The elements, registered in this process once, as the plugin file would.
package enum Registered {
  package static let now: Bool = {
    gst_init(nil, nil)
    return gst_plugin_register_static(
      gint(GST_VERSION_MAJOR), gint(GST_VERSION_MINOR), "mien-under-test", "elements under test",
      { registerElements($0) }, "0", "MIT/X11", "gst-mien", "gst-mien", "local") != 0
  }()
}
