import Pixels

/// The layout of a plane in units: the smallest run of bytes for an integral number of pixels.
///
/// One byte in a plane of luma, two in one of interleaved chroma, three or four in packed pixels.
struct PlaneUnits {
  let plane: Int
  let bytes: Int
  /// Pixels of a unit.
  let pixelsAcross, pixelsDown: Int
  /// The component of each byte of a unit; nil for filler, which is preserved.
  let components: InlineArray<4, Int?>
  /// Index of the padding byte in the last unit of a row of packed 4:2:2 with odd width.
  let padding: Int?

  init(_ plane: Int, _ picture: borrowing Picture) {
    let layout = picture.format.layout
    self.plane = plane
    var bytes = 1
    for index in 0..<layout.componentCount where layout[index].plane == plane {
      bytes = max(bytes, layout[index].step)
    }
    var components = InlineArray<4, Int?>(repeating: nil)
    var (pixelsAcross, pixelsDown) = (1, 1)
    for index in 0..<layout.componentCount where layout[index].plane == plane {
      let componentLayout = layout[index]
      for byte in stride(from: componentLayout.offset, to: bytes, by: componentLayout.step) {
        components[byte] = index
      }
      pixelsAcross = (bytes / componentLayout.step) << componentLayout.hShift
      pixelsDown = 1 << componentLayout.vShift
    }
    (self.bytes, self.pixelsAcross, self.pixelsDown) = (bytes, pixelsAcross, pixelsDown)
    self.components = components
    let isPackedPair = bytes == 4 && pixelsAcross == 2
    padding =
      isPackedPair && picture.width % 2 == 1
      ? picture.width / 2 * 4 + layout[0].offset + layout[0].step : nil
  }

  /// Whether some bytes are filler, which is preserved.
  var hasFiller: Bool {
    for byte in 0..<bytes where components[byte] == nil { return true }
    return false
  }

  /// The units that contain any of these pixels.
  func units(_ pixels: Range<Int>) -> Range<Int> {
    let low = pixels.lowerBound / pixelsAcross
    return low..<max(low, (pixels.upperBound + pixelsAcross - 1) / pixelsAcross)
  }

  /// The rows of the plane that contain any of these rows of pixels.
  func rows(_ pixels: Range<Int>) -> Range<Int> {
    let low = pixels.lowerBound / pixelsDown
    return low..<max(low, (pixels.upperBound + pixelsDown - 1) / pixelsDown)
  }
}
