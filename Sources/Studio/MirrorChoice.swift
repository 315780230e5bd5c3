/// Whether the view is mirrored; what is recorded is not.
///
/// A camera shows the user as a mirror does, other sources are shown as they are, until the user changes
/// either.
package struct MirrorChoice: Equatable, Sendable {
  private var camera = true
  private var others = false

  package init() {}

  package func isMirrored(_ source: VideoSource) -> Bool {
    if case .camera = source { camera } else { others }
  }

  package mutating func set(_ isMirrored: Bool, for source: VideoSource) {
    if case .camera = source { camera = isMirrored } else { others = isMirrored }
  }
}
