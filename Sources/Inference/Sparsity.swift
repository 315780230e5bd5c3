/// How the stored values of a sparse constant are spread over its shape.
///
/// TFLite's encoding (schema.fbs, SparsityParameters): the levels of a tree, original axes first
/// and then axes within blocks, in `traversalOrder`; at each level all children exist or a
/// list says which. Values are stored in the order of the leaves; all others are 0.
struct Sparsity {
  /// One level of the tree.
  enum Level: Equatable {
    case dense(size: Int)
    /// Children of parent p: `indices[segments[p]..<segments[p + 1]]`.
    case compressed(segments: [Int], indices: [Int])
  }

  /// Levels of a tree that is read; TFLite's tensors have up to eight axes, each halved by blocks.
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

  /// Reads the encoding of a tensor of `elements` elements; longer lists are refused unread.
  init(_ table: FlatTable, elements: Int) throws(ModelError) {
    // A list may be no longer than the tensor, and all of them together no longer than two of it:
    // they can all point to the same bytes of the file.
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
        let segments = try Self.list(level, 2, "array_segments", limit: min(rest, elements + 1))
        rest -= segments.count
        let indices = try Self.list(level, 4, "array_indices", limit: min(rest, elements))
        rest -= indices.count
        levels.append(.compressed(segments: segments, indices: indices))
      case let format: throw table.error("dim_metadata", "has the unknown format \(format)")
      }
    }
  }

  /// Reads a list that is stored in the narrowest type that holds it.
  private static func list(
    _ table: FlatTable, _ slot: Int, _ field: StaticString, limit: Int
  ) throws(ModelError) -> [Int] {
    let type = try table.scalar(slot, field, default: UInt8(0))
    guard let vector = try table.table(slot + 1, field, kind: "list of dim_metadata") else {
      throw table.error(field, "is missing")
    }
    let widths: [UInt8: ByteReader.Width] = [1: .signed32, 2: .unsigned16, 3: .unsigned8]
    guard let width = widths[type] else {
      throw table.error(field, "has the unknown type \(type)")
    }
    return try vector.integers(0, field, limit: limit, width) ?? []
  }

  /// Where in the dense tensor of `shape` each of the `count` stored values belongs, in order.
  ///
  /// Throws when the encoding does not fit the shape or the number of stored values.
  func places(shape: [Int], count: Int) throws(ModelError) -> [Int] {
    let axes = try axes(shape: shape)
    var places = [0]
    for (number, level) in levels.enumerated() {
      let axis = axes[number]
      switch level {
      case .dense(let size):
        guard size == axis.size else {
          throw ModelError("sparsity level \(number) has size \(size), not \(axis.size)")
        }
        guard places.count <= Limits.constantElements / max(size, 1) else {
          throw ModelError("sparsity level \(number) is too large")
        }
        guard size > 1 else { continue }
        var next: [Int] = []
        next.reserveCapacity(places.count * size)
        for place in places {
          for child in 0..<size { next.append(place &+ child &* axis.weight) }
        }
        places = next
      case .compressed(let segments, let indices):
        guard segments.count == places.count + 1, segments.first == 0,
          segments.last == indices.count
        else { throw ModelError("sparsity level \(number): segments do not fit the level above") }
        var next: [Int] = []
        next.reserveCapacity(indices.count)
        for (place, end) in zip(places, segments.dropFirst()) {
          guard end >= next.count, end <= indices.count else {
            throw ModelError("sparsity level \(number): segments are not in rising order")
          }
          var previous = -1
          for index in indices[next.count..<end] {
            guard index > previous, index < axis.size else {
              throw ModelError(
                "sparsity level \(number): index \(index) is not within \(axis.size) or does "
                  + "not follow \(previous)")
            }
            previous = index
            next.append(place &+ index &* axis.weight)
          }
        }
        places = next
      }
    }
    guard places.count == count else {
      throw ModelError("the sparsity describes \(places.count) values, but \(count) are stored")
    }
    return places
  }

  /// For every level its number of children and how far apart they lie in the dense tensor.
  private func axes(shape: [Int]) throws(ModelError) -> [(size: Int, weight: Int)] {
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
