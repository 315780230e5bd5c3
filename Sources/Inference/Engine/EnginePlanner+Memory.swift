/// Where each map lies in the engine's memory.
extension EnginePlanner {
  /// Gives each map a layout and memory: that of a map which no later step reads, or new memory.
  func assignMemory() throws(ModelError) {
    var lastUse = [Int](repeating: -1, count: shapes.count)
    for (number, step) in planned.enumerated() { for map in step.reads { lastUse[map] = number } }
    try makeLayouts()
    // The input keeps its values between runs.
    lastUse[0] = -1
    try assignOrigin(0, over: nil)
    var free: [Int] = []
    for (number, step) in planned.enumerated() {
      if let map = step.result {
        let own = layouts[map]
        if let other = step.inPlaceMap, lastUse[other] == number,
          layouts[other].hasSameLayout(as: own)
        {
          try assignOrigin(map, over: other)
          lastUse[other] = -1
        } else {
          let fitting = free.firstIndex { layouts[$0].hasSameLayout(as: own) && !own.isVector }
          try assignOrigin(map, over: fitting.map { free.remove(at: $0) })
        }
      }
      for map in Set(step.reads).sorted() where lastUse[map] == number && !layouts[map].isVector {
        free.append(map)
      }
    }
    // What vectors and windows read after the last map.
    let widest = layouts.lazy.map(\.rowStride).max() ?? 0
    floatCount += (2 + Self.maximumKernel) * (widest + 4 * Vector.lanes)
  }

  private func makeLayouts() throws(ModelError) {
    let groups = layoutGroups()
    for (map, shape) in shapes.enumerated() {
      let first = groups[map]
      let own = MapLayout(shape, halos[first] ?? Halo(), like: first < map ? layouts[first] : nil)
      guard own.floatCount <= Self.maximumFloats else {
        throw ModelError("the network needs too much memory")
      }
      layouts.append(own)
    }
  }

  /// For each map the first of those that share its layout, whose halo becomes that of all.
  ///
  /// Maps of one size share it where vectors run on through rows: their masks are then the same.
  private func layoutGroups() -> [Int] {
    var (groups, sizes) = (Array(shapes.indices), [[Int]: Int]())
    for (map, shape) in shapes.enumerated() where shape.width % Vector.lanes != 0 {
      let size = [shape.height, shape.width]
      if let first = sizes[size] { sameLayouts.append((first, map)) } else { sizes[size] = map }
    }
    for (one, other) in sameLayouts {
      let (first, last) = (min(groups[one], groups[other]), max(groups[one], groups[other]))
      guard first < last else { continue }
      groups = groups.map { $0 == last ? first : $0 }
      halos[first, default: Halo()].formUnion(halos[last] ?? Halo())
    }
    return groups
  }

  /// Gives a map the memory of another, or new memory.
  private func assignOrigin(_ map: Int, over other: Int?) throws(ModelError) {
    if let other {
      layouts[map].origin = layouts[other].origin
      return
    }
    let own = layouts[map]
    let before = (own.halo.rows * own.rowStride + own.halo.columns + 31) / 16 * 16
    layouts[map].origin = floatCount + before
    floatCount += before + own.floatCount + before
    guard floatCount <= Self.maximumFloats else {
      throw ModelError("the network needs too much memory")
    }
  }

  /// Gives a map the halo that a window needs, or lets the kernel mask columns.
  func requireHalo(_ map: Int, _ window: SlidingWindow, masks: Bool) {
    let columns = max(window.left, window.right)
    halos[map, default: Halo()].formUnion(
      Halo(
        columns: masks ? 0 : columns, rows: max(window.top, window.bottom),
        maskedColumns: masks ? columns : 0))
  }
}
