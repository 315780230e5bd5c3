import Filters
import Pixels
import Threads

extension PersonSegmenter {
  /// The state of a stream of one format.
  final class State {
    let video: VideoFormat
    let mask: PersonMask
    let components = PersonComponents()
    var region: PersonRegion
    /// The valid faces, in pixels, at most `maximumFaces`.
    private(set) var faces: [Rectangle] = []
    /// Whether one of the faces seen last fills most of the frame.
    private var isCloseUp = false
    /// The frames since the last run, and since the last one on the whole frame.
    var framesSinceRun = 0
    var framesSinceFullFrame = 0
    var schedule = RunSchedule()
    /// The region whose mask was used last, how uncertain that was, and where the bodies below faces
    /// were when the region was set.
    private(set) var accepted: (region: Rectangle, uncertainty: Float, bodies: Rectangle?)
    /// The runs since a region was refused.
    var runsSinceRefusal = 0
    let clusters = PersonClusters()
    let scratch = RegionScratch()
    /// Whether anything has moved outside the region since then.
    private(set) var hasMoved = true
    /// The network's mask of this frame on the grid, and a second mask.
    var result, previousResult: Grid<Float>
    private let downscaler = AreaDownscaler()
    private let motion: TemporalMaskFilter
    private var before: OwnedPicture
    private var isNew = true
    private let upsampler: MaskUpsampler

    private static let maximumFaces = 64
    /// The height of a face in that of the frame from which it is a close-up.
    private static let closeUp = 0.45

    init(_ video: VideoFormat) {
      self.video = video
      mask = PersonMask(video)
      region = PersonRegion(video)
      accepted = (region.box, 0, nil)
      let (columns, rows) = (mask.columns, mask.rows)
      result = Grid(width: columns, height: rows, of: 0)
      previousResult = Grid(width: columns, height: rows, of: 0)
      motion = TemporalMaskFilter(columns: columns, rows: rows)
      upsampler = MaskUpsampler(columns: columns)
      before = PersonMask.makeColors(columns, rows)
      faces.reserveCapacity(Self.maximumFaces)
    }

    func reset() { isNew = true }

    /// Restarts the interval between runs on the whole frame; `isSettled` after such a run.
    func restartFullFrameInterval(isSettled: Bool) {
      (framesSinceFullFrame, hasMoved) = (0, !isSettled)
    }

    /// Downscales the frame to cells; returns whether it is the first of a scene.
    func update(with picture: borrowing Picture, _ runner: any SliceRunner) -> Bool {
      swap(&before, &mask.colors)
      let cells = AreaDownscaler.Cells(
        step: (mask.step, mask.step), columns: mask.columns, rows: mask.rows)
      mask.colors.withPicture { downscaler.downscale(picture, cells, into: $0, runner: runner) }
      if !isNew {
        let change = mask.colors.withPicture { now in
          before.withPicture { motion.measure(now, $0, into: mask.temporalWeight, runner) }
        }
        guard change > TemporalMaskFilter.sceneCut else {
          hasMoved = hasMoved || !(clusters.isEmpty ? isStillOutside : isStill)
          schedule.add(edgeMotion)
          return false
        }
      }
      (isNew, isCloseUp) = (false, false)
      for y in 0..<mask.rows { mask.temporalWeight.row(y).fill(0) }
      return true
    }

    /// The mean distance of the probability from 0 or 1, whichever is nearer, where it is not 0.
    var uncertainty: Float {
      var (sum, count): (Float, Float) = (0, 0)
      for y in 0..<mask.rows {
        let row = PersonMask.uncertainty(result.row(y))
        (sum, count) = (sum + row.sum, count + row.count)
      }
      return sum / max(count, 1)
    }

    /// Accepts the region and its result.
    func accept(uncertainty: Float) {
      let isNew = region.box != accepted.region
      accepted = (
        region.box, uncertainty, isNew ? region.enclosing(faces) : accepted.bodies
      )
    }

    /// Returns to the accepted region, whose result is in `previousResult`.
    func restoreAccepted() {
      swap(&result, &previousResult)
      region.move(to: accepted.region)
      labelComponents(PersonSegmenter.componentThreshold, matchesLast: false)
    }

    /// Whether the faces are where they were when the region was set.
    var facesRest: Bool {
      guard let now = region.enclosing(faces), let then = accepted.bodies else { return false }
      return now.iou(then) > 0.9
    }

    /// Sets the faces from normalized boxes; invalid and too small ones are left out.
    func setFaces(_ boxes: [Rectangle], minimumWidth: Double) {
      var largest = 0.0
      for box in boxes where box.isUsable { largest = max(largest, box.width) }
      faces.removeAll(keepingCapacity: true)
      for box in boxes where box.isUsable && box.width >= largest * minimumWidth {
        guard faces.count < Self.maximumFaces else { break }
        faces.append(box.scaled(x: Double(video.width), y: Double(video.height)))
      }
      guard !faces.isEmpty else { return }
      isCloseUp = faces.contains { $0.height > Self.closeUp * Double(video.height) }
    }

    /// Labels the components of the result; `matchesLast` recognizes those that were there before.
    func labelComponents(_ threshold: Float, matchesLast: Bool) {
      components.label(
        result, threshold: threshold, faces: faces, cellsPerPixel: 1 / Double(mask.step),
        previous: matchesLast ? mask.probability : nil)
    }

