import Decoding
import Files
import Frames
import Looks
import Threads

/// The .cube file of one element: read on a thread of its own.
///
/// The first frame waits for the one the stream begins with; while a later one is read the last good
/// look stays. All but `start`, `stop` and `interrupt` belong to the streaming thread.
final class CubeSource {
  private let loader = Loader<ColorMap>()
  private var path: FilePath?
  /// Frames wait for what is being read.
  private var isStarting = false
  /// What was read before the first frame came.
  private var first: ColorMap?

  /// Begins to read the file the stream begins with; says at once what is wrong with most.
  func start(_ path: FilePath?) throws(ElementError) {
    self.path = path
    isStarting = false
    guard let path, !path.isEmpty else { return }
    isStarting = true
    request(path)
    // Most files do not take that long, and what is wrong with one makes the state change fail.
    do throws(ElementError) {
      first = try loader.wait(atMost: .milliseconds(60))?.get()
    } catch {
      _ = stop()
      throw error
    }
  }

  /// False when a reader does not let go and was left behind.
  func stop() -> Bool {
    (path, isStarting, first) = (nil, false, nil)
    return loader.stop()
  }

  func interrupt() { loader.interrupt() }

  func resume() { loader.resume() }

  /// Brings `effect` to the look of `path`, once it was read; no path takes it away.
  ///
  /// Throws where the stream cannot begin with its file; `warn` hears why a later one cannot be had.
  func follow(
    _ path: FilePath?, _ effect: PhotoEffect, warn: (ElementError) -> Void
  ) throws(ElementError) {
    if isStarting {
      if first == nil { first = try loader.wait()?.get() }
      // Interrupted: nobody sees this frame, and the one after it waits again.
      guard let map = first else { return }
      (isStarting, first) = (false, nil)
      effect.use(map)
    }
    if path != self.path {
      self.path = path
      if let path, !path.isEmpty {
        request(path)
      } else {
        loader.cancel()
        effect.use(nil)
      }
    }
    switch loader.take() {
    case .success(let map): effect.use(map)
    case .failure(let error): warn(error)
    case nil: break
    }
  }

  private func request(_ path: FilePath) {
    loader.load { (order) throws(ElementError) in try Self.read(path, order) }
  }

  private static func read(
    _ path: FilePath, _ order: WorkOrder
  ) throws(ElementError) -> ColorMap {
    let file: HostileFile
    do {
      file = try HostileFile(path, limit: CubeReader.fileLimit)
    } catch {
      throw ElementError(
        error.kind == .missing ? .notFound : .openRead,
        "The cube \(path) cannot be read: \(error.description)")
    }
    do {
      return try CubeReader.read(file, order).map
    } catch {
      throw ElementError(
        .wrongContent, "The cube \(path) cannot be used: \(error.description)")
    }
  }
}
