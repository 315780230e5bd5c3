import CGStreamer
import Client
import Glibc

/// The plugin that the programs belong to.
package enum Plugin {
  /// Initialises GStreamer and loads the plugin: from GStreamer's registry, or else from beside this
  /// program, in the build tree or the installation.
  package static func load() throws(ProgramError) {
    gst_init(nil, nil)
    setPresetPath(root)
    guard !Element.isAvailable("mienfacedetect") else { return }
    for place in ["/lib", "/lib/" + machineArchitecture + "-linux-gnu", "/lib64"] {
      let file = root + place + "/gstreamer-1.0/libgstmien.so"
      guard access(file, R_OK) == 0 else { continue }
      guard let plugin = gst_plugin_load_file(file, nil) else { continue }
      gst_object_unref(UnsafeMutableRawPointer(plugin))
      if Element.isAvailable("mienfacedetect") { return }
    }
    throw .failure(
      "GStreamer does not find the plugin: set GST_PLUGIN_PATH_1_0 to the folder of libgstmien.so,"
        + " or start me by pipelines/env.sh in the tree I was built in")
  }

  /// The plugin's version, as "2.0.0".
  package static var version: String {
    guard let plugin = gst_registry_find_plugin(gst_registry_get(), "mien") else { return "" }
    defer { gst_object_unref(UnsafeMutableRawPointer(plugin)) }
    return gst_plugin_get_version(plugin).map { String(cString: $0) } ?? ""
  }

  /// The file of the plugin that GStreamer loaded.
  package static var fileName: String? {
    guard let plugin = gst_registry_find_plugin(gst_registry_get(), "mien") else { return nil }
    defer { gst_object_unref(UnsafeMutableRawPointer(plugin)) }
    return gst_plugin_get_filename(plugin).map { String(cString: $0) }
  }

  /// The file of the library that the plugin loaded: one of those for different processors.
  package static var libraryName: String? {
    guard let maps = fopen("/proc/self/maps", "re") else { return nil }
    defer { fclose(maps) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, maps) > 0, let line {
      let text = String(cString: line)
      if let start = text.firstIndex(of: "/"), text.hasSuffix("/libmien.so\n") {
        return String(text[start...].dropLast())
      }
    }
    return nil
  }

  /// The folder that "bin" is in.
  package static var root: String {
    "/" + executablePath.split(separator: "/").dropLast(2).joined(separator: "/")
  }

  /// The path of the running program.
  package static var executablePath: String {
    guard let path = realpath("/proc/self/exe", nil) else { return "" }
    defer { free(path) }
    return String(cString: path)
  }

  private static var machineArchitecture: String {
    var name = utsname()
    uname(&name)
    return withUnsafeBytes(of: &name.machine) {
      String(cString: $0.bindMemory(to: CChar.self).baseAddress!)
    }
  }

  /// GStreamer looks for presets in its own prefix alone; other prefixes need the variable.
  private static func setPresetPath(_ root: String) {
    for place in ["/share/gstreamer-1.0/presets", "/../presets"] {
      if access(root + place, R_OK) == 0 { setenv("GST_PRESET_PATH", root + place, 0) }
    }
  }
}
