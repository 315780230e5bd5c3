import Pixels
import Support
import Testing

@testable import Occlusion

/// Sets of texels, their morphology and their connected components, compared with plain loops.
@Suite(.timeLimit(.minutes(2))) struct TexelSetTests {
  private static let side = TextureLayout.side

  /// Texels of which about `percent` are set, and one row of each extreme.
  private static func mask(_ percent: Int, seed: UInt64) -> [Bool] {
    var random = SplitMix(seed)
    var mask = (0..<side * side).map { _ in Int(random.next() % 100) < percent }
    for x in 0..<side { (mask[5 * side + x], mask[9 * side + x]) = (true, false) }
    return mask
  }

  private static func texels(_ set: TexelSet) -> [Bool] {
    (0..<side * side).map { set.contains($0 % side, $0 / side) }
  }

  @Test(arguments: [0, 1, 20, 60, 100]) func runsHaveExactlyTheTexelsOfASet(percent: Int) {
    let mask = Self.mask(percent, seed: 3)
    let set = TexelSet(mask)
    #expect(Self.texels(set) == mask)
    var found = [Bool](repeating: false, count: mask.count)
    for y in 0..<Self.side {
      var last = -1
      TexelSet.forEachRun(set.rows[y]) { columns in
        #expect(columns.lowerBound > last && !columns.isEmpty)
        last = columns.upperBound
        for x in columns { found[y * Self.side + x] = true }
      }
    }
    #expect(found == mask)
    let plane = Grid<UInt8>(width: Self.side, height: Self.side, of: 7)
    set.write(to: plane)
    #expect(
      (0..<mask.count).allSatisfy {
        plane.row($0 / Self.side)[$0 % Self.side] == (mask[$0] ? 1 : 0)
      })
  }

  @Test(arguments: [1, 3, 4]) func squaresDilateAndErodeASet(radius: Int) {
    let side = Self.side
    for percent in [2, 50, 98] {
      let mask = Self.mask(percent, seed: UInt64(radius))
      func square(_ index: Int) -> [Bool] {
        let (x, y) = (index % side, index / side)
        return (max(y - radius, 0)...min(y + radius, side - 1)).flatMap { v in
          (max(x - radius, 0)...min(x + radius, side - 1)).map { mask[v * side + $0] }
        }
      }
      var (dilated, eroded) = (TexelSet(mask), TexelSet(mask))
      dilated.dilate(radius: radius)
      eroded.erode(radius: radius)
      #expect(Self.texels(dilated) == mask.indices.map { square($0).contains(true) })
      #expect(Self.texels(eroded) == mask.indices.map { !square($0).contains(false) })
    }
  }

  @Test(arguments: [true, false]) func componentsAreThoseOfAFloodFill(diagonals: Bool) {
    let side = Self.side
    let components = ConnectedComponents()
    for percent in [5, 35, 45, 55, 90] {
      let mask = Self.mask(percent, seed: UInt64(percent))
      components.find(in: TexelSet(mask), diagonals: diagonals)
      var numbers = [Int](repeating: -1, count: mask.count)
      for run in components.runs {
        for x in run.columns { numbers[run.y * side + x] = run.component }
      }
      #expect(mask.indices.allSatisfy { mask[$0] == (numbers[$0] >= 0) })
      // Each fill meets one number, and no other fill meets that.
      var isFilled = [Bool](repeating: false, count: mask.count)
      var met: Set<Int> = []
      for start in mask.indices where mask[start] && !isFilled[start] {
        var stack = [start]
        isFilled[start] = true
        while let index = stack.popLast() {
          if numbers[index] != numbers[start] { Issue.record("two numbers in one component") }
          for dy in -1...1 {
            for dx in -1...1 where diagonals || dx == 0 || dy == 0 {
              let (x, y) = (index % side + dx, index / side + dy)
              guard x >= 0, y >= 0, x < side, y < side, mask[y * side + x],
                !isFilled[y * side + x]
              else { continue }
              isFilled[y * side + x] = true
              stack.append(y * side + x)
            }
          }
        }
        #expect(met.insert(numbers[start]).inserted)
      }
      #expect(met.count == components.count)
    }
  }

  @Test func holesAreFilledUpToASize() {
    let regions = CoverRegions()
    var inside = TexelSet()
    for y in 10..<60 { inside.formUnion(TexelSet.word(10..<60), y) }
    regions.cover = inside
    var (small, large) = (TexelSet(), TexelSet())
    for y in 20..<24 { small.formUnion(TexelSet.word(20..<25), y) }
    for y in 40..<50 { large.formUnion(TexelSet.word(30..<50), y) }
    regions.cover = inside.subtracting(small).subtracting(large)
    regions.fillHoles(size: 21, inside)
    #expect(Self.texels(regions.cover) == Self.texels(inside.subtracting(large)))
  }
}
