import CGStreamer
package import Pixels

/// The test photograph and the models that `make setup` downloads.
package enum Photograph {
  /// The root of the source tree.
  package static let root = {
    let parts = #filePath.split(separator: "/").dropLast(3)
    return "/" + parts.joined(separator: "/")
  }()

  /// The folder of the models and of the photograph.
  package static var models: String { root + "/models" }

  /// The path of NASA's portrait of Eileen Collins, 512 x 512.
  package static var path: String { models + "/astronaut.png" }

  /// The photograph, decoded and converted by GStreamer; `crop` selects columns and rows.
  package static func load(
    _ format: PixelFormat = .rgb, crop: (left: Int, top: Int, right: Int, bottom: Int)? = nil,
    width: Int? = nil, height: Int? = nil, colorimetry: Colorimetry = .bt601
  ) throws -> OwnedPicture {
    let c = crop ?? (0, 0, 512, 512)
    let (w, h) = (width ?? c.right - c.left, height ?? c.bottom - c.top)
    let code = colorimetry == .bt709 ? "bt709" : colorimetry == .bt2020 ? "bt2020" : "bt601"
    // With chroma-mode and chroma-resampler videoconvert samples chroma at the sites that the caps
    // name.
    let text =
      "filesrc location=\(path) ! pngdec ! videoconvert ! video/x-raw,format=RGB"
      + " ! videocrop left=\(c.left) top=\(c.top) right=\(512 - c.right) bottom=\(512 - c.bottom)"
      + " ! videoscale ! video/x-raw,width=\(w),height=\(h) ! videoconvert dither=none"
      + " ! video/x-raw,format=\(format.rawValue)"
      + (format.family == .ycc ? ",colorimetry=\(code)" : "") + " ! fakesink name=sink"
    let pipeline = try Pipeline(text)
    let captured = try pipeline.frames().last?.bytes ?? []
    let picture = OwnedPicture(
      format: format, width: w, height: h,
      colorimetry: format.colorimetry(colorimetry))
    picture.fill(tightlyFrom: captured)
    return picture
  }
}

extension OwnedPicture {
  /// Copies planes that follow each other with rows padded to GStreamer's own strides.
  package func fill(tightlyFrom bytes: [UInt8]) {
    var info = GstVideoInfo()
    let caps = gst_caps_from_string(
      "video/x-raw,format=\(format.rawValue),width=\(width),height=\(height)")
    gst_video_info_from_caps(&info, caps)
    gst_caps_unref(caps)
    let offsets = withUnsafeBytes(of: info.offset) { Array($0.bindMemory(to: gsize.self)) }
    let strides = withUnsafeBytes(of: info.stride) { Array($0.bindMemory(to: gint.self)) }
    withPicture { picture in
      for index in 0..<format.layout.planeCount {
        let plane = picture.plane(index)
        for y in 0..<plane.height {
          let row = plane.row(y)
          let start = Int(offsets[index]) + y * Int(strides[index])
          for x in 0..<min(row.count, max(0, bytes.count - start)) { row[x] = bytes[start + x] }
        }
      }
    }
  }
}
