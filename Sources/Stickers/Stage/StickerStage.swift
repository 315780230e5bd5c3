package import Faces
package import Pixels

/// Decides, frame by frame, which stickers of a pack are seen, where, and at which picture.
///
/// Follows faces by their ids: the stickers of a face that is missing go on as it went and fade, and
/// after 0.3 s they begin anew. One that was hardly there, or beside which another one is, takes its
/// stickers along at once: a hat in the air is worse than none. Times are running times in nanoseconds; when they
/// jump back everything starts anew. One stage serves one stream. Once there have been as many
/// faces at a time as there ever are, advancing allocates nothing.
package final class StickerStage {
  /// How long a face may be missing before it counts as gone.
  package static let patience: Int64 = 300_000_000
  /// How long its stickers take to fade.
  package static let fading: Int64 = 150_000_000
  /// Frames in which a face must have been there for its stickers to stay behind it.
  package static let established = 5
  /// Most faces that wear stickers at a time.
  package static let maximumFaces = 64
  /// How many times over a frame is painted at most; what would come after that is left out.
  package static let maximumCover = 16.0

  /// What a face wears.
  private struct Wearer {
    var lastSeen: Int64 = 0
    var mood = StickerMood()
    var area = 0.0
    /// The face's box in pixels, and how it moves in a second.
    var place = Rectangle.zero
    var velocity = Point.zero
    /// Frames in which it was sure to be a face.
    var sightings = 0
    /// Whether its stickers stay for a while, now that it is not there.
    var isHeld = false
    /// For each item the animation and where it was last seen.
    var runs: [StickerRun]
    var placements: [StickerPlacement?]
    /// The points of its mesh, in pixels, where the pack has use for them.
    var skin: [Point3] = []
    /// How its head stands.
    var head: StickerHead?
  }

  /// What is to be drawn at the time last advanced to, in order.
  package private(set) var draws: [StickerDraw] = []
  /// Whether there was more to be drawn at that time than a frame is painted with.
  package private(set) var isOverfull = false
  private var painted = 0.0
  private var items: [StickerItem]
  private let timelines: [StickerTimeline]
  /// Items in the order they are drawn.
  private let order: [Int]
  /// Whether anything lies on the skin or stands in the head's space.
  private let hasSurfaces: Bool
  private var wearers: PerFace<Wearer>
  private var screenRuns: [StickerRun]
  private var lastTime: Int64?
  /// Whether whoever finds the faces measures their meshes.
  private var hasMeshes = false

  /// A timeline for each item, in their order.
  package init(items: [StickerItem], timelines: [StickerTimeline]) {
    precondition(items.count == timelines.count)
    (self.items, self.timelines) = (items, timelines)
    order = items.indices.sorted { (items[$0].z, $0) < (items[$1].z, $1) }
    hasSurfaces = items.contains { $0.isInSpace }
    let count = items.count
    screenRuns = Array(repeating: StickerRun(), count: count)
    wearers = PerFace(most: Self.maximumFaces) {
      Wearer(
        runs: Array(repeating: StickerRun(), count: count),
        placements: Array(repeating: nil, count: count))
    }
  }

  /// Decides what is to be drawn at `time` on a frame of this size that holds `faces`: `draws`; with
  /// `largestOnly` only the face with the largest box wears stickers, but screen items heed all.
  package func advance(
    to time: Int64, faces: [Face], width: Int, height: Int,
    _ adjustment: StickerPlacement.Adjustment, largestOnly: Bool = false
  ) {
    var elapsed: Int64 = 0
    if let last = lastTime {
      if time < last { reset() }
      let (gap, overflows) = time.subtractingReportingOverflow(last)
      elapsed = overflows ? 0 : max(gap, 0)
    }
    lastTime = time
    wearers.beginFrame()
    for (index, face) in faces.enumerated() {
      see(face, index, time, Double(elapsed) / 1e9, width, height, adjustment)
    }
    for index in wearers.indices where !wearers[index].isSeen {
      wearers[index].state.isHeld = isHeld(wearers[index].state, at: time)
    }
    wearers.keep { $0.isSeen || $0.state.isHeld }
    let largest = largestOnly ? self.largest : nil
    draws.removeAll(keepingCapacity: true)
    (painted, isOverfull) = (0, false)
    let frame = (width: width, height: height)
    for index in order {
      let (item, timeline) = (items[index], timelines[index])
      guard item.isOnFace else {
        let picture = screenRuns[index].advance(
          time, holds: screenHolds(item.trigger), item: item, timeline: timeline)
        let placement = StickerPlacement.onScreen(item, width: width, height: height, adjustment)
        draw(index, picture, placement, frame)
        continue
      }
      for wearer in wearers.indices {
        let picture = wearers[wearer].state.runs[index].advance(
          time, holds: wearers[wearer].state.mood.holds(item.trigger), item: item,
          timeline: timeline)
        guard largest == nil || largest == wearer else { continue }
        let offset = offset(wearer, time)
        draw(
          index, picture, wearers[wearer].state.placements[index]?.moved(by: offset),
          frame, alpha: alpha(wearer, time), on: item.isInSpace ? (wearer, offset) : nil)
      }
    }
    if hasSurfaces { sortBoards() }
  }

  /// Puts boards of one head that are next to each other in order, the farthest first.
  private func sortBoards() {
    for end in draws.indices {
      var index = end
      while index > 0, isBehind(draws[index], draws[index - 1]) {
        draws.swapAt(index, index - 1)
        index -= 1
      }
    }
  }

  private func isBehind(_ draw: StickerDraw, _ other: StickerDraw) -> Bool {
    guard let board = draw.placement.board, let before = other.placement.board,
      draw.wearer == other.wearer, items[draw.item].z == items[other.item].z
    else { return false }
    return board.depth > before.depth
  }

  /// Whether the stickers of a face that is not there any more stay.
  private func isHeld(_ wearer: Wearer, at time: Int64) -> Bool {
    guard time &- wearer.lastSeen < Self.patience, wearer.sightings >= Self.established else {
      return false
    }
    return !wearers.contains { other in
      other.isSeen
        && (other.state.place.center - wearer.place.center).length
          < max(other.state.place.width, wearer.place.width)
    }
  }

  /// How far a face that is not there has gone since it was.
  private func offset(_ wearer: Int, _ time: Int64) -> Point {
    guard !wearers[wearer].isSeen else { return .zero }
    let seconds = Double(min(time &- wearers[wearer].state.lastSeen, Self.fading)) / 1e9
    return wearers[wearer].state.velocity * seconds
  }

  private func alpha(_ wearer: Int, _ time: Int64) -> Double {
    guard !wearers[wearer].isSeen else { return 1 }
    return 1 - Double(time &- wearers[wearer].state.lastSeen) / Double(Self.fading)
  }

  private func draw(
    _ item: Int, _ picture: Int?, _ placement: StickerPlacement?,
    _ frame: (width: Int, height: Int), alpha: Double = 1, on skin: (Int, Point)? = nil
  ) {
    guard let picture, let placement, alpha * placement.opacity > 0 else { return }
    painted += placement.area(width: frame.width, height: frame.height)
    isOverfull = isOverfull || painted > Self.maximumCover * Double(frame.width * frame.height)
    guard !isOverfull else { return }
    draws.append(
      StickerDraw(
        item: item, frame: picture, placement: placement, alpha: alpha * placement.opacity,
        wearer: skin?.0, offset: skin?.1 ?? .zero))
  }

  /// How the head stands that a draw belongs to; until the next advance.
  package func head(of draw: StickerDraw) -> StickerHead? {
    guard let wearer = draw.wearer, wearers.indices.contains(wearer) else { return nil }
    return wearers[wearer].state.head
  }

  /// The points of the mesh that a draw lies on, in pixels of the frame; until the next advance.
  package func skin(of draw: StickerDraw) -> [Point3] {
    guard let wearer = draw.wearer, wearers.indices.contains(wearer) else { return [] }
    return wearers[wearer].state.skin
  }

  /// Changes where item `index` sits and how it is drawn; its animation goes on where it is.
  ///
  /// The order in which items are drawn stays. An item that leaves the screen goes on as it was
  /// there on all faces, and one that leaves faces as on the first of them.
  package func replace(_ index: Int, by item: StickerItem) {
    switch (items[index].isOnFace, item.isOnFace) {
    case (true, false):
      if let first = wearers.first { screenRuns[index] = first.state.runs[index] }
    case (false, true):
      for wearer in wearers.indices { wearers[wearer].state.runs[index] = screenRuns[index] }
    case (true, true), (false, false): break
    }
    items[index] = item
  }

  /// Forgets all faces and starts all animations anew, as after a flush.
  package func reset() {
    wearers.removeAll()
    for item in screenRuns.indices { screenRuns[item].stop() }
    lastTime = nil
  }

  private func see(
    _ face: Face, _ position: Int, _ time: Int64, _ seconds: Double, _ width: Int, _ height: Int,
    _ adjustment: StickerPlacement.Adjustment
  ) {
    // Faces that nobody tracks are told apart by their place in the list.
    let key = face.id != 0 ? UInt64(face.id) : UInt64(position) | 1 << 32
    guard let index = wearers.lastIndex(where: { $0.key == key }) ?? add(key) else { return }
    let frame = HeadFrame(face, width: width, height: height)
    follow(face, index, time, width, height)
    if hasSurfaces { keepSkin(of: frame, index) }
    wearers[index].isSeen = true
    wearers[index].state.lastSeen = time
    wearers[index].state.area = face.box.area.isFinite ? face.box.area : 0
    wearers[index].state.mood.update(face, frame, seconds: seconds)
    for item in items.indices {
      wearers[index].state.placements[item] = frame.flatMap {
        StickerPlacement.onFace(items[item], $0, adjustment)
      }
      let keep = items[item].keep
      let middle = wearers[index].state.place.center
      guard keep > 0, (0...Double(width)).contains(middle.x),
        (0...Double(height)).contains(middle.y)
      else { continue }
      wearers[index].state.placements[item] = wearers[index].state.placements[item]?
        .kept(keep, width: width, height: height)
    }
  }

  /// Copies the mesh of a face, whose own memory belongs to whoever found it.
  private func keepSkin(of frame: HeadFrame?, _ index: Int) {
    wearers[index].state.head = frame.map { StickerHead($0) }
    guard let mesh = frame?.mesh else {
      // What it was would not fit where the face is now.
      for point in wearers[index].state.skin.indices { wearers[index].state.skin[point].x = .nan }
      return
    }
    if wearers[index].state.skin.isEmpty {
      wearers[index].state.skin = Array(repeating: .zero, count: Face.landmarkCount)
    }
    for point in 0..<Face.landmarkCount { wearers[index].state.skin[point] = mesh[point] }
  }

  /// Learns where a face goes, and how sure it is that it is one: by its mesh, where faces have one.
  private func follow(_ face: Face, _ index: Int, _ time: Int64, _ width: Int, _ height: Int) {
    let place = face.box.scaled(x: Double(width), y: Double(height))
    guard place.width.isFinite, place.height.isFinite, place.x.isFinite, place.y.isFinite else {
      return
    }
    let known = wearers[index].state
    // Since it was seen last, which may be some frames ago.
    let seconds = Double(time &- known.lastSeen) / 1e9
    if known.sightings > 0, seconds > 0, seconds < 0.2 {
      let step = (place.center - known.place.center) * (1 / seconds)
      // As the tracker's own: quick enough for a turn, slow enough for noise.
      wearers[index].state.velocity =
        known.velocity + (step - known.velocity) * (seconds / (seconds + 0.15))
    }
    wearers[index].state.place = place
    hasMeshes = hasMeshes || !face.landmarks.isEmpty
    if !hasMeshes || !face.landmarks.isEmpty { wearers[index].state.sightings &+= 1 }
  }

  /// The place of a new face that does nothing yet.
  private func add(_ key: UInt64) -> Int? {
    guard let index = wearers.add(key) else { return nil }
    wearers[index].state.mood = StickerMood()
    wearers[index].state.velocity = .zero
    wearers[index].state.sightings = 0
    for item in items.indices { wearers[index].state.runs[item].stop() }
    return index
  }

  /// The face with the largest box, the first of several.
  private var largest: Int? {
    wearers.indices.max { wearers[$0].state.area < wearers[$1].state.area }
  }

  /// Whether a trigger holds for the screen: for any face, or for none.
  private func screenHolds(_ trigger: StickerTrigger) -> Bool {
    switch trigger {
    case .always: true
    case .noFace: wearers.isEmpty
    default: wearers.contains { $0.state.mood.holds(trigger) }
    }
  }
}
