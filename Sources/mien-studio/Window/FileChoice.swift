import CGStreamer
import CGTK4
import Client
import Files

/// The file dialog, and files that are dropped onto the window.
enum FileChoice {
  private nonisolated(unsafe) static var dialog: OpaquePointer?

  /// Opens a dialog; `body` is called with the chosen file.
  static func openDialog(
    _ title: String, _ window: UnsafeMutablePointer<GtkWindow>, _ body: @escaping (FilePath) -> Void
  ) {
    guard
      let chooser = gtk_file_chooser_native_new(
        title, window, GTK_FILE_CHOOSER_ACTION_OPEN, tr("_Open"), tr("_Cancel"))
    else { return }
    dialog = chooser
    gtk_native_dialog_set_modal(
      UnsafeMutableRawPointer(chooser).assumingMemoryBound(to: GtkNativeDialog.self), 1)
    typealias Body = (Int32) -> Void
    let callback: @convention(c) (gpointer?, gint, gpointer?) -> Void = { _, response, user in
      Box<Body>.content(user)(response)
    }
    let box = Box<Body> { response in
      if response == GTK_RESPONSE_ACCEPT.rawValue,
        let file = gtk_file_chooser_get_file(chooser)
      {
        if let path = path(of: file) { body(path) }
        g_object_unref(UnsafeMutableRawPointer(file))
      }
      MainLoop.dispatch {
        if dialog == chooser { dialog = nil }
        g_object_unref(UnsafeMutableRawPointer(chooser))
      }
    }
    Signal.connect(
      UnsafeMutableRawPointer(chooser), "response", unsafeBitCast(callback, to: GCallback.self), box
    )
    gtk_native_dialog_show(
      UnsafeMutableRawPointer(chooser).assumingMemoryBound(to: GtkNativeDialog.self))
  }

  /// Calls `body` with the files that are dropped onto a widget.
  static func acceptDrops(on widget: Widget, _ body: @escaping (FilePath) -> Void) {
    guard let target = gtk_drop_target_new(gdk_file_list_get_type(), GDK_ACTION_COPY) else {
      return
    }
    typealias Body = (UnsafePointer<GValue>) -> Bool
    let callback:
      @convention(c) (gpointer?, UnsafePointer<GValue>?, gdouble, gdouble, gpointer?) -> gboolean =
        { _, value, _, _, user in
          Box<Body>.content(user)(value!) ? 1 : 0
        }
    let box = Box<Body> { value in
      guard let list = g_value_get_boxed(value) else { return false }
      var item = gdk_file_list_get_files(OpaquePointer(list))
      let first = item
      while let entry = item {
        if let path = path(of: OpaquePointer(entry.pointee.data)) { body(path) }
        item = entry.pointee.next
      }
      g_slist_free(first)
      return true
    }
    Signal.connect(
      UnsafeMutableRawPointer(target), "drop", unsafeBitCast(callback, to: GCallback.self), box)
    gtk_widget_add_controller(widget.raw, target)
  }

  private static func path(of file: OpaquePointer) -> FilePath? {
    guard let name = g_file_get_path(file) else { return nil }
    defer { g_free(name) }
    return FilePath(UnsafePointer(name))
  }

  /// Whether a file's name and first bytes are those of a still picture.
  static func isPicture(_ path: FilePath) -> Bool {
    var bytes: [UInt8] = []
    if let file = path.withCString({ fopen($0, "r") }) {
      bytes = [UInt8](repeating: 0, count: 4096)
      bytes.removeLast(4096 - fread(&bytes, 1, 4096, file))
      fclose(file)
    }
    let type = path.withCString { name in g_content_type_guess(name, bytes, gsize(bytes.count), nil)
    }
    defer { g_free(type) }
    let name = type.map { String(cString: $0) } ?? ""
    return name.hasPrefix("image/") && name != "image/gif"
  }
}

/// Watches the files of a pack.
final class PackMonitor {
  private var monitors: [UnsafeMutableRawPointer] = []
  private var number = 0
  private let onSave: () -> Void

  init(_ folder: FilePath, _ onSave: @escaping () -> Void) {
    self.onSave = onSave
    watch(folder)
    // Pictures are in subfolders.
    guard let opened = folder.withCString({ g_dir_open($0, 0, nil) }) else { return }
    defer { g_dir_close(opened) }
    while let name = g_dir_read_name(opened) {
      let inner = folder.appending(FilePath(name))
      if case .folder = FileKind(inner) { watch(inner) }
    }
  }

  deinit { for monitor in monitors { g_object_unref(monitor) } }

  private func watch(_ folder: FilePath) {
    let file = folder.withCString { g_file_new_for_path($0) }
    defer { g_object_unref(UnsafeMutableRawPointer(file!)) }
    let flags = GFileMonitorFlags(rawValue: cgtk_file_monitor_watch_moves)
    guard let monitor = g_file_monitor_directory(file, flags, nil, nil) else { return }
    let callback:
      @convention(c) (gpointer?, gpointer?, gpointer?, GFileMonitorEvent, gpointer?) -> Void = {
        _, _, _, _, user in
        Box<() -> Void>.content(user)()
      }
    let raw = UnsafeMutableRawPointer(monitor)
    Signal.connect(
      raw, "changed", unsafeBitCast(callback, to: GCallback.self),
      Box<() -> Void> { [weak self] in self?.reportChangeDelayed() })
    monitors.append(raw)
  }

  /// Reports a change 0.3 s after the last event: programs save in several steps.
  private func reportChangeDelayed() {
    number += 1
    let number = number
    MainLoop.schedule(milliseconds: 300) { [weak self] in
      if self?.number == number { self?.onSave() }
      return false
    }
  }
}
