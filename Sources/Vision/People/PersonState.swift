import Filters
import Pixels
import Threads

extension PersonSegmenter {
  /// What is remembered of a stream of one format.
  final class State {
    let video: VideoFormat
    let mask: PersonMask
    let parts = PersonParts()
    var region: PersonRegion
    /// Faces that count, in pixels, at most `mostFaces`.
    private(set) var faces: [Rectangle] = []
    /// Frames since the last look, and looks since the last at the whole frame.
    var age = 0
    var sinceLookout = 0
    /// Whether anything has moved outside the region since then.
    private(set) var hasMoved = true
    /// What the network said of this frame, on the grid, and room for as much again.
    var found, spare: Grid<Float>
    private let downscaler = AreaDownscaler()
    private let motion: MotionFilter
    private var before: OwnedPicture
    private var isNew = true
    private let placer: MaskPlacer

    private static let mostFaces = 64

    init(_ video: VideoFormat) {
      self.video = video
      mask = PersonMask(video)
      region = PersonRegion(video)
      let (columns, rows) = (mask.columns, mask.rows)
      found = Grid(width: columns, height: rows, of: 0)
      spare = Grid(width: columns, height: rows, of: 0)
      motion = MotionFilter(columns: columns, rows: rows)
      placer = MaskPlacer(columns: columns)
      before = PersonMask.room(columns, rows)
      faces.reserveCapacity(Self.mostFaces)
    }

    func reset() { isNew = true }

    /// Begins to wait for the next look at the whole frame; `isSettled` where one has just been.
    func waitForLookout(isSettled: Bool) { (sinceLookout, hasMoved) = (0, !isSettled) }

    /// Takes the frame's cells; returns whether it is the first of a scene.
    func take(_ picture: borrowing Picture, _ runner: any SliceRunner) -> Bool {
      swap(&before, &mask.colors)
      let cells = AreaDownscaler.Cells(
        step: (mask.step, mask.step), columns: mask.columns, rows: mask.rows)
      mask.colors.withPicture { downscaler.downscale(picture, cells, into: $0, runner: runner) }
      if !isNew {
        let change = mask.colors.withPicture { now in
          before.withPicture { motion.measure(now, $0, into: mask.stillness, runner) }
        }
        guard change > MotionFilter.cut else {
          hasMoved = hasMoved || !isStillOutside
          return false
        }
      }
      isNew = false
      for y in 0..<mask.rows { mask.stillness.row(y).fill(0) }
      return true
    }

    /// Takes boxes in shares of the frame, but those that are none, or too small.
    func take(faces boxes: [Rectangle], least: Double) {
      var largest = 0.0
      for box in boxes where box.isUsable { largest = max(largest, box.width) }
      faces.removeAll(keepingCapacity: true)
      for box in boxes where box.isUsable && box.width >= largest * least {
        guard faces.count < Self.mostFaces else { break }
        faces.append(box.scaled(x: Double(video.width), y: Double(video.height)))
      }
    }

    /// Finds the parts of what was found; `keepsLast` knows those again that were there before.
    func findParts(_ threshold: Float, keepsLast: Bool) {
      let scale = 1 / Double(mask.step)
      for index in faces.indices { faces[index] = faces[index].scaled(x: scale, y: scale) }
      parts.find(
        found, threshold: threshold, faces: faces, kept: keepsLast ? mask.presence : nil)
      let back = Double(mask.step)
      for index in faces.indices { faces[index] = faces[index].scaled(x: back, y: back) }
    }

    /// The region that fits whom the last look has found; nil where that is nobody.
    var wish: Rectangle? {
      let people = parts.box(found, hasFaces: !faces.isEmpty)
      let back = Double(mask.step)
      return region.wish(people: people?.scaled(x: back, y: back), faces: faces)
    }

    /// Brings what the network said of a region to the grid, 0 outside it.
    func place(_ network: PersonNetwork, _ region: Rectangle) {
      let step = Double(mask.step)
      network.withResult { result in
        placer.place(
          result, (network.width, network.height), into: found,
          Affine(
            a: step / region.width * Double(network.width), b: 0, c: 0,
            d: step / region.height * Double(network.height),
            tx: (step / 2 - region.x) / region.width * Double(network.width) - 0.5,
            ty: (step / 2 - region.y) / region.height * Double(network.height) - 0.5))
      }
    }

    /// The cells whose middles lie in a region.
    private func cells(of region: Rectangle) -> (columns: Range<Int>, rows: Range<Int>) {
      let scale = 1 / Double(mask.step)
      func cells(_ start: Double, _ end: Double, _ count: Int) -> Range<Int> {
        let first = max(0, min(Int((start * scale - 0.5).rounded(.up)), count))
        return first..<max(first, min(Int((end * scale - 0.5).rounded(.down)) + 1, count))
      }
      return (
        cells(region.x, region.maxX, found.width), cells(region.y, region.maxY, found.height)
      )
    }

    /// Whether nothing moves where nobody looks.
    private var isStillOutside: Bool {
      let (columns, rows) = cells(of: region.box)
      return (0..<mask.rows).allSatisfy { y in
        let row = mask.stillness.row(y)
        guard rows.contains(y) else { return MotionFilter.isStill(row) }
        return MotionFilter.isStill(row[..<columns.lowerBound])
          && MotionFilter.isStill(row[columns.upperBound...])
      }
    }

    /// Puts what was found before, in `spare`, in the place of the region it was found in.
    ///
    /// What the whole frame's look joins to the region from outside is dropped: people who go on there
    /// are in the region's own margin, which follows them; else it is a thing beside them.
    func merge(_ region: Rectangle, over threshold: Float) {
      let (columns, rows) = cells(of: region)
      for y in rows { found.row(y)[columns].fill(0) }
      let around = Rectangle(
        x: Double(columns.lowerBound - 1), y: Double(rows.lowerBound - 1),
        width: Double(columns.count + 2), height: Double(rows.count + 2))
      parts.drop(from: found, touching: around, threshold: threshold)
      for y in rows { found.row(y)[columns].copy(spare.row(y)[columns]) }
    }
  }
}

extension Rectangle {
  /// Whether it can be a face's: metadata can hold anything.
  fileprivate var isUsable: Bool {
    abs(x) < 16 && abs(y) < 16 && width > 0 && width < 16 && height > 0 && height < 16
  }
}
