package import Pixels

/// What is in front of a face, such as a hand or a cup: a grid of alpha over the part of a frame
/// around the face.
package struct CoverMap: Sendable, Equatable {
  /// The size of the grid in cells; 0 if nothing covers the face.
  package var width = 0, height = 0
  /// The part of the frame that the grid spans, in normalized coordinates.
  package var region = Rectangle.zero
  /// One byte for each cell in row-major order: 255 where the face is covered.
  package var alpha: [UInt8] = []

  /// The maximum number of cells along each side.
  package static let maximumSide = 256

  /// Nothing covers the face.
  package init() {}

  package var isEmpty: Bool { width == 0 }

  /// Removes the cover; keeps the memory.
  package mutating func clear() {
    (width, height) = (0, 0)
    alpha.removeAll(keepingCapacity: true)
  }

  /// Becomes equal to `other` in memory of its own, so that neither is copied when it changes.
  package mutating func assign(_ other: CoverMap) {
    (width, height, region) = (other.width, other.height, other.region)
    alpha.removeAll(keepingCapacity: true)
    alpha.append(contentsOf: other.alpha)
  }

  /// The cover in the frame that `transform` leads to.
  func transformed(by transform: FrameTransform) -> CoverMap {
    guard !isEmpty else { return self }
    var map = CoverMap()
    map.region = transform.apply(to: region)
    (map.width, map.height) = transform.swapsAxes ? (height, width) : (width, height)
    let reverses = transform.reversesAxes
    map.alpha.reserveCapacity(alpha.count)
    for row in 0..<map.height {
      for column in 0..<map.width {
        let x = reverses.across ? map.width - 1 - column : column
        let y = reverses.down ? map.height - 1 - row : row
        map.alpha.append(transform.swapsAxes ? alpha[x * width + y] : alpha[y * width + x])
      }
    }
    return map
  }
}
