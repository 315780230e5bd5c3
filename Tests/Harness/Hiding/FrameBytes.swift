package import CGStreamer
import Support

/// A copy of a video frame's bytes and its layout, from GstVideoInfo and GstVideoMeta.
///
/// Unchecked Sendable: `info` points to GStreamer's static format tables.
package struct FrameBytes: @unchecked Sendable {
  /// One component of the frame: luma, a colour or alpha.
  package struct Component: Sendable {
    let plane: Int
    /// Bytes to the first sample, between samples, and between rows; of v210 0 between samples.
    let offset, pixelStride, stride: Int
    /// Of v210 the first sample in a row and the samples to the next, three of which are in a word.
    let firstPacked, packedStep: Int
    /// Chroma subsampling, as powers of two.
    let subsamplingX, subsamplingY: Int
    package let width, height: Int
    /// Significant bits of a sample, which has two bytes if they are more than 8, and the bits below.
    let depth, shift: Int

    /// The byte range from the first sample to the last.
    fileprivate var extent: Range<Int> {
      let rows = stride.multipliedReportingOverflow(by: height - 1)
      guard !rows.overflow, rows.partialValue >= 0 else { return 0..<Int.max }
      let lastSample = rows.partialValue &+ pixelStride * (width - 1)
      return offset..<max(offset, offset &+ lastSample &+ (depth > 8 ? 2 : 1))
    }
  }

  package private(set) var bytes: [UInt8]
  package let components: [Component]
  private let info: GstVideoInfo
  /// In pixels.
  package let width, height: Int

  /// Copies a buffer; nil where its GstVideoMeta contradicts the caps, or where planes overlap, since a
  /// byte of two planes has no defined value.
  package init?(_ buffer: UnsafeMutablePointer<GstBuffer>, _ info: GstVideoInfo) {
    guard let format = info.finfo, info.width > 0, info.height > 0 else { return nil }
    self.info = info
    (width, height) = (Int(info.width), Int(info.height))
    var offsets = Self.tupleElements(of: info.offset, as: gsize.self)
    var strides = Self.tupleElements(of: info.stride, as: gint.self)
    if let meta = gst_buffer_get_video_meta(buffer) {
      guard meta.pointee.format == format.pointee.format,
        Int(meta.pointee.width) == width, Int(meta.pointee.height) == height,
        meta.pointee.n_planes == format.pointee.n_planes
      else { return nil }
      offsets = Self.tupleElements(of: meta.pointee.offset, as: gsize.self)
      strides = Self.tupleElements(of: meta.pointee.stride, as: gint.self)
    }
    components = Self.components(format.pointee, offsets, strides, width, height)
    guard components.allSatisfy({ $0.pixelStride > 0 || $0.stride % 4 == 0 }) else { return nil }
    for (index, one) in components.enumerated() {
      for other in components[..<index] where one.plane != other.plane {
        guard !one.extent.overlaps(other.extent) else { return nil }
      }
    }
    let size = gst_buffer_get_size(buffer)
    bytes = [UInt8](repeating: 0, count: Int(size))
    let copied = bytes.withUnsafeMutableBytes {
      gst_buffer_extract(buffer, 0, $0.baseAddress, size)
    }
    guard copied == size else { return nil }
  }

  /// The name of the pixel format.
  private var formatName: String {
    String(cString: gst_video_format_to_string(info.finfo.pointee.format))
  }

  /// The same frame behind the element, which may have left under other caps; nil if unreadable.
  package func outputFrame(_ buffer: UnsafeMutablePointer<GstBuffer>) -> FrameBytes? {
    FrameBytes(buffer, info)
  }

  private static func components(
    _ format: GstVideoFormatInfo, _ offsets: [Int], _ strides: [Int], _ width: Int, _ height: Int
  ) -> [Component] {
    let planes = tupleElements(of: format.plane, as: guint.self)
    let componentOffsets = tupleElements(of: format.poffset, as: guint.self)
    let pixelStrides = tupleElements(of: format.pixel_stride, as: gint.self)
    let (subsamplingX, subsamplingY) = (
      tupleElements(of: format.w_sub, as: guint.self),
      tupleElements(of: format.h_sub, as: guint.self)
    )
    let (depths, shifts) = (
      tupleElements(of: format.depth, as: guint.self),
      tupleElements(of: format.shift, as: guint.self)
    )
    return (0..<Int(format.n_components)).map { index in
      let plane = planes[index]
      return Component(
        plane: plane, offset: offsets[plane] &+ componentOffsets[index],
        pixelStride: pixelStrides[index],
        stride: strides[plane], firstPacked: [1, 0, 2][index % 3], packedStep: index == 0 ? 2 : 4,
        subsamplingX: subsamplingX[index], subsamplingY: subsamplingY[index],
        width: -((-width) >> subsamplingX[index]),
        height: -((-height) >> subsamplingY[index]), depth: depths[index], shift: shifts[index])
    }
  }

  /// The elements of a C array, which Swift imports as a tuple.
  private static func tupleElements<T, N: BinaryInteger>(of tuple: T, as type: N.Type) -> [Int] {
    withUnsafeBytes(of: tuple) { $0.bindMemory(to: N.self).map { Int(truncatingIfNeeded: $0) } }
  }

  /// The index of a sample's first byte; nil outside the buffer.
  @inline(__always)
  package func index(_ component: Component, _ x: Int, _ y: Int) -> Int? {
    let (row, isOver) = y.multipliedReportingOverflow(by: component.stride)
    var inRow = x * component.pixelStride
    if component.pixelStride == 0 {
      // Ten bits from bit 0, 10 or 20 of a word begin in its byte 0, 1 or 2.
      let packed = component.firstPacked + x * component.packedStep
      inRow = packed / 3 * 4 + packed % 3
    }
    let index = component.offset &+ row &+ inRow
    let last = index &+ (component.depth > 8 ? 1 : 0)
    return !isOver && bytes.indices.contains(index) && bytes.indices.contains(last) ? index : nil
  }

  /// The bits below a sample in the 16-bit word that begins at `index`.
  @inline(__always)
  private func shift(_ component: Component, at index: Int) -> Int {
    component.pixelStride > 0 ? component.shift : 2 * ((index - component.offset) % 4)
  }

  /// The sample whose first byte is at `index`, as 8 bits.
  @inline(__always)
  private func sample(_ component: Component, at index: Int) -> Int {
    guard component.depth > 8 else { return Int(bytes[index]) }
    let word = Int(bytes[index]) | Int(bytes[index + 1]) << 8
    return word >> (shift(component, at: index) + component.depth - 8) & 0xFF
  }

  /// Writes an 8-bit value as the sample whose first byte is at `index`.
  private mutating func write(_ value: UInt8, _ component: Component, at index: Int) {
    guard component.depth > 8 else {
      bytes[index] = value
      return
    }
    let shift = shift(component, at: index)
    let old = UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
    let kept = old & ~(UInt16(1 << component.depth - 1) << UInt16(shift))
    let word = kept | UInt16(value) << UInt16(shift + component.depth - 8)
    (bytes[index], bytes[index + 1]) = (UInt8(truncatingIfNeeded: word), UInt8(word >> 8))
  }

  /// The samples of a component that cover a range of pixels.
  private static func sampleRange(_ first: Int, _ end: Int, _ shift: Int, _ count: Int) -> Range<
    Int
  > {
    let low = min(max(first, 0) >> shift, count)
    return low..<max(low, min(max(end, 0) >> shift, count))
  }

  /// Fills a rectangle with black and white noise, in all components.
  package mutating func paintNoise(_ left: Int, _ top: Int, _ right: Int, _ bottom: Int) {
    for component in components {
      let rows = Self.sampleRange(top, bottom, component.subsamplingY, component.height)
      let columns = Self.sampleRange(left, right, component.subsamplingX, component.width)
      for y in rows {
        for x in columns {
          guard let index = index(component, x, y) else { continue }
          var hash = UInt64(bitPattern: Int64(x &* 73_856_093 ^ y &* 19_349_663))
          hash = (hash ^ hash >> 15) &* 0x2c1b_3c6d_1234_5677
          write(hash >> 40 & 1 == 0 ? 16 : 235, component, at: index)
        }
      }
    }
  }
}

