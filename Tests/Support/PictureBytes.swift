/// Picture files that GStreamer cannot write, or not in these sizes.
package enum PictureBytes {
  /// A grey picture of any size (PGM).
  package static func grey(_ value: UInt8, width: Int, height: Int) -> [UInt8] {
    Array("P5 \(width) \(height) 255\n".utf8) + [UInt8](repeating: value, count: width * height)
  }

  /// An animated GIF (GIF89a) with 0.1 s a frame, each frame of one colour.
  ///
  /// The data are uncompressed 9-bit codes, so few that the code table never fills up.
  package static func animation(
    _ frames: [(r: UInt8, g: UInt8, b: UInt8)], width: UInt8, height: UInt8
  ) -> [UInt8] {
    precondition(Int(width) * Int(height) < 250 && frames.count <= 256)
    let size = [width, 0, height, 0]
    var bytes = Array("GIF89a".utf8) + size + [0xf7, 0, 0]
    for index in 0..<256 {
      let color = index < frames.count ? frames[index] : (r: 0, g: 0, b: 0)
      bytes += [color.r, color.g, color.b]
    }
    bytes += [0x21, 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    for index in frames.indices {
      bytes += [0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0] + size + [0, 8]
      let codes =
        [256] + [Int](repeating: index, count: Int(width) * Int(height)) + [257]
      var data: [UInt8] = []
      var held = 0
      var bits = 0
      for code in codes {
        held |= code << bits
        bits += 9
        while bits >= 8 {
          data.append(UInt8(held & 255))
          held >>= 8
          bits -= 8
        }
      }
      if bits > 0 { data.append(UInt8(held & 255)) }
      var start = 0
      while start < data.count {
        let block = data[start..<min(start + 255, data.count)]
        bytes += [UInt8(block.count)] + block
        start += 255
      }
      bytes.append(0)
    }
    return bytes + [0x3b]
  }
}
