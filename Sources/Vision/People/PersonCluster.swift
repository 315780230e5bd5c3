import Pixels

/// People who share a region, and the network's mask of them.
final class PersonCluster {
  /// The frames for which a region stays before it may become smaller.
  private static let framesBeforeShrinking = 30

  var region: PersonRegion
  /// The boxes of the faces, in pixels, and whether this frame has them; else they have turned away.
  private(set) var faces: [Rectangle]
  private var isSeen: [Bool]
  let scratch = RegionScratch()
  /// The mask of the last run, on the cells of the frame; 0 outside `columns` and `rows`.
  let mask: Grid<Float>
  private(set) var columns = 0..<0
  private(set) var rows = 0..<0
  /// The mean centre of the faces in the last run's frame, in pixels.
  private var centerOfRun: Point?
  private var schedule = RunSchedule()
  private(set) var framesSinceRun = 0
  private var framesSinceMove = 0
  /// Whether the network should run on the region.
  private(set) var isWaiting = true
  /// Whether the region has not been found yet.
  private(set) var isNew = true

  /// A cluster of faces, in pixels, with the part of `result` in its region.
  init(
    _ faces: [Rectangle], _ region: PersonRegion, _ mask: PersonMask, _ result: Grid<Float>
  ) {
    self.region = region
    self.faces = faces
    isSeen = Array(repeating: true, count: faces.count)
    self.mask = Grid(width: mask.columns, height: mask.rows, of: 0)
    self.region.enclose(faces)
    (columns, rows) = mask.cells(of: self.region.box)
    for y in rows { self.mask.row(y)[columns].copy(result.row(y)[columns]) }
  }

  /// Whether it shows nobody.
  var isEmpty: Bool {
    guard !hasSeenFaces else { return false }
    return rows.allSatisfy { y in
      let row = mask.row(y)
      return columns.allSatisfy { row[$0] <= PersonComponents.personThreshold }
    }
  }

  var hasSeenFaces: Bool { isSeen.contains(true) }

  /// Sets the box of a face in this frame; nil where it is not seen.
  func setFace(_ index: Int, _ box: Rectangle?) {
    // The mean of other faces would not tell how far they have moved.
    if isSeen[index] != (box != nil) { centerOfRun = nil }
    isSeen[index] = box != nil
    if let box { faces[index] = box }
  }

  /// Whether the mask shows a person at a position, in pixels.
  func shows(_ position: Point, _ cells: PersonMask) -> Bool {
    let position = position - displacement
    let (x, y) = (position.x / Double(cells.step), position.y / Double(cells.step))
    guard abs(x) < 1e6, abs(y) < 1e6, columns.contains(Int(x)), rows.contains(Int(y)) else {
      return false
    }
    return mask.row(Int(y))[Int(x)] > PersonComponents.personThreshold
  }

  /// Removes the faces that are not seen any more, where the mask shows nobody.
  func removeLostFaces(_ cells: PersonMask) {
    for index in faces.indices.reversed()
    where !isSeen[index] && !shows(faces[index].center, cells) {
      faces.remove(at: index)
      isSeen.remove(at: index)
    }
  }

  /// Adds a frame's motion in the region, 0...1; decides whether a run is due.
  func advance(motion: Float, skipsStillFrames: Bool) {
    framesSinceRun += 1
    framesSinceMove += 1
    schedule.add(motion)
    if schedule.isDue(after: framesSinceRun) || !skipsStillFrames { isWaiting = true }
  }

  /// Takes the mask of a run from the cells of the region.
  func store(_ result: Grid<Float>, _ columns: Range<Int>, _ rows: Range<Int>) {
    for y in self.rows { mask.row(y)[self.columns].fill(0) }
    (self.columns, self.rows) = (columns, rows)
    for y in rows { mask.row(y)[columns].copy(result.row(y)[columns]) }
    (framesSinceRun, isWaiting, isNew, centerOfRun) = (0, false, false, center)
  }

  /// Sets the region for the next run, which has to show `extent`.
  ///
  /// It shrinks only after a while: in a tighter region the network may see more of the people again.
  func follow(_ extent: Rectangle?) {
    let shrinks = framesSinceMove >= Self.framesBeforeShrinking
    guard region.update(extent: extent, shrinks: shrinks) else { return }
    schedule.settle()
    framesSinceMove = 0
  }

  /// How far the faces have moved since the last run, in pixels.
  var displacement: Point {
    guard let centerOfRun, let center else { return Point(x: 0, y: 0) }
    return center - centerOfRun
  }

  private var center: Point? {
    var (sum, count) = (Point(x: 0, y: 0), 0.0)
    for (face, isSeen) in zip(faces, isSeen) where isSeen {
      sum = sum + face.center
      count += 1
    }
    return count > 0 ? sum * (1 / count) : nil
  }
}
