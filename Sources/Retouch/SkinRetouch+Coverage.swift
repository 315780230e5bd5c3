import Faces
import Pixels

/// Which cells of a face are skin that is seen.
extension SkinRetouch {
  /// Rasterizes the face's mask into `coverage`: its outer ring minus its own features, the
  /// features of overlapping faces, and the faces before it.
  func rasterizeMask(_ index: Int) {
    let track = follower.tracks[index].state
    let region = track.mask.region
    coverage.resize(width: region.width, height: region.height)
    let temporary = scratch.sums(0)
    guard let outer = track.outline.rings.first else { return }
    rasterizer.fill(track.outline.points, outer, region, into: coverage)
    for other in follower.tracks.indices where follower.tracks[other].isSeen {
      let outline = follower.tracks[other].state.outline
      guard other == index || outline.bounds.intersection(track.outline.bounds).area > 0 else {
        continue
      }
      for (number, ring) in outline.rings.enumerated() where number > 0 || other < index {
        rasterizer.subtract(outline.points, ring, region, from: coverage, scratch: temporary)
      }
    }
    subtractCover(of: track, from: coverage, 0..<region.height)
  }

  /// Adds the forehead above the oval to `coverage`, minus other faces and the foreheads of the
  /// faces before this one.
  func rasterizeForehead(_ index: Int) {
    let track = follower.tracks[index].state
    let region = track.mask.region
    guard let ring = track.outline.foreheadRing, track.skin.isKnown else { return }
    let rows = track.outline.foreheadRows(region)
    let soft = scratch.soft
    soft.resize(width: region.width, height: region.height)
    rasterizer.fill(track.outline.points, ring, region, into: soft, rows)
    let temporary = scratch.sums(0)
    for other in follower.tracks.indices where follower.tracks[other].isSeen {
      let outline = follower.tracks[other].state.outline
      guard
        other == index || outline.extendedBounds.intersection(track.outline.extendedBounds).area > 0
      else {
        continue
      }
      for (number, ring) in outline.rings.enumerated() where number > 0 || other != index {
        let cut = number == 0 && other < index ? outline.foreheadRing ?? ring : ring
        rasterizer.subtract(outline.points, cut, region, from: soft, scratch: temporary, rows)
      }
    }
    subtractCover(of: track, from: soft, rows)
    for y in rows {
      let (row, cap) = (coverage.row(y), soft.row(y))
      let n = min(row.count, cap.count)
      for x in 0..<n { row[x] = max(row[x], cap[x]) }
    }
  }

  /// Removes what is in front of a face from rows of its coverage.
  private func subtractCover(
    of track: FaceTrack, from coverage: Grid<UInt16>, _ rows: Range<Int>
  ) {
    guard coverSampler.set(track.cover, width: width, height: height) else { return }
    let region = track.mask.region
    let step = Double(region.step)
    for y in rows {
      let row = coverage.row(y)
      let line = (Double(region.y + y) + 0.5) * step
      for x in 0..<row.count where row[x] > 0 {
        let visible = coverSampler.visibility(
          at: Point(x: (Double(region.x + x) + 0.5) * step, y: line))
        if visible < 1 {
          row[x] = UInt16(truncatingIfNeeded: nearest(Float(Int32(row[x])) * visible))
        }
      }
    }
  }
}
