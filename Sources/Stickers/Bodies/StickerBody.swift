package import Pixels

/// A solid or a bent sheet in head coordinates, which an item's picture covers.
///
/// `from` and `to` are its leftmost and its rightmost point, for a sheet the centres of its edges, in
/// pupil distances to the right of, above and in front of the anchor.
package struct StickerBody: Sendable, Equatable {
  package enum Shape: Sendable, Equatable {
    /// A surface of revolution. Each point of the profile has its radius (x), in halves of the
    /// distance of `from` and `to`, and its height (y) in pupil distances; from the picture's upper
    /// edge to its lower one, with the outside on the left of the path.
    case lathe([Point])
    /// A ring; its thickness in pupil distances.
    case torus(Double)
    /// A rectangle, bent: how far the middles of its left and right (x) and of its upper and lower (y)
    /// edges lie behind the plane through its centre, in pupil distances.
    case sheet(Point)
  }

  package var from, to: Point3
  /// Direction from the picture's upper edge to its lower one; for solids the axis.
  package var down = Point3(x: 0, y: -1, z: 0)
  package var shape: Shape
  /// Extent from front to back, as a fraction of that from `from` to `to`.
  package var depth = 1.0
  /// The point that coordinates are relative to; nil for the point between the eyes.
  package var anchor: StickerAnchor?
  /// Whether the face and the skull occlude it.
  package var isOccluded = true
  /// Weight of the light of the scene, 0...1.
  package var shade = 1.0

  package init(_ shape: Shape, from: Point3, to: Point3) {
    (self.shape, self.from, self.to) = (shape, from, to)
  }

  /// The most points of a profile.
  package static let maximumProfile = 16
}

extension StickerItem {
  /// The solid or sheet; nil for other attachments.
  package var body: StickerBody? {
    if case .body(let body) = attachment { body } else { nil }
  }

  /// What its pictures cover, if it is a texture, a billboard or a body.
  package var mesh: SurfaceMesh? {
    switch attachment {
    case .surface(let surface): .face(without: surface.spared)
    case .head: .billboard
    case .body(let body):
      .body(BodyShape(body, aspectRatio: scaleWidth * (width > 0 ? height / width : 0)))
    case .points, .anchor, .screen: nil
    }
  }
}
