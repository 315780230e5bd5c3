import Pixels

/// The people of a frame in clusters with a region each, where one region for all would show some
/// too small to the network.
///
/// Clusters keep their faces, regions and masks while the same faces are seen. They begin with two
/// faces or more; until then the segmenter has one region.
final class PersonClusters {
  private(set) var all: [PersonCluster] = []
  /// Which faces of this frame are known.
  private var isTaken: [Bool] = []

  var isEmpty: Bool { all.isEmpty }

  func removeAll() { all.removeAll() }

  /// Follows the faces of a frame, in pixels; returns whether there are clusters.
  ///
  /// New clusters begin with the part of `mask` in their regions.
  func update(
    _ faces: [Rectangle], _ region: PersonRegion, _ mask: PersonMask
  ) -> Bool {
    let clustering = FaceClustering(region: region)
    let isDivided = !all.isEmpty
    let areKnown = isDivided && matchFaces(faces)
    // People whose faces have turned away still need theirs.
    guard
      clustering.needsClusters(faces, isDivided: isDivided)
        || all.contains(where: { !$0.hasSeenFaces })
    else {
      all.removeAll()
      return false
    }
    if areKnown {
      for cluster in all { cluster.removeLostFaces(mask) }
    } else {
      divide(faces, clustering, mask)
    }
    return true
  }

  /// The cluster that has waited longest for a run; nil if none waits.
  var longestWaiting: PersonCluster? {
    var longest: PersonCluster?
    for cluster in all where cluster.isWaiting {
      if cluster.framesSinceRun > longest?.framesSinceRun ?? -1 { longest = cluster }
    }
    return longest
  }

  /// Adds a cluster for people without a face, who are in `box`, and shown by `result`.
  func add(_ box: Rectangle, _ region: PersonRegion, _ mask: PersonMask, _ result: Grid<Float>) {
    guard all.count < FaceClustering.maximumCount else { return }
    var own = region
    own.move(to: region.fit(people: box, faces: []))
    all.append(PersonCluster([], own, mask, result))
  }

  /// Removes the clusters whose people have left.
  func removeEmpty() { all.removeAll(where: \.isEmpty) }

  /// Writes the mask of all people: the greatest of the clusters', each moved with its faces.
  func compose(into result: Grid<Float>, cellsPerPixel scale: Double) {
    for y in 0..<result.height { result.row(y).fill(0) }
    for cluster in all {
      let move = cluster.displacement
      let (dx, dy) = (Int((move.x * scale).rounded()), Int((move.y * scale).rounded()))
      for y in cluster.rows where 0..<result.height ~= y + dy {
        let first = max(cluster.columns.lowerBound, -dx)
        let end = min(cluster.columns.upperBound, result.width - dx)
        guard first < end else { continue }
        Self.maximize(
          result.row(y + dy)[(first + dx)..<(end + dx)], cluster.mask.row(y)[first..<end])
      }
    }
  }

  @inline(never)
  private static func maximize(_ out: Row<Float>, _ other: Row<Float>) {
    let n = out.count
    let other = other[..<n]
    for x in 0..<n { out[x] = max(out[x], other[x]) }
  }

  /// Gives each known face its box in this frame; returns whether all faces were known.
  ///
  /// Greedy by distance: unlike `Assignment` it allocates nothing.
  private func matchFaces(_ faces: [Rectangle]) -> Bool {
    isTaken.removeAll(keepingCapacity: true)
    isTaken.append(contentsOf: repeatElement(false, count: faces.count))
    for cluster in all {
      for index in cluster.faces.indices {
        let known = cluster.faces[index]
        var best: (index: Int, distance: Double)?
        for (number, face) in faces.enumerated() where !isTaken[number] {
          guard 0.6...1.7 ~= face.width / known.width else { continue }
          let distance = (face.center - known.center).length
          guard distance < 0.8 * max(known.width, face.width) else { continue }
          if distance < best?.distance ?? .infinity { best = (number, distance) }
        }
        if let best { isTaken[best.index] = true }
        cluster.setFace(index, best.map { faces[$0.index] })
      }
    }
    return isTaken.allSatisfy { $0 }
  }

  /// Divides faces anew; a cluster keeps its region and mask if its faces are those of an old one.
  private func divide(
    _ faces: [Rectangle], _ clustering: FaceClustering, _ mask: PersonMask
  ) {
    let old = all
    all.removeAll(keepingCapacity: true)
    for indices in clustering.clusters(faces) {
      let boxes = indices.map { faces[$0] }
      let same = old.first { cluster in
        cluster.faces.count == boxes.count && cluster.faces.allSatisfy(boxes.contains)
      }
      all.append(same ?? PersonCluster(boxes, clustering.region, mask, mask.probability))
    }
    for cluster in old where !cluster.hasSeenFaces && all.count < FaceClustering.maximumCount {
      if !faces.contains(where: { cluster.shows($0.center, mask) }) { all.append(cluster) }
    }
  }
}
