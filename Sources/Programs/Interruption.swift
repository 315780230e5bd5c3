import Glibc
import Synchronization

/// Ctrl-C, SIGTERM and SIGHUP, which end the command only after it has cleared away what is not
/// whole; and SIGPIPE and SIGXFSZ, which do not end it at all: a write says so.
package enum Interruption {
  private static let number = Atomic<Int32>(0)

  /// The signal that has come, if any.
  package static var signal: Int32? {
    let signal = number.load(ordering: .relaxed)
    return signal == 0 ? nil : signal
  }

  /// From here on signals are noted.
  ///
  /// Calls that wait are interrupted by them. One that was ignored when the command began, as nohup
  /// has it, still is.
  package static func listen() {
    // Made now, and not by a signal.
    number.store(0, ordering: .relaxed)
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      sigaction(signal, nil, &action)
      if unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1 { continue }
      action = sigaction()
      action.__sigaction_handler.sa_handler = { Interruption.number.store($0, ordering: .relaxed) }
      sigaction(signal, &action, nil)
    }
    for signal in [SIGPIPE, SIGXFSZ] { Glibc.signal(signal, SIG_IGN) }
  }
}
