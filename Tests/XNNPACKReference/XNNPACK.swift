import CXNNPACK
import Inference

/// The XNNPACK library, initialized once in each process.
enum XNNPACK {
  private static let status = xnn_initialize(nil)

  /// Initializes the library, from any thread; throws on unsupported processors.
  static func start() throws(ModelError) { try check(status, "xnn_initialize") }

  /// Throws an error that names the call, unless the status is success.
  static func check(_ status: xnn_status, _ call: String) throws(ModelError) {
    let reason: String
    switch status {
    case xnn_status_success: return
    case xnn_status_uninitialized: reason = "XNNPACK is not initialized"
    case xnn_status_invalid_parameter: reason = "invalid parameter"
    case xnn_status_invalid_state: reason = "invalid state"
    case xnn_status_unsupported_parameter: reason = "unsupported parameter"
    case xnn_status_unsupported_hardware: reason = "this processor is not supported"
    case xnn_status_out_of_memory: reason = "out of memory"
    default: reason = "status \(status.rawValue)"
    }
    throw ModelError("\(call): \(reason)")
  }
}
