import CGStreamer
import Files
import Glibc

/// Finds the plugin that the command is part of.
package enum Plugin {
  /// Initialises GStreamer, and has it know the plugin: the one it has found by itself, or that
  /// beside this command, in the tree that it was built in or where it was installed.
  package static func load() throws(Problem) {
    gst_init(nil, nil)
    let root = folder
    setPresets(root)
    guard !Element.exists("mienfacedetect") else { return }
    for place in ["/lib", "/lib/" + machine + "-linux-gnu", "/lib64"] {
      let file = root + place + "/gstreamer-1.0/libgstmien.so"
      guard access(file, R_OK) == 0 else { continue }
      guard let plugin = gst_plugin_load_file(file, nil) else { continue }
      gst_object_unref(UnsafeMutableRawPointer(plugin))
      if Element.exists("mienfacedetect") { return }
    }
    throw .failure(
      "GStreamer does not find the plugin: set GST_PLUGIN_PATH_1_0 to the folder of libgstmien.so,"
        + " or start me by pipelines/env.sh in the tree I was built in")
  }

  /// As "0.1.0".
  package static var version: String {
    guard let plugin = gst_registry_find_plugin(gst_registry_get(), "mien") else { return "" }
    defer { gst_object_unref(UnsafeMutableRawPointer(plugin)) }
    return gst_plugin_get_version(plugin).map { String(cString: $0) } ?? ""
  }

  /// The folder that "bin" is in.
  private static var folder: String {
    let path = own.split(separator: "/").dropLast(2).joined(separator: "/")
    return "/" + path
  }

  /// The file of this command.
  package static var own: String {
    guard let path = realpath("/proc/self/exe", nil) else { return "" }
    defer { free(path) }
    return String(cString: path)
  }

  private static var machine: String {
    var name = utsname()
    uname(&name)
    return withUnsafeBytes(of: &name.machine) {
      String(cString: $0.bindMemory(to: CChar.self).baseAddress!)
    }
  }

  /// Presets are not where GStreamer looks unless the plugin is installed for all.
  private static func setPresets(_ root: String) {
    for place in ["/share/gstreamer-1.0/presets", "/../presets"] {
      if access(root + place, R_OK) == 0 { setenv("GST_PRESET_PATH", root + place, 0) }
    }
  }
}
