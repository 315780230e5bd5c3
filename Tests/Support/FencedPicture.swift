import Glibc
package import Pixels

/// A picture of noise whose planes each end directly before an inaccessible memory page, or begin
/// directly behind one.
package final class FencedPicture {
  private let format: PixelFormat
  private let width: Int
  private let height: Int
  private let site: ChromaSite
  private var planes: [Plane] = []
  private var regions: [(start: UnsafeMutableRawPointer, size: Int)] = []

  package init(
    _ format: PixelFormat, _ width: Int, _ height: Int, _ site: ChromaSite = .mpeg2, atEnd: Bool
  ) {
    (self.format, self.width, self.height, self.site) = (format, width, height, site)
    var random = SplitMix(UInt64(width * 31 + height))
    let page = 4096
    for index in 0..<format.layout.planeCount {
      let rowBytes = format.layout.rowBytes(plane: index, width: width)
      let rows = format.layout.rowCount(plane: index, height: height)
      let room = (rowBytes * rows + page - 1) / page * page
      let size = room + 2 * page
      let start = mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
      mprotect(start + page, room, PROT_READ | PROT_WRITE)
      let base = start + page + (atEnd ? room - rowBytes * rows : 0)
      let bytes = base.assumingMemoryBound(to: UInt8.self)
      for place in 0..<rowBytes * rows { bytes[place] = UInt8(truncatingIfNeeded: random.next()) }
      regions.append((start, size))
      planes.append(Plane(base: bytes, rowBytes: rowBytes, height: rows, stride: rowBytes))
    }
  }

  deinit { for region in regions { munmap(region.start, region.size) } }

  package func withPicture<R>(_ body: (borrowing Picture) -> R) -> R {
    func plane(_ index: Int) -> Plane? { index < planes.count ? planes[index] : nil }
    return body(
      Picture(
        VideoFormat(
          format: format, width: width, height: height, colorimetry: .bt709, chromaSite: site),
        planes: [plane(0), plane(1), plane(2), plane(3)]))
  }
}
