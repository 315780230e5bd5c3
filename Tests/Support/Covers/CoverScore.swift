package import Faces
package import Pixels

/// Compares the covers that were measured in a film with the truth, inside the oval of the mesh where
/// paint would be drawn.
package struct CoverScore: Sendable {
  private var (hidden, covered, freed, bare) = (0.0, 0.0, 0.0, 0.0)
  private var (flickers, flickerFrames) = (0.0, 0)
  private var firstCovered: Int?
  /// Frames until half of the cover is free of paint; nil before that.
  package private(set) var framesLate: Int?
  /// The largest part of the bare face that lost paint in a frame.
  package private(set) var worstFreed = 0.0
  /// The frames without a face.
  package private(set) var lost = 0
  private var last: (cover: [Float], truth: [Float])?
  private var frame = 0

  package init() {}

  /// The part of the cover that is kept free of paint, in percent.
  package var hiddenPercent: Double { covered > 0 ? 100 * hidden / covered : 100 }
  /// The part of the bare face that loses its paint, in percent.
  package var freedPercent: Double { bare > 0 ? 100 * freed / bare : 0 }
  /// The mean change from frame to frame where the truth does not change, in percent.
  package var flickerPercent: Double {
    flickerFrames > 0 ? 100 * flickers / Double(flickerFrames) : 0
  }

  /// Adds a frame; `original` is the mesh oval of the face without a cover, in pixels.
  package mutating func add(_ face: Face?, _ truth: Grid<Float>, original: [Point]) {
    defer { frame += 1 }
    guard let face, face.landmarks.count >= Face.landmarkCount else {
      lost += 1
      last = nil
      return
    }
    let (width, height) = (truth.width, truth.height)
    let oval = MeshIndex.oval.map {
      face.landmarks[$0].inPixels(Double(width), Double(height))
    }
    let sampler = CoverSampler()
    let isCovered = sampler.set(face.cover, width: width, height: height)
    var cover = [Float](repeating: -1, count: width * height)
    var (frameHidden, frameCovered, frameFreed, frameBare) = (0.0, 0.0, 0.0, 0.0)
    var (change, unchanged, area) = (0.0, 0.0, 0.0)
    var flat: [Float] = []
    for y in 0..<height {
      let row = truth.row(y)
      let (paint, face) = (Self.spans(oval, y), Self.spans(original, y))
      for x in 0..<width {
        flat.append(row[x])
        guard Self.contains(paint, x) else { continue }
        area += 1
        let own =
          isCovered ? 1 - sampler.visibility(at: Point(x: Double(x) + 0.5, y: Double(y) + 0.5)) : 0
        cover[y * width + x] = own
        if row[x] > 0.5 {
          frameHidden += Double(own)
          frameCovered += 1
        } else if row[x] < 0.05, Self.contains(face, x) {
          frameFreed += Double(own)
          frameBare += 1
        }
        if let last, last.cover[y * width + x] >= 0,
          abs(last.truth[y * width + x] - row[x]) < 0.05
        {
          change += Double(abs(own - last.cover[y * width + x]))
          unchanged += 1
        }
      }
    }
    (hidden, covered) = (hidden + frameHidden, covered + frameCovered)
    (freed, bare) = (freed + frameFreed, bare + frameBare)
    if frameBare > 0 { worstFreed = max(worstFreed, 100 * frameFreed / frameBare) }
    if frameCovered > 0.02 * area {
      if firstCovered == nil { firstCovered = frame }
      if framesLate == nil, frameHidden > 0.5 * frameCovered, let firstCovered {
        framesLate = frame - firstCovered
      }
    }
    if unchanged > 0 {
      flickers += change / unchanged
      flickerFrames += 1
    }
    last = (cover, flat)
  }

  /// The crossings of a row with a closed ring, in order.
  private static func spans(_ ring: [Point], _ row: Int) -> [Double] {
    let y = Double(row) + 0.5
    var crossings: [Double] = []
    for index in ring.indices {
      let (a, b) = (ring[index], ring[(index + 1) % ring.count])
      guard (a.y > y) != (b.y > y) else { continue }
      crossings.append(a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y))
    }
    return crossings.sorted()
  }

  private static func contains(_ crossings: [Double], _ column: Int) -> Bool {
    let x = Double(column) + 0.5
    return crossings.count { $0 < x } % 2 == 1
  }
}
