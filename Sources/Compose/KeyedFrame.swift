package import Pixels

/// What a keyer makes of a frame, for compositing.
package struct KeyedFrame {
  /// Alpha on the chroma grid.
  package enum Alpha {
    /// Of the whole frame.
    case plane(GridPlane)
    /// Made row by row, each just before it is composited; a maker for each thread. Only where
    /// `FrameCompositor.compositesRowByRow` says so.
    case rows([any AlphaRowMaker])
  }

  let alpha: Alpha
  /// What corrects the colours of mixed samples, for each thread; none where they stay.
  let edges: [any EdgeColors]
  /// The background where the caller has none.
  let background: BackgroundRows?

  package init(
    alpha: Alpha, edges: [any EdgeColors] = [], background: BackgroundRows? = nil
  ) {
    (self.alpha, self.edges, self.background) = (alpha, edges, background)
  }
}

/// Makes rows of alpha on one thread, each from the samples that are composited next.
package protocol AlphaRowMaker: AnyObject {
  /// The row made last, whichever row is asked for.
  var alphaRow: GridPlane.Rows { get }

  /// Makes grid row `y` of the picture's components, which have the grid's size but for luma.
  func makeRow(_ y: Int, _ components: PackedPixels.Rows)
}

/// Corrects the colours of mixed samples on one thread, before and after the background is blended in.
package protocol EdgeColors: AnyObject {
  /// Whether `correct` reads alpha as it was keyed.
  var readsKeyedAlpha: Bool { get }
  /// Whether `correct` or `addLight` reads alpha as it is composited.
  var readsAlpha: Bool { get }

  /// Marks those foreground blocks of grid row `y` as mixed whose colours change.
  func markMixed(_ kinds: Row<UInt8>, _ y: Int)
  /// Prepares for samples of some blocks.
  func prepare(_ blocks: MixedBlocks, _ scratch: ComposeScratch.Rows)
  /// Replaces samples by the foreground's own; in place.
  func correct(_ samples: Row<UInt8>, _ site: EdgeSamples)
  /// Adds light to samples that have their background; in place.
  func addLight(_ samples: Row<UInt8>, _ site: EdgeSamples)
}

/// Where the samples lie that an `EdgeColors` is given: those of the prepared blocks, side by side.
package struct EdgeSamples {
  package let component: Int
  /// Whether there are two samples for each of the grid: luma over subsampled chroma.
  package let isDoubled: Bool
  /// Whether the line of samples is the first of those with the same keyed alpha.
  package let isNewAlpha: Bool
  /// The samples' alpha, as composited and as keyed; each valid only where it is read.
  package let alpha, keyedAlpha: Row<UInt8>
}

/// The blocks of a grid row in which foreground and background mix.
package struct MixedBlocks {
  /// Ascending.
  package let numbers: Row<UInt16>
  /// The grid row.
  package let y: Int
  let gridWidth: Int

  /// Samples of the blocks on the grid.
  package var count: Int { numbers.count &* GridPlane.Rows.block }

  /// Calls `body` with the columns of each run of neighbouring blocks, and where they begin among the
  /// blocks side by side.
  package func forRuns(_ body: (_ columns: Range<Int>, _ offset: Int) -> Void) {
    let block = GridPlane.Rows.block
    var i = 0
    while i < numbers.count {
      let start = i
      repeat { i &+= 1 } while i < numbers.count && numbers[i] == numbers[i &- 1] &+ 1
      let first = Int(numbers[start]) &* block
      body(first..<min(first &+ (i &- start) &* block, gridWidth), start &* block)
    }
  }
}
