import CGStreamer
import Programs
import Puppets

/// Sends the face in the window to the program of an avatar, on this machine; for any thread.
final class AvatarOutput: @unchecked Sendable {
  private let lock = RecursiveLock()
  private var puppet: Puppet?

  /// Starts to send, with the protocol that most programs take; returns the receiver.
  func start() throws(ProgramError) -> String {
    let puppet = try Puppet(.vmc, to: nil)
    lock { self.puppet = puppet }
    return puppet.place
  }

  func stop() { lock { puppet = nil } }

  func push(_ buffer: UnsafeMutablePointer<GstBuffer>) { lock { puppet?.send(buffer) } }
}
