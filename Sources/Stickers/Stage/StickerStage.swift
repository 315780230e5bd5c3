package import Faces
import Pixels

/// One sticker to be drawn into a frame.
package struct StickerDraw: Sendable, Equatable {
  /// Position of the item in the pack, and of its frame.
  package var item, frame: Int
  package var placement: StickerPlacement
}

/// Decides, frame by frame, which stickers of a pack are seen, where, and at which picture.
///
/// Follows faces by their ids: a face that is missing for under 0.3 s keeps its stickers where
/// they were, one that stays away loses them. Times are running times in nanoseconds; when they
/// jump back everything starts anew. One stage serves one stream. Once there have been as many
/// faces at a time as there ever are, advancing allocates nothing.
package final class StickerStage {
  /// How long a face may be missing before it counts as gone.
  package static let patience: Int64 = 300_000_000
  /// Most faces that wear stickers at a time.
  package static let maximumFaces = 64
  /// How many times over a frame is painted at most; what would come after that is left out.
  package static let maximumCover = 16.0

  /// What a face wears.
  private struct Wearer {
    var lastSeen: Int64 = 0
    var mood = StickerMood()
    var area = 0.0
    /// For each item the animation and where it was last seen.
    var runs: [StickerRun]
    var placements: [StickerPlacement?]
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
  private var wearers: PerFace<Wearer>
  private var screenRuns: [StickerRun]
  private var lastTime: Int64?

  /// A timeline for each item, in their order.
  package init(items: [StickerItem], timelines: [StickerTimeline]) {
    precondition(items.count == timelines.count)
    (self.items, self.timelines) = (items, timelines)
    order = items.indices.sorted { (items[$0].z, $0) < (items[$1].z, $1) }
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
    wearers.keep { $0.isSeen || time &- $0.state.lastSeen < Self.patience }
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
        draw(index, picture, wearers[wearer].state.placements[index], frame)
      }
    }
  }

  private func draw(
    _ item: Int, _ picture: Int?, _ placement: StickerPlacement?,
    _ frame: (width: Int, height: Int)
  ) {
    guard let picture, let placement else { return }
    painted += placement.area(width: frame.width, height: frame.height)
    isOverfull = isOverfull || painted > Self.maximumCover * Double(frame.width * frame.height)
    guard !isOverfull else { return }
    draws.append(StickerDraw(item: item, frame: picture, placement: placement))
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
    wearers[index].isSeen = true
    wearers[index].state.lastSeen = time
    wearers[index].state.area = face.box.area.isFinite ? face.box.area : 0
    wearers[index].state.mood.update(face, frame, seconds: seconds)
    for item in items.indices {
      wearers[index].state.placements[item] = frame.flatMap {
        StickerPlacement.onFace(items[item], $0, adjustment)
      }
    }
  }

  /// The place of a new face that does nothing yet.
  private func add(_ key: UInt64) -> Int? {
    guard let index = wearers.add(key) else { return nil }
    wearers[index].state.mood = StickerMood()
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
