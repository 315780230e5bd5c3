package import Pixels

/// Whole pictures written and read sample by sample, for tests in which speed does not matter.
extension Component {
  /// All samples, row after row.
  package var samples: [UInt8] { product(0..<height, 0..<width).map { self[$1, $0] } }

  /// The samples of each row.
  package var rows: [[UInt8]] { (0..<height).map { y in (0..<width).map { self[$0, y] } } }

  /// Sets every sample, row after row.
  package func fill(_ sample: (_ x: Int, _ y: Int) -> UInt8) {
    for (y, x) in product(0..<height, 0..<width) { self[x, y] = sample(x, y) }
  }
}

extension Picture {
  /// All samples, component by component.
  package var samples: [[UInt8]] {
    var samples: [[UInt8]] = []
    for index in 0..<format.layout.componentCount { samples.append(component(index).samples) }
    return samples
  }

  /// The bytes of all planes in order, without row padding.
  package var tightBytes: [UInt8] {
    var bytes: [UInt8] = []
    for index in 0..<format.layout.planeCount {
      let plane = plane(index)
      for y in 0..<plane.height { bytes += Array(plane.row(y)) }
    }
    return bytes
  }

  /// Sets every byte of every plane, also those that belong to no component.
  package func fillBytes(_ byte: (_ x: Int, _ y: Int) -> UInt8) {
    for index in 0..<format.layout.planeCount {
      let plane = plane(index)
      for y in 0..<plane.height {
        let row = plane.row(y)
        for x in 0..<row.count { row[x] = byte(x, y) }
      }
    }
  }
}

extension OwnedPicture {
  /// All samples, component by component.
  package var samples: [[UInt8]] { withPicture { $0.samples } }

  /// The bytes of all planes in order, without row padding.
  package var tightBytes: [UInt8] { withPicture { $0.tightBytes } }

  /// The samples of each row of a component.
  package func rows(_ component: Int) -> [[UInt8]] { withPicture { $0.component(component).rows } }

  /// A picture whose bytes are noise, the same for the same seed.
  package static func noise(_ video: VideoFormat, seed: UInt64 = 1) -> OwnedPicture {
    let picture = OwnedPicture(video)
    var random = SplitMix(seed)
    picture.withPicture { picture in
      picture.fillBytes { _, _ in UInt8(truncatingIfNeeded: random.next()) }
    }
    return picture
  }

  /// Another picture with the same samples.
  package func copy() -> OwnedPicture {
    let result = OwnedPicture(video)
    withPicture { result.copy($0) }
    return result
  }
}

extension PixelFormat {
  /// The colour of a picture of this format: `matrix`, or that of RGB.
  package func colorimetry(_ matrix: Colorimetry) -> Colorimetry {
    family == .rgb ? .rgb : matrix
  }
}
