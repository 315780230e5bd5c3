import CGStreamer
import CJSONGLib
import Client
import Files
import Glibc
import Programs
import Studio

/// The cameras of the system.
enum Cameras {
  /// The cameras that GStreamer finds, sorted by name; without any the first readable V4L2 device.
  ///
  /// It probes hardware, which takes a while: not for the main thread.
  static func find() -> [Camera] {
    let cameras = monitoredCameras().sorted { $0.name < $1.name }
    guard cameras.isEmpty else { return cameras }
    let devices = (0..<64).map { FilePath("/dev/video\($0)") }
    let first = devices.first { $0.withCString { access($0, R_OK) } == 0 }
    return first.map { [Camera(device: $0)] } ?? []
  }

  private static func monitoredCameras() -> [Camera] {
    guard let monitor = gst_device_monitor_new() else { return [] }
    defer { gst_object_unref(UnsafeMutableRawPointer(monitor)) }
    gst_device_monitor_add_filter(monitor, "Video/Source", nil)
    // A monitor that is not started probes once.
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
    guard let fresh = try? Element.make(element.factoryName),
      let name = gst_device_get_display_name(device)
    else { return nil }
    defer { g_free(name) }
    // What the device offers; a camera that is named by its file tells once it is opened.
    let caps = gst_device_get_caps(device)
    defer { if let caps { gst_mini_object_unref(cgst_mini_object(caps)) } }
    return Camera(
      name: String(cString: name), factory: element.factoryName,
      properties: element.properties(unlike: fresh),
      caps: caps.flatMap { CameraFormat.best(of: $0)?.caps },
      formats: (caps.map { CameraFormat.choices(of: $0) } ?? []).map { format in
        Camera.Format(
          width: format.width, height: format.height,
          rate: Int(format.framesPerSecond.rounded()), caps: format.caps)
      })
  }
}

extension Element {
  /// The properties whose values differ from those of `other`, an element of the same factory.
  fileprivate func properties(unlike other: Element) -> [PropertyAssignment] {
    specifications.compactMap { specification in
      let flags = guint(bitPattern: Int32(specification.pointee.flags.rawValue))
      guard flags & cgst_param_readwrite == cgst_param_readwrite else { return nil }
      let name = String(cString: specification.pointee.name)
      let text = text(name)
      guard name != "name", name != "parent", !text.isEmpty, text != other.text(name) else {
        return nil
      }
      return PropertyAssignment(name, isString(name) ? .path(string(name) ?? "") : .literal(text))
    }
  }
}
