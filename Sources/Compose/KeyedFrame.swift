package import Pixels

/// The result of keying a frame, for compositing.
package struct KeyedFrame {
  /// Alpha on the chroma grid.
  package enum Alpha {
    /// Of the whole frame.
    case plane(GridPlane)
    /// Made row by row, directly before each is composited, by one maker per thread. Requires
    /// `FrameCompositor.compositesRowByRow`.
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
  /// The plane whose every row is the row made last.
  var alphaRow: GridPlane.Rows { get }

  /// Makes grid row `y` of the picture's components, which have the grid's size but for luma.
  func makeRow(_ y: Int, _ components: PackedPixels.Rows)
}

/// Corrects the colours of mixed samples on one thread, before and after the background is blended
/// in.
package protocol EdgeColors: AnyObject {
  /// Whether `restoreForeground` reads alpha as keyed.
  var readsKeyedAlpha: Bool { get }
  /// Whether `restoreForeground` or `addLight` reads alpha as composited.
  var readsAlpha: Bool { get }

  /// Marks those foreground blocks of grid row `y` as mixed whose colours change.
  func markMixed(_ kinds: Row<UInt8>, _ y: Int)
  /// Prepares for samples of some blocks.
  func prepare(_ blocks: MixedBlocks, _ scratch: ComposeScratch.Rows)
  /// Replaces samples in place by the foreground's own colours.
  func restoreForeground(_ samples: Row<UInt8>, _ site: EdgeSamples)
  /// Adds light in place to composited samples.
  func addLight(_ samples: Row<UInt8>, _ site: EdgeSamples)
}

/// Where the samples lie that an `EdgeColors` is given: those of the prepared blocks, side by side.
package struct EdgeSamples {
  package let component: Int
  /// Whether there are two samples for each of the grid: luma over subsampled chroma.
  package let isDoubled: Bool
  /// Whether this is the first line of samples with this keyed alpha.
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

  /// Calls `body` with the columns of each run of neighbouring blocks, and where they begin among
  /// the blocks side by side.
  package func forEachRun(_ body: (_ columns: Range<Int>, _ offset: Int) -> Void) {
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
