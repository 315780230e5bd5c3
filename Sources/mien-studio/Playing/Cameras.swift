import CGStreamer
import CJSONGLib
import Files
import Glibc
import Programs
import Studio

/// The cameras of this machine.
enum Cameras {
  /// Those that GStreamer finds, by name; else the first device of Linux that can be read.
  ///
  /// Hardware is asked, which takes a while: not for the main thread.
  static func find() -> [Camera] {
    let cameras = listed().sorted { $0.name < $1.name }
    guard cameras.isEmpty else { return cameras }
    let devices = (0..<64).map { FilePath("/dev/video\($0)") }
    let first = devices.first { $0.withCString { access($0, R_OK) } == 0 }
    return first.map { [Camera(device: $0)] } ?? []
  }

  private static func listed() -> [Camera] {
    guard let monitor = gst_device_monitor_new() else { return [] }
    defer { gst_object_unref(UnsafeMutableRawPointer(monitor)) }
    gst_device_monitor_add_filter(monitor, "Video/Source", nil)
    // One that is not started asks once.
    let list = gst_device_monitor_get_devices(monitor)
    defer { g_list_free(list) }
    var cameras: [Camera] = []
    var item = list
    while let entry = item {
      let device = entry.pointee.data.assumingMemoryBound(to: GstDevice.self)
      if let camera = camera(device) { cameras.append(camera) }
      gst_object_unref(UnsafeMutableRawPointer(device))
      item = entry.pointee.next
    }
    return cameras
  }

  private static func camera(_ device: UnsafeMutablePointer<GstDevice>) -> Camera? {
    guard let raw = gst_device_create_element(device, nil) else { return nil }
    let element = Element(raw)
    guard let fresh = try? Element.make(element.factory),
      let name = gst_device_get_display_name(device)
    else { return nil }
    defer { g_free(name) }
    return Camera(
      name: String(cString: name), kind: element.factory, settings: element.settings(unlike: fresh))
  }
}

extension Element {
  /// What is set here and is not so on `other`, an element of the same kind.
  fileprivate func settings(unlike other: Element) -> [(name: String, value: Setting)] {
    properties.compactMap { name -> (name: String, value: Setting)? in
      let text = text(name)
      guard name != "name", name != "parent", !text.isEmpty, text != other.text(name) else {
        return nil
      }
      return (name, holdsText(name) ? .file(file(name) ?? "") : .word(text))
    }
  }
}
