import Faces

/// The blendshapes that the items of a pack wait for, and whether the faces of a stream have them.
package struct BlendshapeWatch: Sendable {
  /// Each trigger once.
  package let triggers: [BlendshapeTrigger]
  /// The number of frames with faces but without blendshapes that items wait for; 0 once a frame had
  /// them.
  package private(set) var framesWithout = 0
  private var hasBlendshapes = false

  init(_ items: [StickerItem]) {
    triggers = items.reduce(into: []) { found, item in
      if case .blendshape(let trigger) = item.trigger, !found.contains(trigger) {
        found.append(trigger)
      }
    }
  }

  /// Notes the faces of a frame.
  mutating func note(_ faces: [Face]) {
    guard !triggers.isEmpty, !hasBlendshapes, !faces.isEmpty else { return }
    hasBlendshapes = faces.contains { !$0.blendshapes.isEmpty }
    framesWithout = hasBlendshapes ? 0 : framesWithout &+ 1
  }
}
