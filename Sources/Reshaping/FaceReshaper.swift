package import Faces
package import Pixels
package import Threads

/// Changes the shape of faces in a stream of pictures.
///
/// Pixels more than 1.4 face widths from a face are preserved bit for bit.
///
/// For each frame call `advance`, and `process` if it returns true; then `displaced` maps points of
/// the frame. Not thread-safe. Allocates only when the number or size of faces reaches a new
/// maximum.
package final class FaceReshaper {
  /// The format of a field.
  private var video: VideoFormat?
  private var fieldCount = 1
  private var tracks = ReshapeTracks()
  private let coverSampler = CoverSampler()
  private var groups: [ComponentWarp] = []
  /// The grids of the faces reshaped in this frame, and their bounds.
  private var grids: [WarpGrid] = []
  private var boxes: [PixelBox] = []
  /// Disjoint regions of the frame.
  private var regions: [PixelBox] = []
  private var regionGrids: [WarpGrid] = []
  private let sources = (0..<4).map { _ in ReshapeSource() }
  private var scratch: [ReshapeScratch] = []

  package init() {}

  /// Sets the format of the frames that follow; resets the state.
  package func configure(_ video: VideoFormat) {
    self.video = video.field
    fieldCount = video.fieldCount
    groups = ComponentWarp.groups(video.field)
    reset()
  }

  /// Drops all faces, as after a flush; those of the next frame are reshaped at full strength.
  package func reset() {
    tracks.removeAll()
    grids.removeAll()
  }

  /// Sets the faces of the next frame, `elapsed` seconds after the last one.
  ///
  /// Returns false if the frame will not change.
  package func advance(
    _ faces: [Face], _ settings: ReshapeSettings, largestOnly: Bool = false, elapsed: Double
  ) -> Bool {
    guard let video else { return false }
    tracks.update(
      faces, largestOnly: largestOnly, elapsed: elapsed, width: video.width, height: video.height,
      aspect: video.pixelAspect)
    grids.removeAll(keepingCapacity: true)
    boxes.removeAll(keepingCapacity: true)
    guard !settings.isIdentity else { return false }
    for track in tracks.tracks {
      guard track.level > 0, let shape = ReshapeTracks.predictedShape(track) else { continue }
      let grid = track.state.grid
      let motion = track.motion.offset(after: Int64(WarpGrid.easing * 1e9))
      grid.motion = SIMD2(Float(motion.x / video.pixelAspect), Float(motion.y))
      grid.build(
        shape, track.level < 1 ? settings.scaled(by: track.level) : settings,
        frame: (video.width, video.height), aspect: video.pixelAspect,
        cover: coverSampler.set(track.state.cover, width: video.width, height: video.height)
          ? coverSampler : nil)
      guard !grid.isEmpty else { continue }
      grids.append(grid)
      boxes.append(grid.bounds(width: video.width, height: video.height))
    }
    WarpGrid.limitOverlaps(grids, elapsed: elapsed)
    mergeRegions()
    return !grids.isEmpty
  }

  /// Reshapes the faces of the frame last passed to `advance`, each field of interlaced frames by
  /// itself; slices run on `runner`.
  package func process(_ picture: borrowing Picture, runner: any SliceRunner) {
    for index in 0..<picture.video.fieldCount { processField(picture.field(index), runner) }
  }

  private func processField(_ picture: borrowing Picture, _ runner: any SliceRunner) {
    guard let video, picture.width == video.width, picture.height == video.height else { return }
    while scratch.count < runner.threadCount { scratch.append(ReshapeScratch()) }
    for region in regions {
      regionGrids.removeAll(keepingCapacity: true)
      for index in grids.indices where boxes[index].intersects(region) {
        regionGrids.append(grids[index])
      }
      for group in groups { group.warp(picture, region, regionGrids, sources, scratch, runner) }
    }
  }

  /// Merges the boxes of all grids until they are disjoint.
  private func mergeRegions() {
    regions.removeAll(keepingCapacity: true)
    for box in boxes {
      var box = box
      while let other = regions.firstIndex(where: { $0.intersects(box) }) {
        box = box.union(regions[other])
        regions.swapAt(other, regions.count - 1)
        regions.removeLast()
      }
      regions.append(box)
    }
  }

  /// The position, in pixels of the frame, to which the content at `position` is moved.
  ///
  /// The warp maps target pixels to sources; Newton's method inverts it. If that fails, as in a
  /// twirl, the displacement is increased in steps: no fraction of it folds, so the position moves
  /// continuously.
  package func displaced(_ position: Point) -> Point {
    guard !grids.isEmpty, position.x.isFinite, position.y.isFinite else { return position }
    let corner = SIMD2(0.5, 0.5)
    let rows = Double(fieldCount)
    let target = SIMD2(position.x, position.y / rows) - corner
    var (p, error) = findPreimage(target, from: target, scale: 1)
    if error > 1e-6 {
      p = target
      for step in 1...16 { (p, error) = findPreimage(target, from: p, scale: Double(step) / 16) }
    }
    return Point(x: p.x + corner.x, y: (p.y + corner.y) * rows)
  }

  /// The position near `start` that the displacement times `scale` maps to `target`, and the
  /// squared error.
  private func findPreimage(
    _ target: SIMD2<Double>, from start: SIMD2<Double>, scale: Double
  ) -> (position: SIMD2<Double>, error: Double) {
    var p = start
    var (d, x, y) = displacement(at: p)
    var residual = p + d * scale - target
    var error = (residual * residual).sum()
    for _ in 0..<10 {
      guard error > 1e-8 else { break }
      let (a, b, c, e) = (1 + x.x * scale, x.y * scale, y.x * scale, 1 + y.y * scale)
      let determinant = a * e - b * c
      guard determinant > 0.05 else { break }
      var step =
        SIMD2(e * residual.x - c * residual.y, a * residual.y - b * residual.x) / determinant
      // Backtracking: the step is halved until the error decreases.
      for _ in 0..<6 {
        let next = p - step
        let (nd, nx, ny) = displacement(at: next)
        let nextResidual = next + nd * scale - target
        let nextError = (nextResidual * nextResidual).sum()
        if nextError < error {
          (p, d, x, y, residual, error) = (next, nd, nx, ny, nextResidual, nextError)
          break
        }
        step *= 0.5
      }
    }
    return (p, error)
  }

  /// The displacement at a position relative to the first pixel's centre, and its derivatives by x
  /// and y.
  private func displacement(
    at p: SIMD2<Double>
  ) -> (d: SIMD2<Double>, x: SIMD2<Double>, y: SIMD2<Double>) {
    var sum = (d: SIMD2<Double>(), x: SIMD2<Double>(), y: SIMD2<Double>())
    for grid in grids {
      guard let (d, x, y) = grid.displacement(at: p) else { continue }
      sum = (sum.d + d, sum.x + x, sum.y + y)
    }
    return sum
  }

  /// The source position of the pixel at `position`, in pixels of the frame.
  package func source(of position: Point) -> Point {
    let rows = Double(fieldCount)
    let d = displacement(at: SIMD2(position.x - 0.5, position.y / rows - 0.5)).d
    return Point(x: position.x + d.x, y: position.y + d.y * rows)
  }
}
