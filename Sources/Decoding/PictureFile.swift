package import Files
package import Frames
package import Pixels
package import Threads

/// Decodes pictures, animations and films with GStreamer's decoders.
package enum PictureFile {
  /// One decoded picture: RGBA, straight alpha, upright.
  package struct DecodedFrame: @unchecked Sendable {
    // Immutable once another thread gets it.
    package let picture: OwnedPicture
    /// Nanoseconds since the first frame.
    package let time: UInt64
    /// Nanoseconds; 0 for a still.
    package let duration: UInt64
  }

  /// The limits of a decoding.
  package struct Limits: Sendable {
    package var frames = 1
    package var pixels = 64_000_000
    package var bytes = 512 << 20
    /// The file's size in bytes.
    package var file = 256 << 20
    /// The longer side in pixels at which SVG files are rendered; nil for their own size.
    package var vectorSide: Int?

    package init(frames: Int = 1, vectorSide: Int? = nil) {
      self.frames = frames
      self.vectorSide = vectorSide
    }
  }

  /// Decodes the frames of a file, at most `limits.frames` of them.
  ///
  /// Blocks the calling thread until it is done or cancelled. Errors name the file and the reason.
  package static func decode(
    _ file: UntrustedFile, limits: Limits = Limits(), order: CancellationToken = CancellationToken()
  ) throws(ElementError) -> [DecodedFrame] {
    try PictureDecoding(file, limits, order).decodeFrames()
  }

  /// Decodes a file to its end and passes each frame to `take`; returns the number of frames.
  ///
  /// `limits.frames` and `limits.bytes` are ignored. `take` is called on a decoder's thread, which
  /// it may block; it returns false to stop. Errors are those of `decode`, also after frames were
  /// passed.
  package static func play(
    _ file: UntrustedFile, limits: Limits = Limits(), order: CancellationToken,
    _ take: @escaping @Sendable (DecodedFrame) -> Bool
  ) throws(ElementError) -> Int {
    try PictureDecoding(file, limits, order, receiver: take).decodeToReceiver()
  }

  /// Opens a picture file; the error says why it cannot be used.
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
        throw ElementError(.openRead, "\(path) is not a regular file.")
      case .tooLarge(let size):
        throw ElementError(
          .wrongContent,
          "\(path) is too large: \(size >> 20) MB, at most \(Limits().file >> 20) MB.")
      case .outside: throw ElementError(.openRead, "\(path) \(error).")
      case .unreadable: throw ElementError(.openRead, "\(path) cannot be read: \(error).")
      }
    }
  }
}
