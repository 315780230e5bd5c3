import Glibc
import Synchronization

/// SIGINT, SIGTERM and SIGHUP: the program polls for them and removes incomplete files before it
/// ends.
///
/// SIGPIPE and SIGXFSZ are ignored: the write that causes them fails instead.
package enum TerminationSignal {
  private static let number = Atomic<Int32>(0)

  /// The signal that arrived last; nil before the first.
  package static var received: Int32? {
    let signal = number.load(ordering: .relaxed)
    return signal == 0 ? nil : signal
  }

  /// Installs the handlers.
  ///
  /// System calls that wait are interrupted. A signal that is ignored already, as by nohup, stays
  /// ignored.
  package static func install() {
    // Initialises the global here, and not in a signal handler.
    number.store(0, ordering: .relaxed)
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      sigaction(signal, nil, &action)
      if unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1 { continue }
      action = sigaction()
      action.__sigaction_handler.sa_handler = {
        TerminationSignal.number.store($0, ordering: .relaxed)
      }
      sigaction(signal, &action, nil)
    }
    for signal in [SIGPIPE, SIGXFSZ] { Glibc.signal(signal, SIG_IGN) }
  }
}
