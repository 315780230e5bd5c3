package import Pixels

/// The result of keying a frame of more than 8 bits, for compositing; as `KeyedFrame`.
package struct DeepKeyedFrame {
  /// Alpha on the chroma grid.
  package enum Alpha {
    case plane(DeepPlane)
    /// Of 8 bits, which are widened.
    case bytes(GridPlane)
  }

  let alpha: Alpha
  /// What corrects the colours of mixed samples, for each thread; none where they stay.
  let edges: [any DeepEdgeColors]
  /// The background where the caller has none.
  let background: DeepBackground?

  package init(
    alpha: Alpha, edges: [any DeepEdgeColors] = [], background: DeepBackground? = nil
  ) {
    (self.alpha, self.edges, self.background) = (alpha, edges, background)
  }
}

/// Corrects the colours of mixed samples of more than 8 bits on one thread; as `EdgeColors`.
package protocol DeepEdgeColors: AnyObject {
  /// Whether `restoreForeground` reads alpha as keyed.
  var readsKeyedAlpha: Bool { get }

  /// Marks those foreground blocks of grid row `y` as mixed whose colours change.
  func markMixed(_ kinds: Row<UInt8>, _ y: Int)
  /// Prepares for samples of some blocks; `cells` is a row to upsample cells in.
  func prepare(_ blocks: MixedBlocks, cells: Row<UInt16>)
  /// Replaces samples in place by the foreground's own colours.
  func restoreForeground(_ samples: Row<UInt16>, _ site: DeepEdgeSamples)
  /// Adds light in place to composited samples.
  func addLight(_ samples: Row<UInt16>, _ site: DeepEdgeSamples)
}

/// Where the samples lie that a `DeepEdgeColors` is given; as `EdgeSamples`.
package struct DeepEdgeSamples {
  package let component: Int
  /// Whether there are two samples for each of the grid: luma over subsampled chroma.
  package let isDoubled: Bool
  package let alpha, keyedAlpha: Row<Float>
}

/// The rows of a background in codes of more than 8 bits; valid while its memory lives.
package struct DeepBackground {
  private enum Origin {
    case planes(Grid<UInt16>.Rows, Grid<UInt16>.Rows, Grid<UInt16>.Rows)
    case cells(DeepCellBackground)
  }

  private let origin: Origin
  private let field, fieldCount: Int

  /// Of planes of the frame, the rows of field `field` of `fieldCount`.
  init(
    planes: (Grid<UInt16>.Rows, Grid<UInt16>.Rows, Grid<UInt16>.Rows), field: Int,
    of fieldCount: Int
  ) {
    origin = .planes(planes.0, planes.1, planes.2)
    (self.field, self.fieldCount) = (field, fieldCount)
  }

  package init(_ cells: DeepCellBackground) {
    origin = .cells(cells)
    (field, fieldCount) = (0, 1)
  }

  /// Row `y` of a component, of `count` samples; they may lie in the scratch rows, until the next
  /// call.
  func row(
    _ component: Int, _ y: Int, count: Int, _ scratch: DeepScratch.Rows
  ) -> Row<UInt16> {
    switch origin {
    case .planes(let first, let second, let third):
      let plane = pick(component, (first, second, third))
      return plane.row(min(y &* fieldCount &+ field, plane.height &- 1))[..<count]
    case .cells(let cells):
      cells.upsample(component, y, scratch)
      return scratch.background[..<count]
    }
  }
}
