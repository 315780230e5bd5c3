import CGStreamer

#if canImport(Glibc)
  import Glibc
#endif

/// A finished run of a program, with its output and exit status.
package struct Command {
  package let output: String
  package let errors: String
  package let status: Int32

  /// Runs `arguments` in the root of the source tree; `environment` is added to that of this
  /// process.
  package init(_ arguments: [String], environment: [String: String] = [:]) throws {
    let argv = arguments.map { strdup($0) } + [nil]
    defer { for text in argv { free(text) } }
    var env = g_get_environ()
    for (name, value) in environment { env = g_environ_setenv(env, name, value, 1) }
    defer { g_strfreev(env) }
    var out: UnsafeMutablePointer<gchar>?
    var err: UnsafeMutablePointer<gchar>?
    var status: gint = 0
    var error: UnsafeMutablePointer<GError>?
    var mutable = argv
    // Test threads block signals, and child processes inherit the mask. Without a reset Ctrl-C
    // could not stop the program, and a shell would miss the end of its children.
    let unblock: GSpawnChildSetupFunc = { _ in
      var none = sigset_t()
      sigemptyset(&none)
      sigprocmask(SIG_SETMASK, &none, nil)
    }
    g_spawn_sync(
      Photograph.root, &mutable, env, GSpawnFlags(rawValue: cgst_spawn_search_path), unblock, nil,
      &out, &err, &status, &error)
    if let error {
      defer { g_error_free(error) }
      throw Pipeline.Failure(
        description: String(cString: error.pointee.message),
        detail: arguments.joined(separator: " "))
    }
    output = out.map { String(cString: $0) } ?? ""
    errors = err.map { String(cString: $0) } ?? ""
    self.status = status == 0 ? 0 : (status & 0x7f != 0 ? -(status & 0x7f) : status >> 8)
    g_free(out)
    g_free(err)
  }

  /// The path of a registry for this process, deleted when it exits.
  private static let registryPath = {
    atexit { unlink(Command.registryName) }
    return registryName
  }()

  private static var registryName: String {
    String(cString: g_get_tmp_dir()) + "/mien-test-registry-\(getpid()).bin"
  }

  /// The environment in which GStreamer's tools load the built plugin, without the user's registry.
  ///
  /// The plugin's folder is last, so that its `facedetect` replaces gst-opencv's.
  package static func pluginEnvironment(
    _ more: [String: String] = [:]
  ) throws -> [String: String] {
    return [
      "GST_PLUGIN_SYSTEM_PATH_1_0": try pluginFolder() + ":" + BuiltPlugin.folder,
      "GST_REGISTRY_1_0": registryPath, "G_DEBUG": "fatal-warnings",
      "GST_PRESET_PATH": Photograph.root + "/presets",
      // Overwrites memory when it is freed, so that a use after free fails in every run.
      "MALLOC_PERTURB_": "165", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0",
    ].merging(more) { $1 }
  }

  /// The folder of the system's GStreamer plugins.
  package static func pluginFolder() throws -> String {
    try Command(["pkg-config", "--variable=pluginsdir", "gstreamer-1.0"]).output.filter {
      $0 != "\n"
    }
  }
}

/// The products of `make build`, in the layout of the installation.
package enum BuiltPlugin {
  package static let folder = Photograph.root + "/.build/lib/gstreamer-1.0"
  /// The plugin file that GStreamer loads.
  package static let file = folder + "/libgstmien.so"
  /// The library that it needs, in the baseline build.
  package static let library = Photograph.root + "/.build/lib/mien/libmien.so"
}
