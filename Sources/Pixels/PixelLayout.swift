/// Where a format keeps the samples of each component.
///
/// The facts are those of GstVideoFormatInfo; PluginTests compares the two for every format.
package struct PixelLayout: Sendable {
  /// One component: in each row of `plane` its samples start `offset` bytes in and lie `step`
  /// bytes apart; it has one sample for 2^`hShift` columns and 2^`vShift` rows of the picture.
  package struct ComponentPlace: Sendable, Equatable {
    package let plane: Int
    package let offset: Int
    package let step: Int
    package let hShift: Int
    package let vShift: Int
  }

  package let family: PixelFormat.Family
  package let hasAlpha: Bool
  package let planeCount: Int
  /// Luma, Cb, Cr or red, green, blue; then alpha where there is one.
  package let components: [ComponentPlace]

  /// Subsampling of the chroma components; 0, 0 where there are none.
  package var chromaShifts: (h: Int, v: Int) {
    guard family == .ycc else { return (0, 0) }
    return (components[1].hShift, components[1].vShift)
  }

  /// Columns of a component in a picture `width` wide.
  package static func subsampled(_ size: Int, by shift: Int) -> Int {
    (size + (1 << shift) - 1) >> shift
  }

  /// Meaningful bytes in a row of plane `index` for a picture `width` wide.
  ///
  /// Packed 4:2:2 counts whole pairs, as GStreamer allocates them.
  package func rowBytes(plane index: Int, width: Int) -> Int {
    var bytes = 0
    for place in components where place.plane == index {
      let columns = Self.subsampled(width, by: place.hShift)
      bytes = max(bytes, columns * place.step)
    }
    return bytes
  }

  /// Rows of plane `index` for a picture `height` high.
  package func rows(plane index: Int, height: Int) -> Int {
    guard let place = components.first(where: { $0.plane == index }) else { return 0 }
    return Self.subsampled(height, by: place.vShift)
  }

  static let table: [PixelLayout] = PixelFormat.allCases.map(make)

  private static func make(_ format: PixelFormat) -> PixelLayout {
    switch format {
    case .i420: planar(order: [0, 1, 2], hShift: 1, vShift: 1)
    case .yv12: planar(order: [0, 2, 1], hShift: 1, vShift: 1)
    case .y42b: planar(order: [0, 1, 2], hShift: 1, vShift: 0)
    case .y444: planar(order: [0, 1, 2], hShift: 0, vShift: 0)
    case .a420: planar(order: [0, 1, 2], hShift: 1, vShift: 1, alphaPlane: 3)
    case .nv12: semiPlanar(cb: 0, cr: 1)
    case .nv21: semiPlanar(cb: 1, cr: 0)
    case .av12: semiPlanar(cb: 0, cr: 1, alphaPlane: 2)
    case .yuy2: packed422(luma: 0, cb: 1, cr: 3)
    case .uyvy: packed422(luma: 1, cb: 0, cr: 2)
    case .rgb: packed(.rgb, [0, 1, 2], step: 3)
    case .bgr: packed(.rgb, [2, 1, 0], step: 3)
    case .rgbx: packed(.rgb, [0, 1, 2], step: 4)
    case .xrgb: packed(.rgb, [1, 2, 3], step: 4)
    case .bgrx: packed(.rgb, [2, 1, 0], step: 4)
    case .xbgr: packed(.rgb, [3, 2, 1], step: 4)
    case .rgba: packed(.rgb, [0, 1, 2, 3], step: 4)
    case .argb: packed(.rgb, [1, 2, 3, 0], step: 4)
    case .bgra: packed(.rgb, [2, 1, 0, 3], step: 4)
    case .abgr: packed(.rgb, [3, 2, 1, 0], step: 4)
    case .ayuv: packed(.ycc, [1, 2, 3, 0], step: 4)
    case .gray8: packed(.gray, [0], step: 1)
    }
  }

  private static func planar(
    order: [Int], hShift: Int, vShift: Int, alphaPlane: Int? = nil
  ) -> PixelLayout {
    var components = order.enumerated().map { component, plane in
      ComponentPlace(
        plane: plane, offset: 0, step: 1, hShift: component == 0 ? 0 : hShift,
        vShift: component == 0 ? 0 : vShift)
    }
    if let alphaPlane {
      components.append(
        ComponentPlace(plane: alphaPlane, offset: 0, step: 1, hShift: 0, vShift: 0))
    }
    return PixelLayout(
      family: .ycc, hasAlpha: alphaPlane != nil, planeCount: components.count,
      components: components)
  }

  private static func semiPlanar(cb: Int, cr: Int, alphaPlane: Int? = nil) -> PixelLayout {
    var components = [
      ComponentPlace(plane: 0, offset: 0, step: 1, hShift: 0, vShift: 0),
      ComponentPlace(plane: 1, offset: cb, step: 2, hShift: 1, vShift: 1),
      ComponentPlace(plane: 1, offset: cr, step: 2, hShift: 1, vShift: 1),
    ]
    if let alphaPlane {
      components.append(
        ComponentPlace(plane: alphaPlane, offset: 0, step: 1, hShift: 0, vShift: 0))
    }
    return PixelLayout(
      family: .ycc, hasAlpha: alphaPlane != nil, planeCount: alphaPlane == nil ? 2 : 3,
      components: components)
  }

  private static func packed422(luma: Int, cb: Int, cr: Int) -> PixelLayout {
    PixelLayout(
      family: .ycc, hasAlpha: false, planeCount: 1,
      components: [
        ComponentPlace(plane: 0, offset: luma, step: 2, hShift: 0, vShift: 0),
        ComponentPlace(plane: 0, offset: cb, step: 4, hShift: 1, vShift: 0),
        ComponentPlace(plane: 0, offset: cr, step: 4, hShift: 1, vShift: 0),
      ])
  }

  private static func packed(
    _ family: PixelFormat.Family, _ offsets: [Int], step: Int
  ) -> PixelLayout {
    PixelLayout(
      family: family, hasAlpha: offsets.count == 4, planeCount: 1,
      components: offsets.map {
        ComponentPlace(plane: 0, offset: $0, step: step, hShift: 0, vShift: 0)
      })
  }
}
