import Decoding
import Files
import Frames
import Looks
import Threads

/// The .cube file of an element, read on a background thread.
///
/// The first frame waits for the initial file; while a later file is read the previous look stays.
/// All methods but `start`, `stop` and `interrupt` belong to the streaming thread.
final class CubeSource {
  private let loader = Loader<ColorMap>()
  private var path: FilePath?
  /// Whether frames wait for the file that is being read.
  private var isStarting = false
  /// The initial look, if it was read before the first frame.
  private var first: ColorMap?

  /// Begins to read the initial file; throws at once for most invalid files.
  func start(_ path: FilePath?) throws(ElementError) {
    self.path = path
    isStarting = false
    guard let path, !path.isEmpty else { return }
    // Opened here, so that a missing file fails the state change however busy the machine is.
    let file = try Self.open(path)
    isStarting = true
    loader.load { (token) throws(ElementError) in try Self.read(file, token) }
    // Most files are read in that time, and an error makes the state change fail.
    do throws(ElementError) {
      first = try loader.wait(atMost: .milliseconds(60))?.get()
    } catch {
      _ = stop()
      throw error
    }
  }

  /// False if the reading thread had to be abandoned.
  func stop() -> Bool {
    (path, isStarting, first) = (nil, false, nil)
    return loader.stop()
  }

  func interrupt() { loader.interrupt() }

  func resume() { loader.resume() }

  /// Sets the look of `path` on `effect` once it is read; nil or an empty path removes it.
  ///
  /// Throws if the initial file cannot be used; errors of later files go to `warn`.
  func updateLook(
    _ path: FilePath?, _ effect: PhotoEffect, warn: (ElementError) -> Void
  ) throws(ElementError) {
    if isStarting {
      if first == nil { first = try loader.wait()?.get() }
      // Interrupted: this frame is not shown, and the next one waits again.
      guard let map = first else { return }
      (isStarting, first) = (false, nil)
      effect.setCube(map)
    }
    if path != self.path {
      self.path = path
      if let path, !path.isEmpty {
        loader.load { (token) throws(ElementError) in try Self.read(Self.open(path), token) }
      } else {
        loader.cancel()
        effect.setCube(nil)
      }
    }
    switch loader.take() {
    case .success(let map): effect.setCube(map)
    case .failure(let error): warn(error)
    case nil: break
    }
  }

  private static func open(_ path: FilePath) throws(ElementError) -> UntrustedFile {
    do {
      return try UntrustedFile(path, limit: CubeReader.fileLimit)
    } catch {
      throw ElementError(
        error.kind == .missing ? .notFound : .openRead,
        "The .cube file \(path) cannot be read: \(error.description)")
    }
  }

  private static func read(
    _ file: UntrustedFile, _ token: CancellationToken
  ) throws(ElementError) -> ColorMap {
    do {
      return try CubeReader.read(file, token).map
    } catch {
      throw ElementError(
        .wrongContent, "The .cube file \(file.path) cannot be used: \(error.description)")
    }
  }
}
