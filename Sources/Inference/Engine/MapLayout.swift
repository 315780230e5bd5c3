/// Where a feature map lies in the engine's memory: planar, the rows of each channel apart.
///
/// Windows that reach over the edge read a halo of zeros after each row and between channels. Where
/// rows with a halo are whole vectors, each row has vectors of its own. Otherwise vectors run on
/// through a channel's rows (`isFlat`), and a mask clears the halo after each store. A map of one
/// pixel is a vector: one row of `width` numbers, one for each channel.
struct MapLayout {
  let height, width, channels: Int
  let isVector: Bool
  /// Numbers from a row to the next, and from a channel to the next.
  let rowStride, channelStride: Int
  /// Vectors until the next row begins, and vectors of a whole channel.
  let vectorsPerRow, vectorCount: Int
  /// Numbers from the first to the end, the halo between them included.
  let floatCount: Int
  let halo: Halo
  /// The index of the first number.
  var origin = 0
  /// 1 at the map's numbers and 0 at the halo's, for vectors that cover both.
  let mask: FloatBuffer?

  /// A layout with zeros for windows that need `halo`; `other`, of the same size and halo, lends
  /// its mask.
  init(_ map: MapShape, _ halo: Halo, like other: MapLayout?) {
    let lanes = Vector.lanes
    let columns = map.width % lanes == 0 ? max(halo.columns, halo.maskedColumns) : halo.columns
    self.halo = Halo(columns: columns, rows: halo.rows)
    isVector = map.isPixel
    (height, channels) = (map.height, isVector ? 1 : map.channels)
    width = isVector ? map.channels : map.width
    let isFlat = isVector || width % lanes != 0 || columns == 0
    let row = isFlat ? width + columns : width + Vector.count(holding: columns) * lanes
    vectorCount = isFlat ? Vector.count(holding: height * row) : height * width / lanes
    vectorsPerRow = isFlat ? vectorCount : width / lanes
    if isFlat {
      // An odd number of cache lines: channels then fall into different sets of the cache.
      channelStride = (max((height + halo.rows) * row, vectorCount * lanes) + 15) / 16 * 16 | 16
      rowStride = row
    } else {
      (channelStride, rowStride) = (row, row * channels)
    }
    floatCount = isFlat ? channels * channelStride : height * rowStride
    guard isFlat, columns > 0 || height * rowStride < vectorCount * lanes else {
      mask = nil
      return
    }
    if let other, !isVector {
      mask = other.mask
      return
    }
    let mask = FloatBuffer(count: vectorCount * lanes)
    for y in 0..<height { for x in 0..<width { FloatView(mask)[y * rowStride + x] = 1 } }
    self.mask = mask
  }

  var isFlat: Bool { vectorsPerRow == vectorCount }

  /// Numbers from a row to the next within a band, whose vectors are consecutive.
  var bandRowStride: Int { isFlat ? rowStride : width }

  /// The index of a vector's first number in the first channel.
  func index(ofVector vector: Int) -> Int {
    origin + vector / vectorsPerRow * rowStride + vector % vectorsPerRow * Vector.lanes
  }

  /// The numbers of a band of vectors.
  func operand(_ band: Range<Int>) -> Traversal.Operand {
    Traversal.Operand(
      start: index(ofVector: band.lowerBound), channelStride: channelStride, rowStride: rowStride)
  }

  /// The rows that a band of vectors touches.
  func rows(touchedBy band: Range<Int>) -> Range<Int> {
    let (lanes, stride) = (Vector.lanes, bandRowStride)
    let end = min(height, (band.upperBound * lanes - 1) / stride + 1)
    return band.lowerBound * lanes / stride..<end
  }

  /// The most rows that a band of `vectors` touches.
  func maximumRows(vectors: Int) -> Int {
    min(height, (vectors * Vector.lanes - 2) / bandRowStride + 2)
  }

  func hasSameSize(as other: MapLayout) -> Bool {
    (height, width, isVector) == (other.height, other.width, other.isVector)
  }

  /// Whether the numbers and the halos of both lie at the same offsets.
  func hasSameLayout(as other: MapLayout) -> Bool {
    hasSameSize(as: other) && channels == other.channels && halo.columns == other.halo.columns
      && halo.rows == other.halo.rows
  }

  /// Whether a prologue that reads `input` can store into this map instead of scratch: rows are
  /// whole vectors, and those of both maps follow each other alike.
  func acceptsStores(from input: MapLayout) -> Bool {
    width % Vector.lanes == 0 && !isVector
      && (!input.isFlat || isFlat || !input.hasSameSize(as: self))
  }
}

/// The zeros round a map.
struct Halo {
  var columns = 0, rows = 0
  /// Columns that are needed only where rows are whole vectors; elsewhere windows mask them.
  var maskedColumns = 0

  mutating func formUnion(_ other: Halo) {
    (columns, rows) = (max(columns, other.columns), max(rows, other.rows))
    maskedColumns = max(maskedColumns, other.maskedColumns)
  }
}
