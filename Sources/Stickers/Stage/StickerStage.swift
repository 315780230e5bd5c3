package import Faces
import Pixels

/// One sprite to be drawn into a frame.
package struct StickerDraw: Sendable, Equatable {
  /// Position of the item in the pack, and of its frame.
  package var item: Int
  package var frame: Int
  package var placement: StickerPlacement
}

/// Decides, frame by frame, which stickers of a pack are seen, where, and at which picture.
///
/// Follows faces by their ids: a face that is missing for under 0.3 s keeps its stickers where
/// they were, one that stays away loses them. Times are running times in nanoseconds; when they
/// jump back everything starts anew. One stage serves one stream. Once every face has been
/// seen, advancing allocates nothing.
package final class StickerStage {
  /// How long a face may be missing before it counts as gone.
  package static let patience: Int64 = 300_000_000
  /// Most faces that wear stickers at a time.
  package static let maximumFaces = 64

  /// A face that wears stickers.
  private struct Wearer {
    var key: UInt64
    var lastSeen: Int64
    var isSeen: Bool
    var mood: StickerMood
    var area: Double
  }

  private var items: [StickerItem]
  private let timelines: [StickerTimeline]
  /// Items in the order they are drawn.
  private let order: [Int]
  private var wearers: [Wearer] = []
  /// For each wearer and item the animation and where it was last seen.
  private var runs: [StickerRun]
  private var placements: [StickerPlacement?]
  private var screenRuns: [StickerRun]
  private var lastTime: Int64?
  private var result: [StickerDraw] = []

  /// A timeline for each item, in their order.
  package init(items: [StickerItem], timelines: [StickerTimeline]) {
    precondition(items.count == timelines.count)
    self.items = items
    self.timelines = timelines
    order = items.indices.sorted { (items[$0].z, $0) < (items[$1].z, $1) }
    let slots = Self.maximumFaces * items.count
    runs = Array(repeating: StickerRun(), count: slots)
    placements = Array(repeating: nil, count: slots)
    screenRuns = Array(repeating: StickerRun(), count: items.count)
    wearers.reserveCapacity(Self.maximumFaces)
    result.reserveCapacity(slots + items.count)
  }

  /// What is to be drawn at `time`, in order, on a frame of this size that holds `faces`.
  ///
  /// With `largestOnly` only the face with the largest box wears stickers; screen items heed
  /// all faces still.
  package func advance(
    to time: Int64, faces: [Face], width: Int, height: Int,
    _ adjustment: StickerPlacement.Adjustment, largestOnly: Bool = false
  ) -> [StickerDraw] {
    var elapsed: Int64 = 0
    if let last = lastTime {
      if time < last { reset() }
      let (gap, overflows) = time.subtractingReportingOverflow(last)
      elapsed = overflows ? 0 : max(gap, 0)
    }
    lastTime = time
    for index in wearers.indices { wearers[index].isSeen = false }
    for (index, face) in faces.enumerated() {
      see(face, index, time, Double(elapsed) / 1e9, width, height, adjustment)
    }
    forget(time)
    result.removeAll(keepingCapacity: true)
    var chosen = -1
    if largestOnly {
      for index in wearers.indices
      where chosen < 0 || wearers[index].area > wearers[chosen].area { chosen = index }
    }
    for item in order {
      if items[item].isOnFace {
        for wearer in wearers.indices {
          let slot = wearer * items.count + item
          let frame = runs[slot].advance(
            time, holds: wearers[wearer].mood.holds(items[item].trigger), item: items[item],
            timeline: timelines[item])
          guard let frame, let placement = placements[slot], chosen < 0 || chosen == wearer else {
            continue
          }
          result.append(StickerDraw(item: item, frame: frame, placement: placement))
        }
      } else {
        let frame = screenRuns[item].advance(
          time, holds: screenHolds(items[item].trigger), item: items[item],
          timeline: timelines[item])
        guard let frame,
          let placement = StickerPlacement.onScreen(
            items[item], width: width, height: height, adjustment)
        else { continue }
        result.append(StickerDraw(item: item, frame: frame, placement: placement))
      }
    }
    return result
  }

  /// Changes where item `index` sits and how it is drawn; its animation goes on where it is.
  ///
  /// The order in which items are drawn stays. An item that leaves the screen goes on as it was
  /// there on all faces, and one that leaves faces as on the first of them.
  package func replace(_ index: Int, by item: StickerItem) {
    let slots = wearers.indices.map { $0 * items.count + index }
    switch (items[index].isOnFace, item.isOnFace) {
    case (true, false):
      if let slot = slots.first { screenRuns[index] = runs[slot] }
    case (false, true):
      for slot in slots { runs[slot] = screenRuns[index] }
    case (true, true), (false, false): break
    }
    items[index] = item
  }

  /// Forgets all faces and starts all animations anew, as after a flush.
  package func reset() {
    wearers.removeAll(keepingCapacity: true)
    for slot in runs.indices { runs[slot].stop() }
    for item in screenRuns.indices { screenRuns[item].stop() }
    lastTime = nil
  }

  private func see(
    _ face: Face, _ position: Int, _ time: Int64, _ seconds: Double, _ width: Int, _ height: Int,
    _ adjustment: StickerPlacement.Adjustment
  ) {
    // Faces that nobody tracks are told apart by their place in the list.
    let key = face.id != 0 ? UInt64(face.id) : UInt64(position) | 1 << 32
    var index = -1
    for known in wearers.indices where wearers[known].key == key { index = known }
    if index < 0 {
      guard wearers.count < Self.maximumFaces else { return }
      index = wearers.count
      wearers.append(
        Wearer(key: key, lastSeen: time, isSeen: true, mood: StickerMood(), area: 0))
      for item in items.indices {
        runs[index * items.count + item].stop()
        placements[index * items.count + item] = nil
      }
    }
    let frame = FaceFrame(face, width: width, height: height)
    wearers[index].lastSeen = time
    wearers[index].isSeen = true
    wearers[index].area = face.box.area.isFinite ? face.box.area : 0
    wearers[index].mood.update(face, frame, seconds: seconds)
    for item in items.indices {
      placements[index * items.count + item] = frame.flatMap {
        StickerPlacement.onFace(items[item], $0, adjustment)
      }
    }
  }

  /// Drops faces that have been missing for too long; the others move up.
  private func forget(_ time: Int64) {
    var kept = 0
    for index in wearers.indices {
      let wearer = wearers[index]
      guard wearer.isSeen || time &- wearer.lastSeen < Self.patience else { continue }
      if kept != index {
        wearers[kept] = wearer
        for item in items.indices {
          runs[kept * items.count + item] = runs[index * items.count + item]
          placements[kept * items.count + item] = placements[index * items.count + item]
        }
      }
      kept += 1
    }
    wearers.removeLast(wearers.count - kept)
  }

  /// Whether a trigger holds for the screen: for any face, or for none.
  private func screenHolds(_ trigger: StickerTrigger) -> Bool {
    switch trigger {
    case .always: true
    case .noFace: wearers.isEmpty
    default: wearers.contains { $0.mood.holds(trigger) }
    }
  }
}
