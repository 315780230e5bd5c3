import CGStreamer
import Elements

/// Registers the elements in this process, once, as the plugin file does.
package enum PluginRegistration {
  package static let isDone: Bool = {
    gst_init(nil, nil)
    return gst_plugin_register_static(
      gint(GST_VERSION_MAJOR), gint(GST_VERSION_MINOR), "mien-under-test", "elements under test",
      { registerElements($0) }, "0", "MIT/X11", "gst-mien", "gst-mien", "local") != 0
  }()
}
