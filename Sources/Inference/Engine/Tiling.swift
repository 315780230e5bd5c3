/// How the vectors of a band are cut into tiles that fit the registers.
struct Tiling {
  /// `total` vectors, `across` of them side by side and the others in the next rows.
  struct Shape: Equatable {
    var total: Int
    var across: Int
  }

  struct Tile {
    var shape: Shape
    /// Bytes from the band's begin.
    var input: Int32
    /// The first of its vectors, among those of the band.
    var place: Int32
  }

  private(set) var list: [Tile] = []
  /// Bytes from a row of input to the next.
  let segment: Int
  /// Bytes from the band's begin to the end of what is read there.
  private(set) var reach = 0
  /// Vectors of the band.
  private(set) var places = 0

  /// Shapes for `width` channels at a time: their sums and what is multiplied fit 16 registers.
  static func shapes(width: Int) -> [(across: Int, rows: [Int])] {
    switch width {
    case 1:
      [
        (12, [1]), (8, [1]), (6, [2, 1]), (4, [3, 1]), (3, [4, 2, 1]), (2, [6, 3, 2, 1]),
        (1, [6, 4, 3, 2, 1]),
      ]
    case 2: [(6, [1]), (4, [1]), (3, [2, 1]), (2, [3, 2, 1]), (1, [6, 4, 3, 2, 1])]
    case 3: [(4, [1]), (3, [1]), (2, [2, 1]), (1, [4, 3, 2, 1])]
    default:
      #if x86_64_v4 || arch(arm64)
        // With 32 registers.
        [(6, [1]), (4, [1]), (3, [2, 1]), (2, [3, 2, 1]), (1, [6, 4, 3, 2, 1])]
      #else
        [(3, [1]), (2, [1]), (1, [3, 2, 1])]
      #endif
    }
  }

  /// A run of vectors without gaps.
  init(flat vectors: Int, width: Int) {
    segment = 0
    cut(rows: 1, vectors: vectors, width)
  }

  /// Rows of vectors, `segment` bytes apart.
  init(rows: Int, vectors: Int, segment: Int, width: Int) {
    self.segment = segment
    cut(rows: rows, vectors: vectors, width)
  }

  private mutating func cut(rows: Int, vectors: Int, _ width: Int) {
    let shapes = Self.shapes(width: width)
    var row = 0
    let whole = shapes.first { $0.across == vectors }
    while row < rows {
      let step = whole?.rows.first { $0 <= rows - row } ?? 1
      var column = 0
      while column < vectors {
        let across =
          step > 1 ? vectors : shapes.first { $0.across <= vectors - column }?.across ?? 1
        add(Shape(total: across * step, across: across), row, column, vectors)
        column += across
      }
      row += step
    }
  }

  private mutating func add(_ shape: Shape, _ row: Int, _ column: Int, _ vectors: Int) {
    let input = row * segment + column * Vector.lanes * 4
    let place = row * vectors + column
    list.append(Tile(shape: shape, input: Int32(input), place: Int32(place)))
    let rows = shape.total / shape.across
    reach = max(reach, input + (rows - 1) * segment + shape.across * Vector.lanes * 4)
    places = max(places, place + shape.total)
  }

  /// Cycles or so that a tap takes for all channels: two products or two loads in each, eight
  /// products on their way, and 40 bytes from the second cache.
  func cost(width: Int, channels: Int) -> Double {
    func cycles(_ width: Int) -> Double {
      list.reduce(0) { sum, tile in
        let total = tile.shape.total
        let bytes = Double(total * Vector.lanes * 4)
        return sum + max(Double(max(total * width, total + width, 8)) / 2, bytes / 40) + 1
      }
    }
    let rest = channels % width
    return Double(channels / width) * cycles(width) + (rest > 0 ? Double(rest) * cycles(1) : 0)
  }
}
