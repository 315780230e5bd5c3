import Pixels

/// Detects glasses by the line that their bridge draws across the bridge of the nose, where skin is
/// smooth.
///
/// Luma and chroma are sampled along the nose in five columns. A line is a ridge of the profile, to
/// either side, at about the same height in most of the columns. Chroma tells more than luma: skin has
/// folds and highlights there, but one colour.
///
/// Tuned on 55 faces of photographs and films, 80 to 290 pixels wide, and with glasses drawn on them.
/// Without glasses none counts, nor brighter, darker or half as large; with noise of 8 codes a fifth of
/// them counts a little. Rims of two pixels count fully in nine of ten faces, grey ones of one pixel in
/// 84 %, golden ones of one pixel in 80 %; where rims are thinner than half a cell, few do.
final class GlassesDetector {
  /// One plane's values of the columns along the nose, and the ridges of each at one scale.
  private let profiles = Grid<Float>(width: 0, height: 0, of: 0)
  private let ridges = Grid<Float>(width: 0, height: 0, of: 0)

  private static let columns = 5
  /// The distance of the outer columns from the middle one, in eye distances.
  private static let side = 0.08
  /// The maximum number of samples along the nose.
  private static let maximumSamples = 96
  /// Half the widths of the ridges, in eye distances, and their minima in samples.
  private static let scales: [(width: Double, minimum: Double)] = [(0.05, 1), (0.08, 2)]
  /// The contrasts at which glasses begin to count and count fully.
  ///
  /// That of luma is relative to the skin's light, that of chroma to the skin's saturation; the minimum of
  /// those is in codes.
  private static let luma: Limits = (0.035, 0.055, 64)
  private static let chroma: Limits = (0.06, 0.09, 16)
  private typealias Limits = (none: Float, all: Float, minimum: Float)
  /// The multiple of the mean ridge that is noise.
  private static let noise: Float = 3

  /// How certain glasses are, 0...1.
  ///
  /// `light` is the skin's luma over black and `saturation` the length of its chroma, in codes.
  func detect(_ frame: EyeFrame, _ cells: FaceCells, light: Float, saturation: Float) -> Float {
    let means = cells.means
    func presence(_ plane: Grid<UInt16>, _ level: Float, _ limits: Limits) -> Float {
      let contrast = highestRidge(frame, cells.region, plane) / max(level, limits.minimum)
      return min(max((contrast - limits.none) / (limits.all - limits.none), 0), 1)
    }
    var result = presence(means.luma, light, Self.luma)
    if cells.hasChroma, result < 1 {
      result = max(result, presence(means.cr, saturation, Self.chroma))
      result = max(result, presence(means.cb, saturation, Self.chroma))
    }
    return result
  }

  /// The highest ridge of a plane's profiles along the nose, in codes.
  private func highestRidge(
    _ frame: EyeFrame, _ region: CellRegion, _ plane: Grid<UInt16>
  ) -> Float {
    guard let spacing = sampleProfiles(frame, region, plane) else { return 0 }
    let unit = frame.across.length
    var highest: Float = 0
    for scale in Self.scales {
      let half = Int(min(max(scale.width * unit / spacing, scale.minimum), 100).rounded())
      guard 2 * half < profiles.width else { continue }
      highest = max(
        highest, highestRidge(half: half, sign: 1), highestRidge(half: half, sign: -1))
    }
    return highest
  }

