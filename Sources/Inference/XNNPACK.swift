import CXNNPACK

/// The XNNPACK library, set up once in the life of the process.
enum XNNPACK {
  /// Touched only once it is known that starting is safe.
  private static let status = xnn_initialize(nil)

  /// Makes the library ready, from any thread; throws on processors it has no code for, and where
  /// starting it would end the process.
  static func start() throws(ModelError) {
    if let mismatch { throw mismatch }
    try check(status, "xnn_initialize")
  }

  /// Why XNNPACK must not be started; nil where all is well.
  ///
  /// XNNPACK reads libcpuinfo's record by the layout it was compiled for. Releases of libcpuinfo
  /// under one name have moved its fields: read by the wrong layout, AVX2 looks like AVX-512, and
  /// the first network ends the process by an illegal instruction.
  private static let mismatch: ModelError? = {
    #if arch(x86_64)
      guard cpuinfo_initialize() else { return nil }
      let told: [(has: Bool, bit: UInt32)] = [
        (cpuinfo_has_x86_fma3(), 1), (cpuinfo_has_x86_avx2(), 2), (cpuinfo_has_x86_avx512f(), 4),
      ]
      return mismatch(told: told.reduce(0) { $1.has ? $0 | $1.bit : $0 }, has: cxnn_processor())
    #else
      return nil
    #endif
  }()

  /// The same for what libcpuinfo tells of a processor and what the processor has, as the bits of
  /// `cxnn_processor`: the extensions that decide which kernels XNNPACK runs.
  static func mismatch(told: UInt32, has: UInt32) -> ModelError? {
    guard told != has else { return nil }
    return ModelError(
      "the library libcpuinfo0 that is installed is not the release that libxnnpack0 was built "
        + "with, and running networks would end the program; install both from one release of "
        + "the system (apt-get install --reinstall libxnnpack0 libcpuinfo0)")
  }

  /// Turns a status that is not success into an error that names the call.
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
