import Inference
import Pixels
import Threads

/// Groups: people in clusters with a region each.
extension PersonSegmenter {
  /// The clusters in which the network runs in one frame, after the first one of a scene.
  private static let clustersPerFrame = 4
  /// The runs that find the region of a cluster.
  private static let searchRuns = 3

  func processClusters(
    on picture: borrowing Picture, isFirst: Bool, _ state: State, _ settings: Settings,
    _ runner: any SliceRunner
  ) throws(ModelError) -> PersonMask {
    for cluster in state.clusters.all {
      cluster.advance(
        motion: state.motion(in: cluster.region.box), skipsStillFrames: settings.skipsStillFrames)
    }
    if isFirst || state.framesSinceRun >= settings.interval {
      do {
        try runClusters(on: picture, isFirst: isFirst, state, settings, runner)
      } catch {
        state.reset()
        throw error
      }
    }
    state.composeClusters()
    if settings.facesOnly {
      state.labelComponents(Self.componentThreshold, matchesLast: !isFirst)
      state.components.removeNonTargets(from: state.result, hasFaces: !state.faces.isEmpty)
    }
    blend(state, smoothing: isFirst ? 0 : settings.smoothing)
    return state.mask
  }

  /// Runs the network on the clusters that wait longest.
  private func runClusters(
    on picture: borrowing Picture, isFirst: Bool, _ state: State, _ settings: Settings,
    _ runner: any SliceRunner
  ) throws(ModelError) {
    var left = isFirst ? FaceClustering.maximumCount : Self.clustersPerFrame
    while left > 0, let cluster = state.clusters.longestWaiting {
      try run(cluster, on: picture, state, settings, runner)
      state.framesSinceRun = 0
      left -= 1
    }
    state.clusters.removeEmpty()
    if isFirst || state.framesSinceFullFrame >= Self.fullFrameInterval(state) {
      state.restartFullFrameInterval(isSettled: !isFirst)
      try run(picture, state.region.frame, state, settings, runner)
      state.addClustersWithoutFaces()
    }
  }

  private func run(
    _ cluster: PersonCluster, on picture: borrowing Picture, _ state: State, _ settings: Settings,
    _ runner: any SliceRunner
  ) throws(ModelError) {
    let rounds = cluster.isNew ? Self.searchRuns : 1
    for round in 1...rounds {
      try run(
        picture, cluster.region.box, state, settings, scratch: cluster.scratch, runner)
      state.keepPeople(of: cluster)
      guard round < rounds else { break }
      cluster.region.show(state.extent(of: cluster, extends: true))
    }
    let (columns, rows) = state.mask.cells(of: cluster.region.box)
    // Whoever was found now appears at once.
    if cluster.isNew { for y in rows { state.mask.temporalWeight.row(y)[columns].fill(0) } }
    cluster.store(state.result, columns, rows)
    cluster.follow(state.extent(of: cluster))
  }
}

extension PersonSegmenter.State {
  /// Follows the clusters; returns whether there are any.
  func updateClusters() -> Bool {
    clusters.update(faces, region, mask)
  }

  /// Makes clusters of the people in the last result, of the whole frame, who are in no region.
  func addClustersWithoutFaces() {
    let scale = 1 / Double(mask.step)
    for cluster in clusters.all {
      components.remove(
        from: result, touching: cluster.region.box.scaled(x: scale, y: scale),
        threshold: PersonSegmenter.componentThreshold)
    }
    components.label(
      result, threshold: PersonSegmenter.componentThreshold, faces: [], cellsPerPixel: scale,
      previous: nil)
    for box in components.likelyPeople(result).map(\.box) {
      clusters.add(
        box.scaled(x: Double(mask.step), y: Double(mask.step)), region, mask, result)
    }
  }

  func composeClusters() { clusters.compose(into: result, cellsPerPixel: 1 / Double(mask.step)) }

  /// The motion in a region that can change the mask, as a fraction of it.
  func motion(in region: Rectangle) -> Float {
    let (columns, rows) = mask.cells(of: region)
    guard !columns.isEmpty, !rows.isEmpty else { return 0 }
    var sum: Float = 0
    for y in rows {
      sum += TemporalMaskFilter.motion(
        mask.temporalWeight.row(y)[columns], mask.probability.row(y)[columns])
    }
    return sum / Float(rows.count * columns.count)
  }

  /// Clears what is not of the cluster's people from the result.
  func keepPeople(of cluster: PersonCluster) {
    components.label(
      result, threshold: PersonSegmenter.componentThreshold, faces: cluster.faces,
      cellsPerPixel: 1 / Double(mask.step), previous: cluster.hasSeenFaces ? nil : cluster.mask)
    components.removeNonTargets(from: result, hasFaces: cluster.hasSeenFaces)
  }

  /// What the cluster's region has to show of the last result; no more than its people can reach.
  ///
  /// It is extended downwards where the region cuts them off, if `extends`.
  func extent(of cluster: PersonCluster, extends: Bool = false) -> Rectangle? {
    let back = Double(mask.step)
    var people = components.boundingBox(result, hasFaces: true)?.scaled(x: back, y: back)
    if extends, let box = people, cutsPeopleOff(cluster.region) {
      people = PersonRegion.extend(box, reaching: nil)
    }
    var reach: Rectangle?
    for face in cluster.faces {
      reach = PersonRegion.union(reach, PersonRegion.reach(of: face))
    }
    let limit = reach ?? PersonRegion.expanded(cluster.region.box, 0.2)
    if let box = people { people = box.intersection(limit) }
    return cluster.region.extent(people: people, faces: cluster.faces)
  }
}