  /// Samples a plane along the nose; returns the distance of samples in pixels, nil for a nose without
  /// length.
  private func sampleProfiles(
    _ frame: EyeFrame, _ region: CellRegion, _ plane: Grid<UInt16>
  ) -> Double? {
    let bridge = frame.bridge
    let lengths = (
      (bridge.root - bridge.top).length, (bridge.middle - bridge.root).length,
      (bridge.end - bridge.middle).length
    )
    let total = lengths.0 + lengths.1 + lengths.2
    guard total > Double(region.step), total.isFinite, plane.width > 1, plane.height > 1 else {
      return nil
    }
    let count = Int(min(max(total / Double(region.step) + 1, 8), Double(Self.maximumSamples)))
    let spacing = total / Double(count - 1)
    resizeAll(profiles, ridges, width: count, height: Self.columns)
    for column in 0..<Self.columns {
      let offset = frame.across * (Self.side * (Double(column) / 2 - 1))
      let row = profiles.row(column)
      for index in 0..<row.count {
        var way = Double(index) * spacing
        var (from, to, length) = (bridge.top, bridge.root, lengths.0)
        if way > length {
          way -= length
          (from, to, length) = (bridge.root, bridge.middle, lengths.1)
        }
        if way > length {
          way -= length
          (from, to, length) = (bridge.middle, bridge.end, lengths.2)
        }
        let point = from + (to - from) * (length > 0 ? min(way / length, 1) : 0) + offset
        row[index] = Self.sample(plane, region, point)
      }
    }
    return spacing
  }

  /// The highest ridge that the middle one of the columns has, each within a sample of the same
  /// height, less the noise; downward for a `sign` of 1, upward for -1.
  private func highestRidge(half: Int, sign: Float) -> Float {
    let count = profiles.width - 2 * half
    var sum: Float = 0
    for column in 0..<Self.columns {
      let (profile, target) = (profiles.row(column), ridges.row(column))
      for index in 0..<count {
        let (before, here, after) = (
          sign * profile[index], sign * profile[index + half], sign * profile[index + 2 * half]
        )
        let ridge = min(before, after) - here
        target[index] = ridge
        sum += max(ridge, 0)
      }
    }
    var highest: Float = 0
    for index in 0..<count {
      let (first, last) = (max(index - 1, 0), min(index + 1, count - 1))
      highest = max(highest, medianRidge(first, index, last))
    }
    return highest - Self.noise * sum / Float(count * Self.columns)
  }

  /// The median over the columns of the highest of three samples.
  private func medianRidge(_ first: Int, _ middle: Int, _ last: Int) -> Float {
    func value(_ column: Int) -> Float {
      let row = ridges.row(column)
      return max(row[first], row[middle], row[last])
    }
    for column in 0..<Self.columns {
      let own = value(column)
      var rank = 0
      for other in 0..<Self.columns where other != column {
        let theirs = value(other)
        if theirs < own || (theirs == own && other < column) { rank += 1 }
      }
      if rank == Self.columns / 2 { return own }
    }
    return 0
  }

  /// The code at a point in pixels, interpolated between the centres of cells.
  private static func sample(_ plane: Grid<UInt16>, _ region: CellRegion, _ point: Point) -> Float {
    let step = Double(region.step)
    let x = min(max(point.x / step - 0.5 - Double(region.x), 0), Double(plane.width - 1))
    let y = min(max(point.y / step - 0.5 - Double(region.y), 0), Double(plane.height - 1))
    let (left, top) = (min(Int(x), plane.width - 2), min(Int(y), plane.height - 2))
    let (a, b) = (Float(x - Double(left)), Float(y - Double(top)))
    let (upper, lower) = (plane.row(top), plane.row(top + 1))
    let above = Float(upper[left]) + (Float(upper[left + 1]) - Float(upper[left])) * a
    let below = Float(lower[left]) + (Float(lower[left + 1]) - Float(lower[left])) * a
    return (above + (below - above) * b) * 0.25
  }
}

/// How certain the glasses of one face are, over time, 0...1.
struct GlassesPresence {
  private(set) var value: Float = 0
  private var isKnown = false

  /// The time constant in seconds.
  private static let memory = 1.0
  /// The position of the nose's tip (`EyeFrame.noseTip`) at which nothing is learned any more, since
  /// the glasses hide the nose, or the nose itself.
  private static let turned = 0.35

  mutating func reset() { self = GlassesPresence() }

  /// `elapsed` is in seconds since the last update.
  mutating func update(_ detected: Float, noseTip: Double, elapsed: Double) {
    let trust = max(1 - abs(noseTip) / Self.turned, 0)
    let weight = isKnown ? trust * elapsed / (Self.memory + elapsed) : trust > 0 ? 1 : 0
    value += (detected - value) * Float(weight)
    isKnown = isKnown || trust > 0
  }
}
