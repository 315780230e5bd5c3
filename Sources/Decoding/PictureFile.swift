package import Files
package import Frames
package import Pixels
package import Threads

/// Reads pictures, animations and films with whatever decoders GStreamer has.
package enum PictureFile {
  /// One decoded picture: RGBA, straight alpha, turned upright.
  package struct DecodedFrame: @unchecked Sendable {
    // Written by the decoder alone, before anybody else sees it.
    package let picture: OwnedPicture
    /// Nanoseconds from the first frame.
    package let time: UInt64
    /// Nanoseconds it is shown; 0 for a still.
    package let duration: UInt64
  }

  /// What a file may ask for at most.
  package struct Limits: Sendable {
    package var frames = 1
    package var pixels = 64_000_000
    package var bytes = 512 << 20
    /// Bytes of the file itself.
    package var file = 256 << 20
    /// Longer side that a described picture (SVG) is drawn at, whatever size it says it has; nil
    /// for as large as it says.
    package var vectorSide: Int?

    package init(frames: Int = 1, vectorSide: Int? = nil) {
      self.frames = frames
      self.vectorSide = vectorSide
    }
  }

  /// Decodes the frames of a file, at most `limits.frames` of them.
  ///
  /// Blocks the calling thread until it is done or not wanted any more; errors name the file and
  /// the reason.
  package static func decode(
    _ file: UntrustedFile, limits: Limits = Limits(), order: CancellationToken = CancellationToken()
  ) throws(ElementError) -> [DecodedFrame] {
    try PictureDecoding(file, limits, order).run()
  }

  /// Decodes a file to its end, and gives each frame to `take` once it is there; returns how many
  /// there were.
  ///
  /// Of the limits, `frames` and `bytes` do not count.
  /// `take` is called on a decoder's thread, which it may hold up; false ends it all. Errors are
  /// those of `decode`, also after frames were given.
  package static func play(
    _ file: UntrustedFile, limits: Limits = Limits(), order: CancellationToken,
    _ take: @escaping @Sendable (DecodedFrame) -> Bool
  ) throws(ElementError) -> Int {
    try PictureDecoding(file, limits, order, receiver: take).play()
  }

  /// Opens what should be a picture; the error says why it is none, or cannot be read.
  package static func open(
    _ path: FilePath, limits: Limits = Limits()
  ) throws(ElementError) -> UntrustedFile {
    try open(path) { () throws(FileError) in try UntrustedFile(path, limit: limits.file) }
  }

  /// The same for a file that `body` opens.
  package static func open(
    _ path: FilePath, _ body: () throws(FileError) -> UntrustedFile
  ) throws(ElementError) -> UntrustedFile {
    do throws(FileError) {
      return try body()
    } catch {
      switch error.kind {
      case .missing: throw ElementError(.notFound, "\(path) cannot be opened: \(error).")
      case .folder: throw ElementError(.openRead, "\(path) is a folder, not a picture.")
      case .notRegularFile:
        throw ElementError(.openRead, "\(path) is not a file that holds a picture.")
      case .tooLarge(let size):
        throw ElementError(
          .wrongContent,
          "\(path) is too large: \(size >> 20) MB, at most \(Limits().file >> 20).")
      case .outside: throw ElementError(.openRead, "\(path) \(error).")
      case .unreadable: throw ElementError(.openRead, "\(path) cannot be read: \(error).")
      }
    }
  }
}
