/// The indices of a sparse constant's stored values.
///
/// TFLite's encoding (schema.fbs, SparsityParameters) is a tree. Its levels are the original axes
/// and then the axes within blocks, in `traversalOrder`. At a dense level all children exist, at a
/// compressed one those that are listed. The leaves are the stored values; all others are 0.
struct Sparsity {
  /// One level of the tree.
  enum Level: Equatable {
    case dense(size: Int)
    /// Children of parent p: `indices[segments[p]..<segments[p + 1]]`.
    case compressed(segments: [Int], indices: [Int])
  }

  /// TFLite's tensors have up to eight axes, each of which blocks may divide in two.
  private static let maximumLevels = 16

  var traversalOrder: [Int]
  /// The original axis that each block axis divides.
  var blockMap: [Int]
  var levels: [Level]

  init(traversalOrder: [Int], blockMap: [Int] = [], levels: [Level]) {
    self.traversalOrder = traversalOrder
    self.blockMap = blockMap
    self.levels = levels
  }

  /// Reads the encoding of a tensor of `elements` elements; rejects longer lists unread.
  init(_ table: FlatTable, elements: Int) throws(ModelError) {
    // No list may be longer than the tensor, nor all together longer than twice the tensor: they
    // can all point to the same bytes of the file.
    var rest = 2 * elements + Self.maximumLevels
    traversalOrder = try table.integers(0, "traversal_order", limit: Self.maximumLevels) ?? []
    blockMap = try table.integers(1, "block_map", limit: 8) ?? []
    levels = []
    for level in try table.tables(
      2, "dim_metadata", kind: "dim_metadata", limit: Self.maximumLevels)
    {
      switch try level.scalar(0, "format", default: Int8(0)) {
      case 0:
        levels.append(.dense(size: Int(try level.scalar(1, "dense_size", default: Int32(0)))))
      case 1:
        let segments = try Self.readIndices(
          level, 2, "array_segments", limit: min(rest, elements + 1))
        rest -= segments.count
        let indices = try Self.readIndices(level, 4, "array_indices", limit: min(rest, elements))
        rest -= indices.count
        levels.append(.compressed(segments: segments, indices: indices))
      case let format: throw table.error("dim_metadata", "has the unknown format \(format)")
      }
    }
  }

  /// Reads a list that is stored in the narrowest type that holds it.
  private static func readIndices(
    _ table: FlatTable, _ slot: Int, _ field: StaticString, limit: Int
  ) throws(ModelError) -> [Int] {
    let type = try table.scalar(slot, field, default: UInt8(0))
    guard let vector = try table.table(slot + 1, field, kind: "list of dim_metadata") else {
      throw table.error(field, "is missing")
    }
    let widths: [UInt8: ByteReader.Width] = [1: .signed32, 2: .unsigned16, 3: .unsigned8]
    guard let width = widths[type] else { throw table.error(field, "has the unknown type \(type)") }
    return try vector.integers(0, field, limit: limit, width) ?? []
  }

  /// The index in the dense tensor of each of the `count` stored values, in order.
  ///
  /// Throws where the encoding does not fit the shape or the number of stored values.
  func denseIndices(shape: [Int], count: Int) throws(ModelError) -> [Int] {
    var parents = [0]
    for (number, axis) in try levelAxes(shape: shape).enumerated() {
      do throws(ModelError) {
        parents = try children(of: parents, levels[number], axis)
      } catch {
        throw ModelError("sparsity level \(number) \(error)")
      }
    }
    guard parents.count == count else {
      throw ModelError("the sparsity describes \(parents.count) values, but \(count) are stored")
    }
    return parents
  }

  private typealias Axis = (size: Int, stride: Int)

  /// The dense indices of a level's nodes, from those of the level above.
  private func children(
    of parents: [Int], _ level: Level, _ axis: Axis
  ) throws(ModelError) -> [Int] {
    switch level {
    case .dense(let size):
      guard size == axis.size else { throw ModelError("has size \(size), not \(axis.size)") }
      guard parents.count <= Limits.constantElements / max(size, 1) else {
        throw ModelError("is too large")
      }
      return parents.flatMap { parent in (0..<size).map { parent &+ $0 &* axis.stride } }
    case .compressed(let segments, let indices):
      guard segments.count == parents.count + 1, segments.first == 0,
        segments.last == indices.count
      else { throw ModelError("has segments that do not fit the level above") }
      var children: [Int] = []
      children.reserveCapacity(indices.count)
      for (parent, end) in zip(parents, segments.dropFirst()) {
        guard end >= children.count, end <= indices.count else {
          throw ModelError("has segments that are not in ascending order")
        }
        let own = indices[children.count..<end]
        guard own.allSatisfy((0..<axis.size).contains), zip(own, own.dropFirst()).allSatisfy(<)
        else { throw ModelError("has indices that are not ascending within \(axis.size)") }
        for index in own { children.append(parent &+ index &* axis.stride) }
      }
      return children
    }
  }

  /// For each level the number of children, and the distance between them in the dense tensor.
  private func levelAxes(shape: [Int]) throws(ModelError) -> [Axis] {
    let rank = shape.count
    guard traversalOrder.count == rank + blockMap.count, levels.count == traversalOrder.count,
      traversalOrder.prefix(rank).sorted() == Array(0..<rank),
      traversalOrder.dropFirst(rank).sorted() == Array(rank..<rank + blockMap.count),
      Set(blockMap).count == blockMap.count, blockMap.allSatisfy(shape.indices.contains)
    else {
      throw ModelError(
        "the sparsity's traversal_order \(traversalOrder) and block_map \(blockMap) do not fit "
          + "\(levels.count) levels and \(rank) dimensions")
    }
    var strides = [Int](repeating: 1, count: rank)
    for axis in (0..<rank).dropLast().reversed() {
      strides[axis] = strides[axis + 1] * shape[axis + 1]
    }
    var blocks = [Int](repeating: 1, count: rank)
    for (number, axis) in traversalOrder.enumerated() where axis >= rank {
      let original = blockMap[axis - rank]
      guard case .dense(let size) = levels[number], size > 0, shape[original] % size == 0 else {
        throw ModelError("sparsity level \(number) is no dense block of dimension \(original)")
      }
      blocks[original] = size
    }
    return traversalOrder.map { axis in
      axis < rank
        ? (shape[axis] / blocks[axis], strides[axis] * blocks[axis])
        : (blocks[blockMap[axis - rank]], strides[blockMap[axis - rank]])
    }
  }
}
