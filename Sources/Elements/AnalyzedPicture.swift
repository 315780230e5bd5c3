import Filters
import Pixels
import Threads

/// What an analyzer looks at: the picture itself, or its copy in 8 bits and standard dynamic range.
final class AnalyzedPicture {
  private var copy: EightBitCopy?
  private var format: VideoFormat?

  /// Prepares for pictures of a format; the copy of an equal one is kept.
  func configure(_ format: VideoFormat) {
    guard format.format.bitDepth > 8 else {
      release()
      return
    }
    if self.format != format { copy = EightBitCopy(format, showsStandardRange: true) }
    self.format = format
  }

  /// Frees the copy.
  func release() { (copy, format) = (nil, nil) }

  /// Calls `body` with the picture or its copy, valid during the call.
  func withPicture<R, E: Error>(
    _ picture: borrowing Picture, _ runner: (any SliceRunner)?,
    _ body: (borrowing Picture) throws(E) -> R
  ) throws(E) -> R {
    guard let copy else { return try body(picture) }
    if let runner { copy.update(picture, runner: runner) } else { copy.update(picture) }
    return try copy.picture.withPicture(body)
  }
}
