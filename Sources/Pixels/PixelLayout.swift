/// The memory layout of a format's components.
///
/// The data is that of GstVideoFormatInfo; PluginTests compares the two for every format.
package struct PixelLayout: Sendable {
  /// The layout of one component: in each row of `plane` its samples start at byte `offset` and are
  /// `step` bytes apart; each sample covers 2^`hShift` columns and 2^`vShift` rows of the picture.
  ///
  /// Of v210 `offset` and `step` count samples of ten bits, three of which are in each word.
  package struct ComponentLayout: Sendable, Equatable {
    package let plane, offset, step, hShift, vShift: Int

    @inline(__always)
    fileprivate init(_ plane: Int, at offset: Int = 0, step: Int = 1, shifts: (Int, Int) = (0, 0)) {
      (self.plane, self.offset, self.step) = (plane, offset, step)
      (hShift, vShift) = shifts
    }
  }

  package let family: PixelFormat.Family
  package let planeCount, componentCount: Int
  /// Bits of a sample, and unused bits below them in its word.
  package let bitDepth, bitShift: Int
  /// Whether three samples share each 32-bit word, as in v210.
  package let packsThreeSamples: Bool
  /// Inline, to avoid reference counting; entries beyond `componentCount` are unused.
  private let layouts: InlineArray<4, ComponentLayout>

  package var hasAlpha: Bool { componentCount == 4 }

  /// A component's layout: luma, Cb, Cr or red, green, blue; then alpha if there is one.
  package subscript(component: Int) -> ComponentLayout {
    precondition(component < componentCount)
    return layouts[component]
  }

  /// The layouts of all components.
  package var components: [ComponentLayout] { (0..<componentCount).map { layouts[$0] } }

  /// Subsampling of the chroma components; 0, 0 if there are none.
  package var chromaShifts: (h: Int, v: Int) { (layouts[1].hShift, layouts[1].vShift) }

  /// The number of samples of a subsampled component across `size` pixels.
  package static func subsampled(_ size: Int, by shift: Int) -> Int {
    (size + (1 << shift) - 1) >> shift
  }

  /// Meaningful bytes in a row of plane `index` for a picture `width` wide.
  ///
  /// Packed 4:2:2 counts whole pairs, as GStreamer allocates them; v210 whole groups of six pixels.
  package func rowBytes(plane index: Int, width: Int) -> Int {
    if packsThreeSamples { return (width + 5) / 6 * 16 }
    var bytes = 0
    for component in 0..<componentCount where layouts[component].plane == index {
      let componentLayout = layouts[component]
      bytes = max(bytes, Self.subsampled(width, by: componentLayout.hShift) * componentLayout.step)
    }
    return bytes
  }

  /// Rows of plane `index` for a picture `height` high.
  package func rowCount(plane index: Int, height: Int) -> Int {
    for component in 0..<componentCount where layouts[component].plane == index {
      return Self.subsampled(height, by: layouts[component].vShift)
    }
    return 0
  }

  init(_ format: PixelFormat) {
    switch format {
    case .i420: self.init(planes: (0, 1, 2), shifts: (1, 1))
    case .yv12: self.init(planes: (0, 2, 1), shifts: (1, 1))
    case .y42b: self.init(planes: (0, 1, 2), shifts: (1, 0))
    case .y444: self.init(planes: (0, 1, 2), shifts: (0, 0))
    case .a420: self.init(planes: (0, 1, 2), shifts: (1, 1), alpha: 3)
    case .nv12: self.init(pairs: (0, 1))
    case .nv21: self.init(pairs: (1, 0))
    case .av12: self.init(pairs: (0, 1), alpha: 2)
    case .nv16: self.init(pairs: (0, 1), shifts: (1, 0))
    case .nv61: self.init(pairs: (1, 0), shifts: (1, 0))
    case .nv24: self.init(pairs: (0, 1), shifts: (0, 0))
    case .yuy2: self.init(luma: 0, cb: 1, cr: 3)
    case .yvyu: self.init(luma: 0, cb: 3, cr: 1)
    case .uyvy: self.init(luma: 1, cb: 0, cr: 2)
    case .vyuy: self.init(luma: 1, cb: 2, cr: 0)
    case .rgb: self.init(.rgb, (0, 1, 2), step: 3)
    case .bgr: self.init(.rgb, (2, 1, 0), step: 3)
    case .rgbx: self.init(.rgb, (0, 1, 2))
    case .xrgb: self.init(.rgb, (1, 2, 3))
    case .bgrx: self.init(.rgb, (2, 1, 0))
    case .xbgr: self.init(.rgb, (3, 2, 1))
    case .rgba: self.init(.rgb, (0, 1, 2), alpha: 3)
    case .argb: self.init(.rgb, (1, 2, 3), alpha: 0)
    case .bgra: self.init(.rgb, (2, 1, 0), alpha: 3)
    case .abgr: self.init(.rgb, (3, 2, 1), alpha: 0)
    case .ayuv: self.init(.ycc, (1, 2, 3), alpha: 0)
    case .gbr: self.init(.rgb, planes: (2, 0, 1), shifts: (0, 0))
    case .gbra: self.init(.rgb, planes: (2, 0, 1), shifts: (0, 0), alpha: 3)
    case .gray8: self.init()
    case .p010: self.init(pairs: (0, 2), sampleBytes: 2, bits: (10, shift: 6))
    case .p012: self.init(pairs: (0, 2), sampleBytes: 2, bits: (12, shift: 4))
    case .y210: self.init(luma: 0, cb: 1, cr: 3, sampleBytes: 2, bits: (10, shift: 6))
    case .v210: self.init(luma: 1, cb: 0, cr: 2, bits: (10, 0), packsThreeSamples: true)
    case .i420Twelve: self.init(planes: (0, 1, 2), shifts: (1, 1), sampleBytes: 2, bits: (12, 0))
    case .y42bTwelve: self.init(planes: (0, 1, 2), shifts: (1, 0), sampleBytes: 2, bits: (12, 0))
    case .y444Twelve: self.init(planes: (0, 1, 2), shifts: (0, 0), sampleBytes: 2, bits: (12, 0))
    case .i420Ten: self.init(planes: (0, 1, 2), shifts: (1, 1), sampleBytes: 2, bits: (10, 0))
    case .y42bTen: self.init(planes: (0, 1, 2), shifts: (1, 0), sampleBytes: 2, bits: (10, 0))
    case .y444Ten: self.init(planes: (0, 1, 2), shifts: (0, 0), sampleBytes: 2, bits: (10, 0))
    case .a420Ten:
      self.init(planes: (0, 1, 2), shifts: (1, 1), alpha: 3, sampleBytes: 2, bits: (10, 0))
    case .a422Ten:
      self.init(planes: (0, 1, 2), shifts: (1, 0), alpha: 3, sampleBytes: 2, bits: (10, 0))
    case .a444Ten:
      self.init(planes: (0, 1, 2), shifts: (0, 0), alpha: 3, sampleBytes: 2, bits: (10, 0))
    }
  }

  /// Luma only.
  private init() {
    (family, planeCount, componentCount) = (.gray, 1, 1)
    (bitDepth, bitShift, packsThreeSamples) = (8, 0, false)
    layouts = InlineArray(repeating: ComponentLayout(0))
  }

  /// Planar: a plane for each component.
  private init(
    _ family: PixelFormat.Family = .ycc, planes: (Int, Int, Int), shifts: (Int, Int),
    alpha: Int? = nil, sampleBytes step: Int = 1, bits: (depth: Int, shift: Int) = (8, 0)
  ) {
    self.family = family
    (bitDepth, bitShift) = bits
    packsThreeSamples = false
    planeCount = alpha == nil ? 3 : 4
    componentCount = planeCount
    layouts = [
      ComponentLayout(planes.0, step: step), ComponentLayout(planes.1, step: step, shifts: shifts),
      ComponentLayout(planes.2, step: step, shifts: shifts),
      ComponentLayout(alpha ?? 0, step: step),
    ]
  }

  /// Semi-planar: a plane of luma, and one of interleaved Cb and Cr at offsets `pairs`.
  private init(
    pairs: (cb: Int, cr: Int), shifts: (Int, Int) = (1, 1), alpha: Int? = nil,
    sampleBytes step: Int = 1, bits: (depth: Int, shift: Int) = (8, 0)
  ) {
    family = .ycc
    (bitDepth, bitShift) = bits
    packsThreeSamples = false
    planeCount = alpha == nil ? 2 : 3
    componentCount = planeCount + 1
    layouts = [
      ComponentLayout(0, step: step),
      ComponentLayout(1, at: pairs.cb, step: 2 * step, shifts: shifts),
      ComponentLayout(1, at: pairs.cr, step: 2 * step, shifts: shifts),
      ComponentLayout(alpha ?? 0, step: step),
    ]
  }

  /// Packed 4:2:2: two pixels in four samples share their chroma; the places are those of samples.
  private init(
    luma: Int, cb: Int, cr: Int, sampleBytes: Int = 1, bits: (depth: Int, shift: Int) = (8, 0),
    packsThreeSamples: Bool = false
  ) {
    family = .ycc
    (planeCount, componentCount) = (1, 3)
    (bitDepth, bitShift) = bits
    self.packsThreeSamples = packsThreeSamples
    let (pixel, pair) = (2 * sampleBytes, 4 * sampleBytes)
    layouts = [
      ComponentLayout(0, at: luma * sampleBytes, step: pixel),
      ComponentLayout(0, at: cb * sampleBytes, step: pair, shifts: (1, 0)),
      ComponentLayout(0, at: cr * sampleBytes, step: pair, shifts: (1, 0)), ComponentLayout(0),
    ]
  }

  /// Packed pixels of `step` bytes.
  private init(
    _ family: PixelFormat.Family, _ offsets: (Int, Int, Int), alpha: Int? = nil, step: Int = 4
  ) {
    self.family = family
    planeCount = 1
    (bitDepth, bitShift, packsThreeSamples) = (8, 0, false)
    componentCount = alpha == nil ? 3 : 4
    layouts = [
      ComponentLayout(0, at: offsets.0, step: step), ComponentLayout(0, at: offsets.1, step: step),
      ComponentLayout(0, at: offsets.2, step: step), ComponentLayout(0, at: alpha ?? 0, step: step),
    ]
  }
}
