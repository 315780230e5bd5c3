/// Where a format keeps the samples of each component.
///
/// The facts are those of GstVideoFormatInfo; PluginTests compares the two for every format.
package struct PixelLayout: Sendable {
  /// One component: in each row of `plane` its samples start `offset` bytes in and lie `step`
  /// bytes apart; it has one sample for 2^`hShift` columns and 2^`vShift` rows of the picture.
  package struct ComponentPlace: Sendable, Equatable {
    package let plane, offset, step, hShift, vShift: Int

    @inline(__always)
    fileprivate init(_ plane: Int, at offset: Int = 0, step: Int = 1, shifts: (Int, Int) = (0, 0)) {
      (self.plane, self.offset, self.step) = (plane, offset, step)
      (hShift, vShift) = shifts
    }
  }

  package let family: PixelFormat.Family
  package let planeCount, componentCount: Int
  /// No array, which would be counted each time a layout is asked for; unused places are any.
  private let places: InlineArray<4, ComponentPlace>

  package var hasAlpha: Bool { componentCount == 4 }

  /// The place of a component: luma, Cb, Cr or red, green, blue; then alpha where there is one.
  package subscript(component: Int) -> ComponentPlace {
    precondition(component < componentCount)
    return places[component]
  }

  /// The places of all components.
  package var components: [ComponentPlace] { (0..<componentCount).map { places[$0] } }

  /// Subsampling of the chroma components; 0, 0 where there are none.
  package var chromaShifts: (h: Int, v: Int) { (places[1].hShift, places[1].vShift) }

  /// Columns of a component in a picture `width` wide.
  package static func subsampled(_ size: Int, by shift: Int) -> Int {
    (size + (1 << shift) - 1) >> shift
  }

  /// Meaningful bytes in a row of plane `index` for a picture `width` wide.
  ///
  /// Packed 4:2:2 counts whole pairs, as GStreamer allocates them.
  package func rowBytes(plane index: Int, width: Int) -> Int {
    var bytes = 0
    for component in 0..<componentCount where places[component].plane == index {
      let place = places[component]
      bytes = max(bytes, Self.subsampled(width, by: place.hShift) * place.step)
    }
    return bytes
  }

  /// Rows of plane `index` for a picture `height` high.
  package func rows(plane index: Int, height: Int) -> Int {
    for component in 0..<componentCount where places[component].plane == index {
      return Self.subsampled(height, by: places[component].vShift)
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
    case .yuy2: self.init(luma: 0, cb: 1, cr: 3)
    case .uyvy: self.init(luma: 1, cb: 0, cr: 2)
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
    case .gray8: self.init()
    }
  }

  /// Luma alone.
  private init() {
    (family, planeCount, componentCount) = (.gray, 1, 1)
    places = InlineArray(repeating: ComponentPlace(0))
  }

  /// A plane for each component.
  private init(planes: (Int, Int, Int), shifts: (Int, Int), alpha: Int? = nil) {
    family = .ycc
    planeCount = alpha == nil ? 3 : 4
    componentCount = planeCount
    places = [
      ComponentPlace(planes.0), ComponentPlace(planes.1, shifts: shifts),
      ComponentPlace(planes.2, shifts: shifts), ComponentPlace(alpha ?? 0),
    ]
  }

  /// A plane of luma, and one in which Cb and Cr lie side by side at `pairs`.
  private init(pairs: (cb: Int, cr: Int), alpha: Int? = nil) {
    family = .ycc
    planeCount = alpha == nil ? 2 : 3
    componentCount = planeCount + 1
    places = [
      ComponentPlace(0), ComponentPlace(1, at: pairs.cb, step: 2, shifts: (1, 1)),
      ComponentPlace(1, at: pairs.cr, step: 2, shifts: (1, 1)), ComponentPlace(alpha ?? 0),
    ]
  }

  /// Two pixels in four bytes, which share their chroma.
  private init(luma: Int, cb: Int, cr: Int) {
    family = .ycc
    (planeCount, componentCount) = (1, 3)
    places = [
      ComponentPlace(0, at: luma, step: 2), ComponentPlace(0, at: cb, step: 4, shifts: (1, 0)),
      ComponentPlace(0, at: cr, step: 4, shifts: (1, 0)), ComponentPlace(0),
    ]
  }

  /// Whole pixels of `step` bytes.
  private init(
    _ family: PixelFormat.Family, _ offsets: (Int, Int, Int), alpha: Int? = nil, step: Int = 4
  ) {
    self.family = family
    planeCount = 1
    componentCount = alpha == nil ? 3 : 4
    places = [
      ComponentPlace(0, at: offsets.0, step: step), ComponentPlace(0, at: offsets.1, step: step),
      ComponentPlace(0, at: offsets.2, step: step), ComponentPlace(0, at: alpha ?? 0, step: step),
    ]
  }
}
