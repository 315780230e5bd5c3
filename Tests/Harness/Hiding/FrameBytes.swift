package import CGStreamer

/// The bytes of a video frame and where in them each sample lies, as GStreamer's own structures say.
///
/// What its `info` points to lives as long as the process.
package struct FrameBytes: @unchecked Sendable {
  /// One component of the frame: luma, a colour or alpha.
  package struct Component: Sendable {
    let plane: Int
    /// Bytes to the first sample, from one sample to the next, and from row to row.
    let start, step, stride: Int
    /// Pixels, as powers of two, that a sample stands for.
    let across, down: Int
    package let width, height: Int

    /// The bytes from the first sample to the last.
    fileprivate var extent: Range<Int> {
      let rows = stride.multipliedReportingOverflow(by: height - 1)
      guard !rows.overflow, rows.partialValue >= 0 else { return 0..<Int.max }
      return start..<max(start, start &+ rows.partialValue &+ step * (width - 1) &+ 1)
    }
  }

  package private(set) var bytes: [UInt8]
  package let components: [Component]
  private let info: GstVideoInfo
  /// In pixels.
  package let width, height: Int

  /// Copies what a buffer holds; nil where its metadata contradicts the caps, or where planes overlap:
  /// a byte of two planes has no value of its own.
  package init?(_ buffer: UnsafeMutablePointer<GstBuffer>, _ info: GstVideoInfo) {
    guard let format = info.finfo, info.width > 0, info.height > 0 else { return nil }
    self.info = info
    (width, height) = (Int(info.width), Int(info.height))
    var offsets = Self.numbers(of: info.offset, as: gsize.self)
    var strides = Self.numbers(of: info.stride, as: gint.self)
    if let meta = gst_buffer_get_video_meta(buffer) {
      guard meta.pointee.format == format.pointee.format,
        Int(meta.pointee.width) == width, Int(meta.pointee.height) == height,
        meta.pointee.n_planes == format.pointee.n_planes
      else { return nil }
      offsets = Self.numbers(of: meta.pointee.offset, as: gsize.self)
      strides = Self.numbers(of: meta.pointee.stride, as: gint.self)
    }
    components = Self.components(format.pointee, offsets, strides, width, height)
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

  /// What became of this frame, in a buffer that may have left under other caps; nil where it cannot be
  /// read.
  package func after(_ buffer: UnsafeMutablePointer<GstBuffer>) -> FrameBytes? {
    FrameBytes(buffer, info)
  }

  private static func components(
    _ format: GstVideoFormatInfo, _ offsets: [Int], _ strides: [Int], _ width: Int, _ height: Int
  ) -> [Component] {
    let planes = numbers(of: format.plane, as: guint.self)
    let starts = numbers(of: format.poffset, as: guint.self)
    let steps = numbers(of: format.pixel_stride, as: gint.self)
    let (across, down) = (
      numbers(of: format.w_sub, as: guint.self), numbers(of: format.h_sub, as: guint.self)
    )
    return (0..<Int(format.n_components)).map { index in
      let plane = planes[index]
      return Component(
        plane: plane, start: offsets[plane] &+ starts[index], step: steps[index],
        stride: strides[plane],
        across: across[index], down: down[index], width: -((-width) >> across[index]),
        height: -((-height) >> down[index]))
    }
  }

  /// The numbers of an array of C's, which Swift has as a tuple.
  private static func numbers<T, N: BinaryInteger>(of tuple: T, as type: N.Type) -> [Int] {
    withUnsafeBytes(of: tuple) { $0.bindMemory(to: N.self).map { Int(truncatingIfNeeded: $0) } }
  }

  /// The place of a sample among the bytes; nil where it lies outside.
  @inline(__always)
  package func index(_ component: Component, _ x: Int, _ y: Int) -> Int? {
    let (row, isOver) = y.multipliedReportingOverflow(by: component.stride)
    let index = component.start &+ row &+ x * component.step
    return !isOver && bytes.indices.contains(index) ? index : nil
  }

  /// The samples of a component that stand for some pixels.
  private static func samples(_ first: Int, _ end: Int, _ shift: Int, _ count: Int) -> Range<Int> {
    let low = min(max(first, 0) >> shift, count)
    return low..<max(low, min(max(end, 0) >> shift, count))
  }

  /// Paints noise of black and white over some pixels, in all components.
  package mutating func paint(_ left: Int, _ top: Int, _ right: Int, _ bottom: Int) {
    for component in components {
      let rows = Self.samples(top, bottom, component.down, component.height)
      let columns = Self.samples(left, right, component.across, component.width)
      for y in rows {
        for x in columns {
          guard let index = index(component, x, y) else { continue }
          var hash = UInt64(bitPattern: Int64(x &* 73_856_093 ^ y &* 19_349_663))
          hash = (hash ^ hash >> 15) &* 0x2c1b_3c6d_1234_5677
          bytes[index] = hash >> 40 & 1 == 0 ? 16 : 235
        }
      }
    }
  }
}

extension FrameBytes {
  /// Samples on a side of a window in which a pattern is looked for.
  private static let side = 6

  /// A place where this frame, which came out, still shows what `before` had there.
  ///
  /// It is looked for within `places`, or anywhere for nil, in windows, which are counted; flat ones
  /// cannot tell and do not count.
  package func visible(
    _ before: FrameBytes, within places: [ClaimedFaces.Place]?, windows: inout Int
  ) -> String? {
    guard before.components.count == components.count, before.width == width,
      before.height == height
    else { return nil }
    for (number, component) in components.enumerated() {
      let boxes = places.map { $0.map(\.bounds) } ?? [(0, 0, width, height)]
      for (index, box) in boxes.enumerated() {
        let (left, top) = (max(box.0, 0) >> component.across, max(box.1, 0) >> component.down)
        let right = min(box.2 >> component.across, component.width)
        let bottom = min(box.3 >> component.down, component.height)
        for y in stride(from: top, through: bottom - Self.side, by: 4) {
          for x in stride(from: left, through: right - Self.side, by: 4) {
            if let places, !isInside(places[index], component, x, y) { continue }
            guard let slope = slope(before, number, x, y) else { continue }
            windows += 1
            if slope > 0.5 {
              let face = places.map { " in a face at \($0[index].text)" } ?? ""
              return "component \(number) at \(x << component.across), \(y << component.down) of "
                + "\(width) x \(height)\(face)"
            }
          }
        }
      }
    }
    return nil
  }

  private func isInside(
    _ place: ClaimedFaces.Place, _ component: Component, _ x: Int, _ y: Int
  ) -> Bool {
    let (left, right) = (x << component.across, (x + Self.side) << component.across)
    let (top, bottom) = (y << component.down, (y + Self.side) << component.down)
    return place.contains(left, top) && place.contains(right, top) && place.contains(left, bottom)
      && place.contains(right, bottom)
  }

  /// How far the steps from sample to sample of a window follow what they were: 1 where they are the
  /// same, about 0 where they know nothing of it; nil where there were hardly any.
  ///
  /// Steps, for slow changes are what blocks leave of a picture.
  private func slope(_ before: FrameBytes, _ number: Int, _ left: Int, _ top: Int) -> Double? {
    let (old, new) = (before.components[number], components[number])
    var (squares, products) = (0, 0)
    for y in top..<top + Self.side {
      for x in left..<left + Self.side - 1 {
        guard let a = before.index(old, x, y), let b = before.index(old, x + 1, y),
          let c = index(new, x, y), let d = index(new, x + 1, y)
        else { return nil }
        let step = Int(before.bytes[b]) - Int(before.bytes[a])
        squares += step * step
        products += step * (Int(bytes[d]) - Int(bytes[c]))
      }
    }
    guard squares > 1500 * Self.side * (Self.side - 1) else { return nil }
    return Double(products) / Double(squares)
  }
}
