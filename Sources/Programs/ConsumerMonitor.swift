import Files
import Glibc

/// Tells whether another program looks at this process's camera of PipeWire.
///
/// By `pw-dump --monitor`, a tool that comes with PipeWire's daemon. Where it does not run, the camera
/// counts as looked at. For one thread.
package final class ConsumerMonitor {
  private var tool: ChildOutput?
  private var node = PipeWireNode(
    property: VirtualCamera.processProperty, value: "\(getpid())")
  private var isWatched = false
  private var endTime: Double?
  /// Seconds without consumers after which nobody looks: programs that change the size reconnect.
  private static let patience = 2.0

  package init() { tool = try? ChildOutput(["pw-dump", "--monitor", "--no-colors"]) }

  /// Whether somebody looks, by all that the tool has printed until now; never waits.
  package func poll() -> Bool {
    guard let tool else { return true }
    reading: while true {
      switch tool.nextLine() {
      case .text(let line):
        guard let state = node.take(line) else { continue }
        if state == .running {
          (isWatched, endTime) = (true, nil)
        } else if isWatched, endTime == nil {
          endTime = MonotonicClock.seconds + Self.patience
        }
      case .none: break reading
      case .end:
        self.tool = nil
        return true
      }
    }
    if let endTime, MonotonicClock.seconds >= endTime { (isWatched, self.endTime) = (false, nil) }
    return isWatched
  }
}
