package import Pixels
package import Threads

/// An 8-bit copy of a picture of more bits, rounded.
///
/// Algorithms that find faces, screens or skin look at it; edits are made in the picture's own bits.
///
/// Kept from frame to frame, so that frames allocate nothing; one frame at a time.
package final class EightBitCopy {
  /// In the format's `eightBitCounterpart`.
  package let picture: OwnedPicture
  private let video: VideoFormat
  /// For each code of luma its byte, and the factor of the chroma there; nil where codes are
  /// rounded.
  private let tables: (luma: Grid<UInt8>, chroma: Grid<Float>)?

  /// Nil for formats of 8 bits, and for no pixels.
  ///
  /// With `showsStandardRange` the copy of a PQ or HLG picture is tone-mapped: such a copy shows
  /// what a picture of standard dynamic range would, but its codes are not those of the picture.
  package init?(_ video: VideoFormat, showsStandardRange: Bool = false) {
    guard video.format.bitDepth > 8, video.width > 0, video.height > 0 else { return nil }
    self.video = video
    picture = OwnedPicture(video.eightBit)
    tables =
      showsStandardRange && video.transfer != .standard
      ? (Self.lumaTable(video), Self.chromaFactors(video)) : nil
  }

  private static func lumaTable(_ video: VideoFormat) -> Grid<UInt8> {
    let (colors, depth) = (video.colorimetry, video.format.bitDepth)
    let table = Grid<UInt8>(width: 1 << depth, height: 1, of: 0)
    for code in 0..<table.width {
      let signal = colors.normalizedLuma(Float(code) / Float(1 << (depth - 8)))
      let shown = Float(video.transfer.standardSignal(Double(signal)))
      table.row(0)[code] = nearestByte(colors.lumaOffset + shown * colors.lumaScale)
    }
    return table
  }

  private static func chromaFactors(_ video: VideoFormat) -> Grid<Float> {
    let (colors, depth) = (video.colorimetry, video.format.bitDepth)
    let table = Grid<Float>(width: 1 << depth, height: 1, of: 0)
    for code in 0..<table.width {
      let signal = colors.normalizedLuma(Float(code) / Float(1 << (depth - 8)))
      table.row(0)[code] = Float(video.transfer.standardSlope(Double(signal)))
    }
    return table
  }

  /// Copies a picture of the format and size that this was made for; others are left alone.
  ///
  /// Of some `rows` of chroma, and the lines that share them, if given: the others keep what they
  /// held.
  package func update(
    _ source: borrowing Picture, rows wanted: Range<Int>? = nil, runner: any SliceRunner
  ) {
    guard source.format == video.format, source.width == video.width,
      source.height == video.height
    else { return }
    let components = (source.deepComponent(0), source.deepComponent(1), source.deepComponent(2))
    update(components, rows: wanted, runner: runner)
  }

  /// As above, from the components of such a picture.
  package func update(
    _ from: (DeepComponent, DeepComponent, DeepComponent), rows wanted: Range<Int>? = nil,
    runner: any SliceRunner
  ) {
    picture.withPicture { (target: borrowing Picture) in
      let to = (target.component(0), target.component(1), target.component(2))
      let vShift = video.format.layout.chromaShifts.v
      let all = 0..<from.1.height
      let chosen = wanted?.clamped(to: all) ?? all
      runner.runSlices(chosen.count, minimumRows: 16) { _, rows in
        for index in rows {
          let y = chosen.lowerBound + index
          copyChroma(from.1, to.1, y, luma: from.0)
          copyChroma(from.2, to.2, y, luma: from.0)
          for line in y << vShift..<min((y + 1) << vShift, video.height) {
            copyLuma(from.0, to.0, line)
          }
        }
      }
    }
  }

  /// As above, on the calling thread.
  package func update(_ source: borrowing Picture) { update(source, runner: OneThread.shared) }

  /// Updates `copy`, which is made anew for a picture of another format or size; nil for 8 bits.
  package static func update(
    _ copy: inout EightBitCopy?, from source: borrowing Picture, runner: (any SliceRunner)? = nil
  ) -> OwnedPicture? {
    guard source.format.bitDepth > 8 else {
      copy = nil
      return nil
    }
    if copy?.video != source.video { copy = EightBitCopy(source.video) }
    copy?.update(source, runner: runner ?? OneThread.shared)
    return copy?.picture
  }

  private func copyLuma(_ from: DeepComponent, _ to: Component, _ y: Int) {
    guard let out = to.row(y, count: to.width) else { return }
    guard let bytes = tables?.luma.row(0) else { return from.gatherBytes(row: y, into: out) }
    for x in 0..<out.count { out[x] = bytes[Int(from[x, y])] }
  }

  /// Copies a row of Cb or Cr, multiplied by the factor of the first luma sample that shares it.
  private func copyChroma(
    _ from: DeepComponent, _ to: Component, _ y: Int, luma: DeepComponent
  ) {
    guard let out = to.row(y, count: to.width) else { return }
    guard let factors = tables?.chroma.row(0) else { return from.gatherBytes(row: y, into: out) }
    let (shifts, unit) = (video.format.layout.chromaShifts, 1 / Float(1 << (from.depth - 8)))
    for x in 0..<out.count {
      let factor = factors[Int(luma[x << shifts.h, y << shifts.v])]
      out[x] = nearestByte(128 + (Float(from[x, y]) * unit - 128) * factor)
    }
  }
}

/// Runs slices one after another.
private final class OneThread: SliceRunner, Sendable {
  static let shared = OneThread()
  let threadCount = 1

  func run(_ count: Int, _ body: (Int) -> Void) { for index in 0..<count { body(index) } }
}
