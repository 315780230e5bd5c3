/// A picture that owns its memory; not safe to write from two threads at once.
@safe package final class OwnedPicture {
  package let video: VideoFormat
  private let memory: UnsafeMutableBufferPointer<UInt8>
  private let offsets: [Int]
  private let strides: [Int]

  package var format: PixelFormat { video.format }
  package var width: Int { video.width }
  package var height: Int { video.height }
  package var colorimetry: Colorimetry { video.colorimetry }
  package var chromaSite: ChromaSite { video.chromaSite }

  /// Allocates a zeroed picture; strides are multiples of `alignment` bytes.
  package init(_ video: VideoFormat, alignment: Int = 32) {
    precondition(video.width > 0 && video.height > 0 && alignment > 0)
    self.video = video
    let layout = video.format.layout
    var offsets: [Int] = []
    var strides: [Int] = []
    var size = 0
    for plane in 0..<layout.planeCount {
      let bytes = layout.rowBytes(plane: plane, width: video.width)
      let stride = (bytes + alignment - 1) / alignment * alignment
      offsets.append(size)
      strides.append(stride)
      size += stride * layout.rowCount(plane: plane, height: video.height)
    }
    (self.offsets, self.strides) = (offsets, strides)
    unsafe memory = .allocate(capacity: size)
    unsafe memory.initialize(repeating: 0)
  }

  package convenience init(format: PixelFormat, width: Int, height: Int, colorimetry: Colorimetry) {
    self.init(VideoFormat(format: format, width: width, height: height, colorimetry: colorimetry))
  }

  deinit { unsafe memory.deallocate() }

  /// Calls `body` with the picture, writable and valid during the call.
  package func withPicture<R, E: Error>(_ body: (borrowing Picture) throws(E) -> R) throws(E) -> R {
    try body(Picture(video, planes: [plane(0), plane(1), plane(2), plane(3)]))
  }

  private func plane(_ index: Int) -> Plane? {
    let layout = format.layout
    guard index < layout.planeCount, let base = unsafe memory.baseAddress else { return nil }
    return unsafe Plane(
      base: base + offsets[index], rowBytes: layout.rowBytes(plane: index, width: width),
      height: layout.rowCount(plane: index, height: height), stride: strides[index])
  }

  /// Copies a picture of the same format and size over this one.
  package func copy(_ source: borrowing Picture) {
    precondition(source.format == format && source.width == width && source.height == height)
    withPicture { (target: borrowing Picture) in
      for index in 0..<format.layout.planeCount {
        let (from, to) = (source.plane(index), target.plane(index))
        let count = min(from.rowBytes, to.rowBytes)
        for y in 0..<min(from.height, to.height) {
          to.row(y)[0..<count].copy(from.row(y)[0..<count])
        }
      }
    }
  }
}
