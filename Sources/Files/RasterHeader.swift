/// The size in the header of a PNG, JPEG or GIF file.
package struct RasterHeader: Sendable {
  package let width: Int
  package let height: Int

  /// Width times height, saturated.
  package var pixels: Int {
    let (product, isTooLarge) = width.multipliedReportingOverflow(by: height)
    return isTooLarge ? .max : product
  }

  /// Nil for other files, and if the bytes end before the size.
  package init?(_ bytes: [UInt8]) {
    if let header = PNGHeader(bytes) {
      (width, height) = (header.width, header.height)
    } else if let size = Self.jpegSize(bytes) {
      (width, height) = size
    } else if bytes.count >= 10, bytes.starts(with: "GIF8".utf8) {
      width = Int(bytes[6]) | Int(bytes[7]) << 8
      height = Int(bytes[8]) | Int(bytes[9]) << 8
    } else {
      return nil
    }
  }

  /// The size in the frame header of a JPEG file (ITU-T T.81, B.1.1 and B.2.2).
  private static func jpegSize(_ bytes: [UInt8]) -> (Int, Int)? {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var at = 2
    while at + 9 < bytes.count, bytes[at] == 0xFF {
      let marker = bytes[at + 1]
      func number(_ offset: Int) -> Int {
        Int(bytes[at + offset]) << 8 | Int(bytes[at + offset + 1])
      }
      switch marker {
      // Fill bytes, and markers without a segment.
      case 0xFF: at += 1
      case 0x01, 0xD0...0xD8: at += 2
      // Frame headers: this range except DHT, JPG and DAC.
      case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker): return (number(7), number(5))
      case 0xD9, 0xDA: return nil
      default: at += 2 + max(number(2), 2)
      }
    }
    return nil
  }
}
