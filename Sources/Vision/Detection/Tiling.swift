import Pixels

/// Whether and how far parts of the picture are searched by themselves, for small faces.
package enum Tiles: String, Sendable, CaseIterable {
  case none, auto
  case two = "2x2"
  case three = "3x3"
}

/// A picture cut into overlapping tiles of its own shape.
///
/// The detector's input has a fixed number of samples, so a face has more of them in a tile than in
/// the whole picture. All tiles have the shape of the input, which is that of the picture rounded up
/// to whole cells of the network.
struct Tiling {
  /// The overlap of neighbouring tiles, as a fraction of a tile's width: the size of a face that has
  /// enough samples in the whole picture.
  private static let overlap = 0.15

  /// In pixels of the upright picture.
  let tiles: [Rectangle]
  /// Picture pixels for each sample of the detector's input.
  let pixelsPerSample: Double
  private let frame: Rectangle

  /// `number` tiles along the longer side of `frame`, for an input of `width` x `height` samples.
  init(_ number: Int, of frame: Rectangle, width: Int, height: Int) {
    self.frame = frame
    let (longer, samples) =
      frame.width >= frame.height ? (frame.width, width) : (frame.height, height)
    let length = longer / (Double(number) * (1 - Self.overlap) + Self.overlap)
    let step = length / Double(samples)
    pixelsPerSample = step
    let size = (width: Double(width) * step, height: Double(height) * step)
    let columns = Self.starts(size.width, along: frame.width)
    let rows = Self.starts(size.height, along: frame.height)
    tiles = rows.flatMap { y in
      columns.map { Rectangle(x: $0, y: y, width: size.width, height: size.height) }
    }
  }

  /// The evenly spaced starts of tiles that cover a length.
  private static func starts(_ side: Double, along length: Double) -> [Double] {
    let remaining = length - side
    guard remaining > 0.03 * side else { return [min(0, remaining / 2)] }
    let steps = (remaining / ((1 - overlap) * side) - 0.01).rounded(.up)
    return (0...Int(steps)).map { Double($0) * remaining / steps }
  }

  /// The tile whose middle is nearest to that of `box`, in units of a tile.
  func nearestTile(to box: Rectangle) -> Int {
    func distance(_ index: Int) -> Double {
      let (offset, tile) = (tiles[index].center - box.center, tiles[index])
      return max(abs(offset.x) / tile.width, abs(offset.y) / tile.height)
    }
    return tiles.indices.min { distance($0) < distance($1) } ?? 0
  }

  /// Whether a face may continue beyond the tile's edge: it is whole in another tile.
  func isCut(_ box: Rectangle, by tile: Rectangle) -> Bool {
    Self.isCut(box, by: tile, of: frame)
  }

  /// Whether a face may continue beyond the edge of a part of the frame.
  static func isCut(_ box: Rectangle, by tile: Rectangle, of frame: Rectangle) -> Bool {
    let (dx, dy) = (0.02 * box.width, 0.02 * box.height)
    return (tile.x > frame.x + dx && box.x < tile.x + dx)
      || (tile.y > frame.y + dy && box.y < tile.y + dy)
      || (tile.maxX < frame.maxX - dx && box.maxX > tile.maxX - dx)
      || (tile.maxY < frame.maxY - dy && box.maxY > tile.maxY - dy)
  }
}
