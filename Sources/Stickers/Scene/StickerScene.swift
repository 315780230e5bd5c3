package import Faces
import Pixels

/// The stickers of a pack in a stream: which are drawn in each frame, where, and with which frame
/// of their animation.
///
/// Tracks faces by id. The stickers of a missing face move on at its velocity and fade; after 0.3 s
/// the face is dropped, and a new face with its id starts new animations. Stickers of a face that
/// was seen in few frames, or near another face, disappear at once, rather than hang in the air.
/// Times are running times in nanoseconds; if time decreases the scene is reset. One scene serves
/// one stream. `advance` allocates only when the number of simultaneous faces reaches a new
/// maximum.
package final class StickerScene {
  /// Nanoseconds for which a face may be missing before it is dropped.
  private static let maximumMissingTime: Int64 = 300_000_000
  /// Duration in nanoseconds in which its stickers fade.
  static let fadeDuration: Int64 = 150_000_000
  /// Minimum number of frames with a face for its stickers to be retained when it is missing.
  package static let minimumObservations = 5
  /// Maximum number of faces with stickers.
  package static let maximumFaces = 64
  /// Maximum number of hands with stickers.
  package static let maximumHands = 16
  /// Maximum painted area in frame areas; further items are omitted.
  package static let maximumOverdraw = 16.0

  struct FaceState {
    var triggers = TriggerState()
    var area = 0.0
    /// The face's last box in pixels.
    var box = Rectangle.zero
    /// Number of frames in which it was certainly a face.
    var observations = 0
    /// Whether its stickers are retained while it is missing.
    var isRetained = false
    /// For each item the animation, and the last placement.
    var playbacks: [StickerPlayback]
    var placements: [StickerPlacement?]
    /// The vertices of its mesh in pixels, if the pack needs them.
    var meshVertices: [Point3] = []
    var head: HeadTransform?
    /// The light on the head; nil until it is measured.
    var light: BodyLight?
    /// What is in front of the face.
    var cover = CoverMap()
    /// Eases placements when the face gets or loses its mesh.
    var blend = PlacementBlend()
  }

  /// The stickers drawn at the current time, in order.
  package private(set) var draws: [StickerDraw] = []
  /// Whether items of that frame were omitted because of `maximumOverdraw`.
  package private(set) var isOverfull = false
  /// Pixels painted in that frame so far.
  private var paintedArea = 0.0
  private(set) var items: [StickerItem]
  private let timelines: [StickerTimeline]
  /// Indices of items in drawing order.
  private let order: [Int]
  /// Whether any item is a texture on the face, or in the head's space.
  let hasSurfaces: Bool
  /// Whether hands must be known for any item.
  package private(set) var needsHands: Bool
  var faces: FaceTracks<FaceState>
  var hands: FaceTracks<HandState>
  /// Seconds from the last frame to this one.
  private(set) var elapsedSeconds = 0.0
  private var screenPlaybacks: [StickerPlayback]
  private var lastTime: Int64?
  /// Whether the detector measures meshes.
  var hasMeshes = false
  package private(set) var blendshapes: BlendshapeWatch

  /// `timelines` has one timeline for each item.
  package init(items: [StickerItem], timelines: [StickerTimeline]) {
    precondition(items.count == timelines.count)
    (self.items, self.timelines) = (items, timelines)
    order = items.indices.sorted { (items[$0].z, $0) < (items[$1].z, $1) }
    hasSurfaces = items.contains { $0.isInSpace }
    needsHands = items.contains { $0.needsHands }
    let (count, watch) = (items.count, BlendshapeWatch(items))
    blendshapes = watch
    screenPlaybacks = Array(repeating: StickerPlayback(), count: count)
    faces = FaceTracks(maximum: Self.maximumFaces) {
      FaceState(
        triggers: TriggerState(watch.triggers),
        playbacks: Array(repeating: StickerPlayback(), count: count),
        placements: Array(repeating: nil, count: count))
    }
    hands = FaceTracks(maximum: Self.maximumHands) {
      HandState(
        playbacks: Array(repeating: StickerPlayback(), count: count),
        placements: Array(repeating: nil, count: count))
    }
  }

  /// Sets `draws` to the stickers at `time` for a frame of this size in pixels with these faces and hands.
  ///
  /// With `largestOnly` only the face with the largest box has stickers; triggers of items on the
  /// screen still depend on all faces.
  package func advance(
    to time: Int64, faces detected: [Face], hands detectedHands: [TrackedHand] = [], width: Int,
    height: Int, _ adjustment: StickerPlacement.Adjustment, largestOnly: Bool = false
  ) {
    let elapsed = elapsed(to: time)
    elapsedSeconds = Double(elapsed) / 1e9
    blendshapes.note(detected)
    faces.beginFrame(elapsed: elapsed)
    for (index, face) in detected.enumerated() {
      updateFace(face, index, elapsedSeconds, width, height, adjustment)
    }
    for index in faces.indices where !faces[index].isSeen {
      faces[index].state.isRetained = isRetained(faces[index])
      faces[index].state.cover.clear()
    }
    faces.keep { $0.isSeen || $0.state.isRetained }
    if needsHands { updateHands(detectedHands, elapsed, width, height, adjustment) }
    let largest = largestOnly ? largestFace : nil
    draws.removeAll(keepingCapacity: true)
    (paintedArea, isOverfull) = (0, false)
    for index in order {
      let item = items[index]
      guard !item.isOnHand else {
        advanceOnHands(index, item, time, width, height)
        continue
      }
      guard item.isOnFace else {
        let frame = screenPlaybacks[index].advance(
          time, holds: holdsOnScreen(item.trigger), item: item, timeline: timelines[index])
        let placement = StickerPlacement.onScreen(item, width: width, height: height, adjustment)
        appendDraw(index, frame, placement, width, height)
        continue
      }
      for face in faces.indices {
        let frame = faces[face].state.playbacks[index].advance(
          time, holds: holds(item.trigger, face: face), item: item, timeline: timelines[index])
        guard largest == nil || largest == face else { continue }
        appendDraw(index, frame, faces[face].state.placements[index], width, height, face: face)
      }
    }
    if hasSurfaces { sortBillboards() }
  }

  private func advanceOnHands(
    _ index: Int, _ item: StickerItem, _ time: Int64, _ width: Int, _ height: Int
  ) {
    for hand in hands.indices {
      // The sticker of a missing hand fades; its trigger is not known.
      let holds = hands[hand].isSeen ? holds(item.trigger, hand: hand) : nil
      let frame = hands[hand].state.playbacks[index].advance(
        time, holds: holds, item: item, timeline: timelines[index])
      let offset = hands[hand].offset(limit: Self.fadeDuration)
      let placement = hands[hand].state.placements[index]?.moved(by: offset)
      appendDraw(
        index, frame, placement, width, height,
        strength: hands[hand].remainingStrength(fadingOver: Self.fadeDuration))
    }
  }

  /// Nanoseconds since the last frame; 0 for the first frame and if time does not increase.
  private func elapsed(to time: Int64) -> Int64 {
    defer { lastTime = time }
    guard let last = lastTime else { return 0 }
    if time < last { reset() }
    let (elapsed, overflows) = time.subtractingReportingOverflow(last)
    return overflows ? 0 : max(elapsed, 0)
  }

  /// Sorts adjacent billboards and bodies of one head by depth, farthest first.
  private func sortBillboards() {
    for end in draws.indices {
      var index = end
      while index > 0, isBehind(draws[index], draws[index - 1]) {
        draws.swapAt(index, index - 1)
        index -= 1
      }
    }
  }

  private func isBehind(_ draw: StickerDraw, _ other: StickerDraw) -> Bool {
    guard let depth = draw.placement.depth, let previous = other.placement.depth,
      draw.faceIndex == other.faceIndex, items[draw.item].z == items[other.item].z
    else { return false }
    return depth > previous
  }

  /// Whether the stickers of a missing face are retained.
  private func isRetained(_ face: FaceTracks<FaceState>.Track) -> Bool {
    guard face.missing < Self.maximumMissingTime,
      face.state.observations >= Self.minimumObservations
    else {
      return false
    }
    let box = face.state.box
    return !faces.contains { other in
      other.isSeen
        && (other.state.box.center - box.center).length < max(other.state.box.width, box.width)
    }
  }

  private func appendDraw(
    _ item: Int, _ frame: Int?, _ placement: StickerPlacement?, _ width: Int, _ height: Int,
    face: Int? = nil, strength: Double = 1
  ) {
    guard let frame, var placement else { return }
    var draw = StickerDraw(item: item, frame: frame, placement: placement)
    var alpha = strength
    if let face {
      let offset = faces[face].offset(limit: Self.fadeDuration)
      placement = placement.moved(by: offset)
      alpha = faces[face].remainingStrength(fadingOver: Self.fadeDuration)
      if items[item].isInSpace { (draw.faceIndex, draw.offset) = (face, offset) }
      if !faces[face].state.cover.isEmpty { draw.coveredFace = face }
    }
    draw.placement = placement
    draw.alpha = alpha * placement.opacity
    guard draw.alpha > 0 else { return }
    let area = placement.area(width: width, height: height)
    paintedArea += placement.body == nil ? area : max(area, Self.minimumBodyArea)
    isOverfull = isOverfull || paintedArea > Self.maximumOverdraw * Double(width * height)
    if !isOverfull { draws.append(draw) }
  }

  /// Replaces item `index`; its animation continues.
  ///
  /// The drawing order is kept. The animation of an item that moves from the screen to faces
  /// continues on all faces; one that moves from faces to the screen continues as on the first
  /// face. Items on hands start anew.
  package func replace(_ index: Int, by item: StickerItem) {
    switch (items[index].isOnFace, item.isOnFace) {
    case (true, false):
      if let first = faces.first { screenPlaybacks[index] = first.state.playbacks[index] }
    case (false, true):
      for face in faces.indices { faces[face].state.playbacks[index] = screenPlaybacks[index] }
    case (true, true), (false, false): break
    }
    items[index] = item
    needsHands = items.contains { $0.needsHands }
  }

  /// Drops all faces and stops all animations, as after a flush.
  package func reset() {
    faces.removeAll()
    hands.removeAll()
    for item in screenPlaybacks.indices { screenPlaybacks[item].stop() }
    lastTime = nil
  }
}
