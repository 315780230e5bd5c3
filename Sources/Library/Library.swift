import Binding
import CGStreamer
import Elements

/// Registers every element with GStreamer; 1 when all were registered.
///
/// The plugin file, CShim/plugin.c, has GStreamer call it once, when the plugin is loaded.
#if compiler(>=6.3)
  @c(mien_register_elements)
#else
  @_cdecl("mien_register_elements")
#endif
public func registerPlugin(_ plugin: OpaquePointer?) -> Int32 {
  let log = Log("mien", "Which build of mien runs")
  log(.info, nil, "running the build for \(String(cString: cgst_processors()))")
  return registerElements(plugin)
}
