import Pixels

/// A set of a texture's texels, a word a row: bit x of word y is texel (x, y).
struct TexelSet: Sendable {
  typealias Word = UInt128

  private static let side = TextureLayout.side
  private(set) var rows = InlineArray<128, Word>(repeating: 0)

  /// The empty set.
  init() {}

  /// The texels that `mask`, in row-major order, has.
  init(_ mask: [Bool]) {
    for index in mask.indices where mask[index] { insert(index % Self.side, index / Self.side) }
  }

  /// The bits of columns; `columns` are inside 0..<128 and not empty.
  static func word(_ columns: Range<Int>) -> Word {
    (Word.max &>> (128 - columns.count)) &<< columns.lowerBound
  }

  func contains(_ x: Int, _ y: Int) -> Bool { rows[y] & (1 &<< x) != 0 }

  mutating func insert(_ x: Int, _ y: Int) { rows[y] |= 1 &<< x }

  mutating func setRow(_ y: Int, _ word: Word) { rows[y] = word }

  mutating func formUnion(_ word: Word, _ y: Int) { rows[y] |= word }

  /// The texels of `self` that are not in `other`.
  func subtracting(_ other: TexelSet) -> TexelSet {
    var result = self
    for y in rows.indices { result.rows[y] &= ~other.rows[y] }
    return result
  }

  /// The texels that are in both sets.
  func intersection(_ other: TexelSet) -> TexelSet {
    var result = self
    for y in rows.indices { result.rows[y] &= other.rows[y] }
    return result
  }

  /// Sets a plane's elements to 1 where the set has a texel, else to 0.
  func write(to plane: Grid<UInt8>) {
    for y in rows.indices {
      let row = plane.row(y)
      row.fill(0)
      Self.forEachRun(rows[y]) { columns in for x in columns { row[x] = 1 } }
    }
  }

  /// Calls `body` with the columns of each run of set bits.
  static func forEachRun(_ word: Word, _ body: (Range<Int>) -> Void) {
    var (rest, start) = (word, 0)
    while rest != 0 {
      let gap = rest.trailingZeroBitCount
      rest &>>= gap
      start += gap
      // All bits are set where no other is left.
      let length = (~rest).trailingZeroBitCount
      body(start..<start + length)
      guard length < 128 else { return }
      rest &>>= length
      start += length
    }
  }

  // MARK: Morphology

  /// Adds the texels of the square of 2 `radius` + 1 texels around each texel.
  mutating func dilate(radius: Int) {
    for y in rows.indices where rows[y] != 0 {
      var word = rows[y]
      for _ in 0..<radius { word |= (word &<< 1) | (word &>> 1) }
      rows[y] = word
    }
    let own = rows
    for y in rows.indices {
      var word: Word = 0
      for v in max(y - radius, 0)...min(y + radius, Self.side - 1) { word |= own[v] }
      rows[y] = word
    }
  }

  /// Keeps the texels whose whole square of 2 `radius` + 1 texels is in the set, or outside the texture.
  mutating func erode(radius: Int) {
    invert()
    dilate(radius: radius)
    invert()
  }

  private mutating func invert() {
    for y in rows.indices { rows[y] = ~rows[y] }
  }
}
