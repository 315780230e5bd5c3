import Pixels

/// The region of the picture in which people are segmented, in pixels.
///
/// It follows them, and stays while it fits.
///
/// The network was trained on people who fill the picture; given the region alone it also segments
/// small ones. A region that moved with every frame would make the mask flicker.
struct PersonRegion {
  /// The fraction of the region by which people may leave it, and the relative size below which it
  /// shrinks.
  private static let slack = 0.04
  private static let smallest = 0.8
  /// The padding on each side of people, and the range of aspect ratios.
  private static let margin = 0.08
  private static let aspects = 0.8...1.25

  let frame: Rectangle
  private let pixelAspect: Double
  private(set) var box: Rectangle

  /// A region of the whole frame.
  init(_ video: VideoFormat) {
    frame = Rectangle(x: 0, y: 0, width: Double(video.width), height: Double(video.height))
    pixelAspect = video.pixelAspect
    box = frame
  }

  /// Whether the region is most of the frame.
  var isWhole: Bool { box.area > 0.9 * frame.area }

  mutating func coverFrame() { box = frame }

  /// Sets the region to the bodies below these faces, in pixels; keeps it without faces.
  mutating func enclose(_ faces: [Rectangle]) { box = enclosing(faces) ?? box }

  /// The region of the bodies below these faces; nil without faces.
  func enclosing(_ faces: [Rectangle]) -> Rectangle? {
    var region: Rectangle?
    for face in faces {
      region = Self.union(
        region, Self.expanded(face, sides: 1.2, above: 1, below: 3.5))
    }
    return region.map { constrained($0) }
  }

  /// Where the person with a face can be, standing with the arms spread a little.
  static func reach(of face: Rectangle) -> Rectangle {
    expanded(face, sides: 2, above: 1.2, below: 9)
  }

  /// The side of a face in the network's samples, if the network is given `box`.
  func samples(of face: Rectangle, in box: Rectangle) -> Double {
    let size = PersonSegmenter.Network(for: box, pixelAspect: pixelAspect).size
    return (Double(size.width * size.height) * face.area / box.area).squareRoot()
  }

  /// The region of `people` and the heads of `faces`; nil for the whole frame.
  func fit(people: Rectangle?, faces: [Rectangle]) -> Rectangle? {
    extent(people: people, faces: faces).map { constrained($0) }
  }

  /// What a region of `people` and the heads of `faces` has to show; nil for the whole frame.
  func extent(people: Rectangle?, faces: [Rectangle]) -> Rectangle? {
    var region = people
    for face in faces {
      region = Self.union(
        region, Self.expanded(face, sides: 0.35, above: 0.6, below: 0.8))
    }
    return region.map { Self.expanded($0, Self.margin) }
  }

  /// Sets the region.
  mutating func move(to region: Rectangle?) { box = region ?? frame }

  /// Sets the region to show an extent; nil for the whole frame.
  mutating func show(_ extent: Rectangle?) { move(to: extent.map { constrained($0) }) }

  /// Whether the region ends above the frame's lower edge.
  var endsInside: Bool { box.maxY < frame.maxY - 1 }

  /// Extends a box of people downwards where the region cuts them off: to the lower of `reach` and
  /// half of its height.
  static func extend(_ box: Rectangle, reaching reach: Rectangle?) -> Rectangle {
    let bottom = max(box.maxY + box.height * 0.5, reach?.maxY ?? box.maxY)
    return Rectangle(x: box.x, y: box.y, width: box.width, height: bottom - box.y)
  }

  /// Sets the region if people have left the current one, or become much smaller than it; returns
  /// whether it has changed.
  @discardableResult
  mutating func update(_ region: Rectangle?) -> Bool {
    guard let region else {
      box = frame
      return false
    }
    let moves = leaves(region) || isMuchSmaller(region)
    if moves { box = region }
    return moves
  }

  /// The same for an extent, which a region shows more of where its aspect ratio asks for it; the
  /// region becomes smaller only where it `shrinks`.
  mutating func update(extent: Rectangle?, shrinks: Bool) -> Bool {
    guard let extent else { return false }
    let region = constrained(extent)
    let moves = leaves(extent.intersection(frame)) || (shrinks && isMuchSmaller(region))
    if moves { box = region }
    return moves
  }

  private func leaves(_ region: Rectangle) -> Bool {
    let (dx, dy) = (box.width * Self.slack, box.height * Self.slack)
    return region.x < box.x - dx || region.y < box.y - dy
      || region.maxX > box.maxX + dx
      || region.maxY > box.maxY + dy
  }

  private func isMuchSmaller(_ region: Rectangle) -> Bool {
    region.width < box.width * Self.smallest || region.height < box.height * Self.smallest
  }

  /// The region clipped to the frame and extended to a valid size and aspect ratio.
  private func constrained(_ region: Rectangle) -> Rectangle {
    let cut = region.intersection(frame)
    let minimumSide = 16.0
    var width = max(cut.width, min(minimumSide, frame.width))
    var height = max(cut.height, min(minimumSide, frame.height))
    let aspect = width * pixelAspect / height
    if aspect < Self.aspects.lowerBound {
      width = min(height * Self.aspects.lowerBound / pixelAspect, frame.width)
    } else if aspect > Self.aspects.upperBound {
      height = min(width * pixelAspect / Self.aspects.upperBound, frame.height)
    }
    let center = cut.center
    return Rectangle(
      x: min(max(center.x - width / 2, 0), frame.width - width),
      y: min(max(center.y - height / 2, 0), frame.height - height), width: width, height: height)
  }

  static func union(_ a: Rectangle?, _ b: Rectangle) -> Rectangle {
    guard let a else { return b }
    return Rectangle(
      from: Point(x: min(a.x, b.x), y: min(a.y, b.y)),
      to: Point(x: max(a.maxX, b.maxX), y: max(a.maxY, b.maxY)))
  }

  static func expanded(_ box: Rectangle, _ fraction: Double) -> Rectangle {
    let (dx, dy) = (box.width * fraction, box.height * fraction)
    return Rectangle(
      x: box.x - dx, y: box.y - dy, width: box.width + 2 * dx, height: box.height + 2 * dy)
  }

  /// Expands a box by multiples of its width and height.
  private static func expanded(
    _ box: Rectangle, sides: Double, above: Double, below: Double
  ) -> Rectangle {
    Rectangle(
      x: box.x - sides * box.width, y: box.y - above * box.height,
      width: box.width * (1 + 2 * sides), height: box.height * (1 + above + below))
  }
}
