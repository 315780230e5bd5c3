import CXNNPACK

/// The XNNPACK library, set up once in the life of the process.
enum XNNPACK {
  private static let status = initialize()

  /// Starts the library, with the quicker of its two matrix kernels for processors with AVX2.
  ///
  /// One takes 5 rows at a time, the other 4, and XNNPACK takes that of 4 on AMD's first Zen alone.
  /// That of 5 needs a register more than there are: as GCC compiles it for Debian, one of its sums
  /// goes to the stack and back at every step, and networks take 30 to 45 % longer. XNNPACK asks
  /// libcpuinfo which processor this is, and is told Zen while it starts. Where there is AVX-512, or
  /// no AVX2, it has other kernels and is told the truth.
  private static func initialize() -> xnn_status {
    #if arch(x86_64)
      if cpuinfo_initialize(), cpuinfo_has_x86_fma3(), !cpuinfo_has_x86_avx512f(),
        let core = unsafe UnsafeMutablePointer(mutating: cpuinfo_get_core(0))
      {
        let known = unsafe core.pointee.uarch
        unsafe core.pointee.uarch = cpuinfo_uarch_zen
        defer { unsafe core.pointee.uarch = known }
        return xnn_initialize(nil)
      }
    #endif
    return xnn_initialize(nil)
  }

  /// Makes the library ready, from any thread; throws on processors it has no code for.
  static func start() throws(ModelError) {
    try check(status, "xnn_initialize")
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
