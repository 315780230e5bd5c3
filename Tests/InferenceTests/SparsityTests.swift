import Testing

@testable import Inference

@Suite(.timeLimit(.minutes(20))) struct SparsityTests {
  @Test func compressedColumnsAreExpanded() throws {
    // [[0, a, 0, b], [0, 0, 0, 0], [c, 0, 0, 0]]
    let sparsity = Sparsity(
      traversalOrder: [0, 1],
      levels: [.dense(size: 3), .compressed(segments: [0, 2, 2, 3], indices: [1, 3, 0])])
    #expect(try sparsity.denseIndices(shape: [3, 4], count: 3) == [1, 3, 8])
  }

  @Test func columnsMayBeTheOuterLevel() throws {
    // Traversed by columns: column 0 holds row 1, column 2 holds rows 0 and 1.
    let sparsity = Sparsity(
      traversalOrder: [1, 0],
      levels: [.dense(size: 3), .compressed(segments: [0, 1, 1, 3], indices: [1, 0, 1])])
    #expect(try sparsity.denseIndices(shape: [2, 3], count: 3) == [3, 2, 5])
  }

  @Test func denseLevelsInAnotherOrderTranspose() throws {
    let sparsity = Sparsity(
      traversalOrder: [1, 0], levels: [.dense(size: 3), .dense(size: 2)])
    #expect(try sparsity.denseIndices(shape: [2, 3], count: 6) == [0, 3, 1, 4, 2, 5])
  }

  @Test func blocksDivideTheirDimension() throws {
    // A 4 x 4 matrix of 2 x 2 blocks, of which the top right and the bottom left exist.
    let sparsity = Sparsity(
      traversalOrder: [0, 1, 2, 3], blockMap: [0, 1],
      levels: [
        .dense(size: 2), .compressed(segments: [0, 1, 2], indices: [1, 0]), .dense(size: 2),
        .dense(size: 2),
      ])
    #expect(try sparsity.denseIndices(shape: [4, 4], count: 8) == [2, 3, 6, 7, 8, 9, 12, 13])
  }

  @Test func compressedLevelsMayFollowEachOther() throws {
    let sparsity = Sparsity(
      traversalOrder: [0, 1, 2],
      levels: [
        .compressed(segments: [0, 1], indices: [1]),
        .compressed(segments: [0, 2], indices: [0, 2]), .dense(size: 2),
      ])
    #expect(try sparsity.denseIndices(shape: [2, 3, 2], count: 4) == [6, 7, 10, 11])
  }

  /// An encoding that does not fit a 2 x 4 tensor of 3 stored values, and why.
  struct Fault: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var sparsity: Sparsity
    var count = 3

    init(
      _ name: String, segments: [Int] = [0, 2, 3], indices: [Int] = [0, 1, 2], rows: Int = 2,
      order: [Int] = [0, 1], blocks: [Int] = [], count: Int = 3
    ) {
      testDescription = name
      self.count = count
      sparsity = Sparsity(
        traversalOrder: order, blockMap: blocks,
        levels: [.dense(size: rows), .compressed(segments: segments, indices: indices)])
    }
  }

  @Test(arguments: [
    Fault("index past the dimension", indices: [0, 4, 2]),
    Fault("negative index", indices: [-1, 1, 2]),
    Fault("index twice", indices: [1, 1, 2]),
    Fault("indices falling", indices: [2, 1, 2]),
    Fault("segments falling", segments: [0, 4, 3]),
    Fault("segments negative", segments: [0, -1, 3]),
    Fault("segments not from 0", segments: [1, 2, 3]),
    Fault("segments too few", segments: [0, 3]),
    Fault("segments too many", segments: [0, 1, 2, 3]),
    Fault("segments none", segments: []),
    Fault("segments past the indices", segments: [0, 2, 4]),
    Fault("dense size of another shape", rows: 3),
    Fault("dense size 0", rows: 0),
    Fault("dense size huge", rows: .max),
    Fault("a dimension twice", order: [0, 0]),
    Fault("a dimension that is not there", order: [0, 2]),
    Fault("a dimension missing", order: [0]),
    Fault("a block that is no dense level", order: [0, 1, 2], blocks: [1]),
    Fault("a block of a dimension that is not there", order: [0, 1], blocks: [7]),
    Fault("more values stored", count: 4),
    Fault("fewer values stored", count: 2),
  ])
  func anEncodingThatDoesNotFitIsRejected(_ fault: Fault) {
    let error = #expect(throws: ModelError.self) {
      try fault.sparsity.denseIndices(shape: [2, 4], count: fault.count)
    }
    #expect(error?.description.isEmpty == false)
  }

  @Test func aBlockThatDoesNotDivideItsDimensionIsRejected() {
    let sparsity = Sparsity(
      traversalOrder: [0, 1, 2], blockMap: [1],
      levels: [.dense(size: 2), .dense(size: 1), .dense(size: 3)])
    #expect(throws: ModelError.self) { try sparsity.denseIndices(shape: [2, 4], count: 6) }
  }
}
