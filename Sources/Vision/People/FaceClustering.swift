import Pixels

/// Divides the faces of a frame into clusters, so that the region of each cluster shows its faces
/// large enough to the segmentation network.
///
/// The network was trained on people near the camera: faces of less than about 30 of its samples are
/// often background to it, and beside larger ones it takes more of the objects around them for people.
/// Greedy clustering, from the largest face on.
struct FaceClustering {
  /// The side of a face in samples below which one region for all faces does not do, and the side
  /// from which it does again.
  private static let tooSmall = 64.0
  private static let largeEnough = 70.0
  /// The side that a face must keep where another joins its cluster, and the part of the other's own
  /// region that must lie in the cluster's.
  private static let shared = (samples: 40.0, overlap: 0.65)
  /// The clusters of a frame; further faces join the nearest one.
  static let maximumCount = 12

  /// Computes regions; its own box is not used.
  let region: PersonRegion

  /// Whether one region for all faces would show one of them too small; `isDivided` if they have
  /// clusters now.
  func needsClusters(_ faces: [Rectangle], isDivided: Bool) -> Bool {
    guard faces.count > 1, let box = region.enclosing(faces) else { return false }
    let minimum = isDivided ? Self.largeEnough : Self.tooSmall
    return faces.contains { region.samples(of: $0, in: box) < minimum }
  }

  /// The indices of each cluster's faces.
  func clusters(_ faces: [Rectangle]) -> [[Int]] {
    var result: [(box: Rectangle, faces: [Int], smallest: Rectangle)] = []
    for index in faces.indices.sorted(by: { faces[$0].area > faces[$1].area }) {
      let face = faces[index]
      guard let own = region.enclosing([face]) else { continue }
      var best: (index: Int, box: Rectangle, growth: Double)?
      for (number, cluster) in result.enumerated() {
        guard let box = region.enclosing(cluster.faces.map { faces[$0] } + [face]) else { continue }
        let growth = box.area - cluster.box.area
        let isShown =
          own.intersection(cluster.box).area >= Self.shared.overlap * own.area
          && region.samples(of: face, in: box) >= Self.shared.samples
          && region.samples(of: cluster.smallest, in: box) >= Self.shared.samples
        guard isShown || result.count >= Self.maximumCount else { continue }
        if growth < best?.growth ?? .infinity { best = (number, box, growth) }
      }
      if let best {
        result[best.index].box = best.box
        result[best.index].faces.append(index)
        // Faces come by size.
        result[best.index].smallest = face
      } else {
        result.append((own, [index], face))
      }
    }
    return result.map(\.faces)
  }
}
