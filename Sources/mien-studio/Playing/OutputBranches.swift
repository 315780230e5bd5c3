import CGStreamer
import Programs

/// The branches that get full-size frames beside the window; for any thread.
final class OutputBranches: @unchecked Sendable {
  private let lock = RecursiveLock()
  private var branches: [OutputBranch] = []

  func add(_ branch: OutputBranch) { lock { branches.append(branch) } }

  func remove(_ branch: OutputBranch) { lock { branches.removeAll { $0 === branch } } }

  func clear() { lock { branches = [] } }

  func push(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ caps: UnsafeMutablePointer<GstCaps>,
    at time: Int?
  ) {
    for branch in lock({ branches }) { branch.push(buffer, caps, at: time) }
  }

  /// The source of recorded audio.
  enum SoundSource { case film, microphone }

  private var soundSource = SoundSource.microphone

  /// Selects the source whose audio is recorded.
  func select(_ source: SoundSource) { lock { soundSource = source } }

  func push(
    sound buffer: UnsafeMutablePointer<GstBuffer>, at time: Int, from source: SoundSource
  ) {
    for branch in lock({ source == soundSource ? branches : [] }) {
      branch.push(sound: buffer, at: time)
    }
  }
}