extension FrameBytes {
  /// Width and height of a comparison window, in samples.
  private static let windowSize = 6

  /// Describes the first window in which this output frame still shows the pattern of `before`.
  ///
  /// Searches within `ellipses`, or the whole frame for nil, and counts the windows that it compares.
  /// Flat windows are skipped: they carry no pattern.
  package func firstVisibleWindow(
    _ before: FrameBytes, within ellipses: [ClaimedFaces.Ellipse]?, windows: inout Int
  ) -> String? {
    guard before.components.count == components.count, before.width == width,
      before.height == height
    else { return nil }
    for number in components.indices {
      let boxes = ellipses.map { $0.map(\.bounds) } ?? [(0, 0, width, height)]
      for (index, box) in boxes.enumerated() {
        let ellipse = ellipses?[index]
        guard let place = visibleWindow(before, number, in: box, of: ellipse, windows: &windows)
        else { continue }
        let face = ellipse.map { " in a face at \($0.text)" } ?? ""
        return "component \(number) at \(place.x), \(place.y) of \(width) x \(height) \(formatName)"
          + face
      }
    }
    return nil
  }

  /// The first such window of a component in a box, and in an ellipse if there is one, by the pixel
  /// at its corner.
  private func visibleWindow(
    _ before: FrameBytes, _ number: Int, in box: (Int, Int, Int, Int),
    of ellipse: ClaimedFaces.Ellipse?, windows: inout Int
  ) -> (x: Int, y: Int)? {
    let component = components[number]
    let (h, v) = (component.subsamplingX, component.subsamplingY)
    let right = min(box.2 >> h, component.width)
    let bottom = min(box.3 >> v, component.height)
    let rows = stride(from: max(box.1, 0) >> v, through: bottom - Self.windowSize, by: 4)
    let columns = stride(from: max(box.0, 0) >> h, through: right - Self.windowSize, by: 4)
    for (y, x) in product(rows, columns) {
      if let ellipse, !containsWindow(ellipse, component, x, y) { continue }
      guard let regression = gradientRegression(before, number, x, y) else { continue }
      windows += 1
      if regression > 0.5 { return (x << h, y << v) }
    }
    return nil
  }