    /// The region of the people in the last result; nil for none.
    ///
    /// It is the whole frame for a close-up: in a crop around the head the network takes more of the
    /// background for a person. So it is for one whose face has turned away, while the head fills the
    /// frame.
    var desiredRegion: Rectangle? {
      let people = peopleBounds
      if isCloseUp, people?.height ?? 0 > 0.7 * region.frame.height { return region.frame }
      return region.fit(people: people, faces: faces)
    }

    /// The same, extended downwards, as far as `reach`, where the region cuts people off.
    func desiredRegion(reaching reach: Rectangle?) -> Rectangle? {
      guard !isCloseUp else { return desiredRegion }
      let people = peopleBounds.map {
        cutsPeopleOff ? PersonRegion.extend($0, reaching: reach) : $0
      }
      return region.fit(people: people, faces: faces)
    }

    /// The bounds of the people in the last result, in pixels; nil for none.
    var peopleBounds: Rectangle? {
      let back = Double(mask.step)
      return components.boundingBox(result, hasFaces: !faces.isEmpty)?.scaled(x: back, y: back)
    }

    /// Whether people with faces continue below the region.
    var cutsPeopleOff: Bool { !faces.isEmpty && cutsPeopleOff(region) }

    /// Whether people in the last result continue below the region.
    ///
    /// On the other sides they are inside it: it was made around their heads.
    func cutsPeopleOff(_ region: PersonRegion) -> Bool {
      guard region.endsInside else { return false }
      let (columns, rows) = mask.cells(of: region.box)
      guard columns.count > 2, rows.count > 2 else { return false }
      let row = result.row(rows.upperBound - 2)
      var count = 0
      for x in columns where row[x] > PersonComponents.personThreshold { count += 1 }
      return count * 12 > columns.count
    }

    /// Whether the centre of a face is neither in the region nor shown as a person's.
    var hasUnknownFace: Bool {
      let scale = 1 / Double(mask.step)
      return faces.contains { face in
        let center = face.center
        let isInFrame =
          (0..<region.frame.maxX).contains(center.x)
          && (0..<region.frame.maxY).contains(center.y)
        let isEnclosed =
          (region.box.x..<region.box.maxX).contains(center.x)
          && (region.box.y..<region.box.maxY).contains(center.y)
        guard isInFrame, !isEnclosed else { return false }
        let (x, y) = (Int(center.x * scale), Int(center.y * scale))
        return mask.probability.row(min(y, mask.rows - 1))[min(x, mask.columns - 1)]
          <= PersonComponents.personThreshold
      }
    }

    /// The motion that can change the mask, in cells: that of cells which do not surely show people.
    private var edgeMotion: Float {
      var sum: Float = 0
      for y in 0..<mask.rows {
        sum += TemporalMaskFilter.motion(mask.temporalWeight.row(y), mask.probability.row(y))
      }
      return sum / Float(mask.rows * mask.columns)
    }

    /// Upsamples the network's mask of a region to the grid; it is 0 outside the region.
    func upsample(_ network: PersonNetwork, _ region: Rectangle) {
      let step = Double(mask.step)
      network.withResult { probabilities in
        upsampler.upsample(
          probabilities, (network.width, network.height), into: result,
          Affine(
            a: step / region.width * Double(network.width), b: 0, c: 0,
            d: step / region.height * Double(network.height),
            tx: (step / 2 - region.x) / region.width * Double(network.width) - 0.5,
            ty: (step / 2 - region.y) / region.height * Double(network.height) - 0.5))
      }
    }

    private var isStill: Bool {
      (0..<mask.rows).allSatisfy { TemporalMaskFilter.isStill(mask.temporalWeight.row($0)) }
    }

    /// Whether nothing moves outside the region.
    private var isStillOutside: Bool {
      let (columns, rows) = mask.cells(of: region.box)
      return (0..<mask.rows).allSatisfy { y in
        let row = mask.temporalWeight.row(y)
        guard rows.contains(y) else { return TemporalMaskFilter.isStill(row) }
        return TemporalMaskFilter.isStill(row[..<columns.lowerBound])
          && TemporalMaskFilter.isStill(row[columns.upperBound...])
      }
    }

    /// Restores the region's own result, which is in `previousResult`.
    ///
    /// Components outside that touch the region are removed: people who continue there are within
    /// the region's padding, and anything else is an object beside them.
    func merge(_ region: Rectangle, over threshold: Float) {
      let (columns, rows) = mask.cells(of: region)
      for y in rows { result.row(y)[columns].fill(0) }
      let around = Rectangle(
        x: Double(columns.lowerBound - 1), y: Double(rows.lowerBound - 1),
        width: Double(columns.count + 2), height: Double(rows.count + 2))
      components.remove(from: result, touching: around, threshold: threshold)
      for y in rows { result.row(y)[columns].copy(previousResult.row(y)[columns]) }
    }
  }
}

extension Rectangle {
  /// Whether a box from metadata is valid.
  fileprivate var isUsable: Bool {
    abs(x) < 16 && abs(y) < 16 && width > 0 && width < 16 && height > 0 && height < 16
  }
}
