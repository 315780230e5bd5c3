import Pixels

/// Finds the regions of a texture that are covered, from the texels that differ from it.
///
/// A region is a connected set of texels that differ, with enough of them that differ much
/// (hysteresis, as J. Canny, "A Computational Approach to Edge Detection", 1986). Keeps its memory.
final class CoverRegions {
  /// The texels that are covered.
  var cover = TexelSet()
  /// The texels that differ from the face, more and much; and those that were covered.
  var weak = TexelSet(), medium = TexelSet(), strong = TexelSet(), held = TexelSet()

  /// The numbers of a region's texels, and of those in each set.
  struct Region {
    var count = 0, medium = 0, strong = 0, held = 0
  }

  private let components = ConnectedComponents()
  private var regions: [Region] = []

  func removeMarks() {
    (weak, medium, strong, held) = (TexelSet(), TexelSet(), TexelSet(), TexelSet())
  }

  /// Sets `cover` to the regions of `weak` with more than `minimum` texels for which `isKept` is true.
  func keepRegions(minimum: Int, where isKept: (Region) -> Bool) {
    cover = TexelSet()
    components.find(in: weak, diagonals: true)
    startRegions()
    for run in components.runs {
      func count(_ set: borrowing TexelSet) -> Int { (set.rows[run.y] & run.word).nonzeroBitCount }
      regions[run.component].count += run.count
      regions[run.component].medium += count(medium)
      regions[run.component].strong += count(strong)
      regions[run.component].held += count(held)
    }
    for run in components.runs {
      let region = regions[run.component]
      if region.count > minimum, isKept(region) { cover.formUnion(run.word, run.y) }
    }
  }

  /// Adds the holes with fewer than `size` texels; only the texels of `inside` are counted.
  func fillHoles(size: Int, _ inside: TexelSet) {
    components.find(in: inside.subtracting(cover), diagonals: false)
    startRegions()
    for run in components.runs { regions[run.component].count += run.count }
    for run in components.runs where regions[run.component].count < size {
      cover.formUnion(run.word, run.y)
    }
  }

  private func startRegions() {
    regions.removeAll(keepingCapacity: true)
    for _ in 0..<components.count { regions.append(Region()) }
  }

  /// Closes gaps of the cover narrower than twice `radius`: dilation, then erosion by a square.
  func close(radius: Int) {
    cover.dilate(radius: radius)
    cover.erode(radius: radius)
  }
}
