import Inference
import Pixels

/// Finds the heads of people whose face no detector sees, as in profile, in the mask of people.
///
/// The network is MediaPipe's selfie segmentation of 256 x 256 samples, on the whole picture. One
/// thread at a time may use it.
final class HeadFinder {
  /// A head in pixels of the upright picture, and the mean probability of its person.
  struct Head: Equatable {
    var id: UInt32 = 0
    var box: Rectangle
    var probability: Double
  }

  private static let side = 256
  /// Pictures between two runs while faces are known.
  private static let interval = 5
  /// The height of a head by its mean width, and the width of a neck by that of the head above it and
  /// of the shoulders below it.
  private static let aspect = 1.5, neckWidth = 0.8
  /// Rows that are narrower than this fraction of the widest one show an arm or a hat's tip.
  private static let narrow = 0.2
  /// The least area of a person, as a fraction of the picture; and the least height of a head beside
  /// known faces, where small people stand behind others.
  private static let minimum = (area: 0.02, height: 0.3)
  /// The least mean probability of a person; one who had a face or a head in the last picture is known.
  ///
  /// A cup and a curtain reach 0.89, people 0.97 to 0.99.
  private static let probable = (any: 0.92, known: 0.7)

  private let network: RegionNetwork
  private let mask = Grid<Float>(width: side, height: side, of: 0)
  private let components = PersonComponents()
  /// The faces of the last picture.
  private var faces: [Rectangle] = []
  /// The heads of the last run, and the pictures since then.
  private var heads: [Head] = []
  private var age = interval

  /// Wraps the network; throws unless its tensors are this model's.
  init(_ graph: Graph) throws(ModelError) {
    network = try RegionNetwork(
      graph, side: Self.side, range: 0...1, outputs: [[1, Self.side, Self.side, 1]])
  }

  /// Drops all heads, as after a cut; the next picture is searched.
  func reset() {
    age = Self.interval
    heads.removeAll(keepingCapacity: true)
    faces.removeAll(keepingCapacity: true)
  }

  /// The heads in a picture in which `faces` are known, in pixels of the upright picture; those of the
  /// last run where that is recent.
  ///
  /// `newID` makes ids; a head keeps its own while it overlaps itself.
  func heads(
    in picture: borrowing Picture, _ view: UprightView, faces: [Rectangle], gain: Float,
    newID: () -> UInt32
  ) throws(ModelError) -> [Head] {
    age += 1
    if !faces.isEmpty {
      self.faces = faces
      heads.removeAll { head in faces.contains { $0.intersection(head.box).area > 0 } }
      if age < Self.interval { return heads }
    }
    age = 0
    let frame = view.frame
    let step = Point(x: frame.width / Double(Self.side), y: frame.height / Double(Self.side))
    try network.run(
      on: picture, view.orientation,
      Affine(a: step.x, b: 0, c: 0, d: step.y, tx: step.x / 2 - 0.5, ty: step.y / 2 - 0.5),
      border: .replicate, gain: gain)
    network.withOutput(0) { values in
      for y in 0..<Self.side {
        let row = mask.row(y)
        for x in 0..<Self.side { row[x] = values[y * Self.side + x] }
      }
    }
    let found = findHeads(faces.map { $0.scaled(x: 1 / step.x, y: 1 / step.y) }, step)
    var last = heads
    heads = found.filter { isHead($0, beside: faces, height: frame.height) }.map { head in
      var head = head
      let known = last.firstIndex { $0.box.iou(head.box) > 0.2 }
      head.id = known.map { last.remove(at: $0).id } ?? newID()
      return head
    }
    self.faces = faces
    return heads
  }

  /// Whether a person is so probable that their head counts.
  private func isHead(_ head: Head, beside faces: [Rectangle], height: Double) -> Bool {
    guard faces.isEmpty else {
      return head.probability > Self.probable.any
        && head.box.height > Self.minimum.height * height
    }
    let isKnown =
      self.faces.contains { $0.intersection(head.box).area > 0.3 * $0.area }
      || heads.contains { $0.box.iou(head.box) > 0.2 }
    return head.probability > (isKnown ? Self.probable.known : Self.probable.any)
  }

  /// The heads of the people in the mask who have none of the `faces`, which are in cells.
  private func findHeads(_ faces: [Rectangle], _ step: Point) -> [Head] {
    components.label(
      mask, threshold: PersonComponents.personThreshold, faces: faces, cellsPerPixel: 1,
      previous: nil)
    return components.likelyPeople(mask).compactMap { person in
      guard !person.hasFace,
        Double(person.area) > Self.minimum.area * Double(Self.side * Self.side)
      else { return nil }
      return Head(
        box: head(of: person.box, cellAspect: step.y / step.x).scaled(x: step.x, y: step.y),
        probability: person.probability)
    }
  }

  /// The head of the person in a box of cells: the rows above the neck, or those that are together as
  /// high as a head is for its width; all of them where the head fills the picture.
  ///
  /// It is a fifth higher, since a collar or a scarf may cover the neck and the chin.
  private func head(of box: Rectangle, cellAspect: Double) -> Rectangle {
    let columns = Int(box.x)..<Int(box.maxX)
    let rows = (Int(box.y)..<Int(box.maxY)).map { extent(mask.row($0), columns) }
    let widest = rows.reduce(0) { max($0, $1.count) }
    let top = rows.firstIndex { Double($0.count) > Self.narrow * Double(widest) } ?? 0
    let neck = Self.neck(rows, from: top, cellAspect: cellAspect) ?? rows.count
    let head = rows[top..<neck]
    let (left, right) = head.reduce((columns.upperBound, columns.lowerBound)) {
      (min($0.0, $1.lowerBound), max($0.1, $1.upperBound))
    }
    return Rectangle(
      x: Double(left), y: box.y + Double(top), width: Double(right - left),
      height: Double(min(rows.count - top, head.count * 6 / 5)))
  }

  /// The row at which the head that begins in row `top` ends; nil where no body is below it.
  private static func neck(_ rows: [Range<Int>], from top: Int, cellAspect: Double) -> Int? {
    var (sum, widest) = (0, 0)
    var narrowest = (row: top, width: Int.max)
    for (row, width) in rows.enumerated().dropFirst(top).map({ ($0, $1.count) }) {
      if width >= widest { (widest, narrowest) = (width, (row, width)) }
      if width < narrowest.width { narrowest = (row, width) }
      // Shoulders are wider than the neck, which is narrower than the head.
      if Double(narrowest.width) < neckWidth * Double(widest),
        Double(narrowest.width) < neckWidth * Double(width)
      {
        // A head is higher than wide; above that the face is narrower than the hair.
        return min(rows.count, max(narrowest.row + 1, top + Int(Double(widest) / cellAspect)))
      }
      sum += width
      let height = row - top + 1
      if height > 3, cellAspect * Double(height * height) >= aspect * Double(sum) {
        return row + 1
      }
    }
    return nil
  }

  /// From the first to the last cell with a person.
  private func extent(_ row: Row<Float>, _ columns: Range<Int>) -> Range<Int> {
    let isPerson = { (x: Int) in row[x] > PersonComponents.personThreshold }
    guard let first = columns.first(where: isPerson), let last = columns.last(where: isPerson)
    else { return columns.lowerBound..<columns.lowerBound }
    return first..<last + 1
  }
}