  private func containsWindow(
    _ ellipse: ClaimedFaces.Ellipse, _ component: Component, _ x: Int, _ y: Int
  ) -> Bool {
    let (left, right) = (
      x << component.subsamplingX, (x + Self.windowSize) << component.subsamplingX
    )
    let (top, bottom) = (
      y << component.subsamplingY, (y + Self.windowSize) << component.subsamplingY
    )
    return ellipse.contains(left, top) && ellipse.contains(right, top)
      && ellipse.contains(left, bottom)
      && ellipse.contains(right, bottom)
  }

  /// The slope of the linear regression of a window's horizontal differences on those of `before`:
  /// 1 for the same pattern, near 0 for an unrelated one; nil where `before` is nearly flat.
  ///
  /// Differences, not values, since the low frequencies remain in a mosaic.
  private func gradientRegression(_ before: FrameBytes, _ number: Int, _ left: Int, _ top: Int)
    -> Double?
  {
    let (old, new) = (before.components[number], components[number])
    var (squares, products) = (0, 0)
    for y in top..<top + Self.windowSize {
      for x in left..<left + Self.windowSize - 1 {
        guard let a = before.index(old, x, y), let b = before.index(old, x + 1, y),
          let c = index(new, x, y), let d = index(new, x + 1, y)
        else { return nil }
        let step = before.sample(old, at: b) - before.sample(old, at: a)
        squares += step * step
        products += step * (sample(new, at: d) - sample(new, at: c))
      }
    }
    guard squares > 1500 * Self.windowSize * (Self.windowSize - 1) else { return nil }
    return Double(products) / Double(squares)
  }
}
