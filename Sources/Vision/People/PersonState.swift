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
    /// What the network said of this frame, on the grid, and room for as much again.
    var found, spare: Grid<Float>
    private let shrinker = CellShrinker()
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

    /// Takes the frame's cells; returns whether it is the first of a scene.
    func take(_ picture: borrowing Picture, _ runner: any SliceRunner) -> Bool {
      swap(&before, &mask.colors)
      let cells = CellShrinker.Cells(
        step: (mask.step, mask.step), columns: mask.columns, rows: mask.rows)
      mask.colors.withPicture { shrinker.shrink(picture, cells, into: $0, runner) }
      if !isNew {
        let change = mask.colors.withPicture { now in
          before.withPicture { motion.measure(now, $0, into: mask.stillness, runner) }
        }
        guard change > MotionFilter.cut else { return false }
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

    /// Puts what was found before, in `spare`, in the place of the region it was found in.
    func merge(_ region: Rectangle) {
      let scale = 1 / Double(mask.step)
      func cells(_ start: Double, _ end: Double, _ count: Int) -> Range<Int> {
        let first = max(0, min(Int((start * scale - 0.5).rounded(.up)), count))
        return first..<max(first, min(Int((end * scale - 0.5).rounded(.down)) + 1, count))
      }
      let columns = cells(region.x, region.maxX, found.width)
      for y in cells(region.y, region.maxY, found.height) {
        found.row(y)[columns].copy(spare.row(y)[columns])
      }
    }
  }
}

extension Rectangle {
  /// Whether it can be a face's: metadata can hold anything.
  fileprivate var isUsable: Bool {
    abs(x) < 16 && abs(y) < 16 && width > 0 && width < 16 && height > 0 && height < 16
  }
}
