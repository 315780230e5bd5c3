import Files
import Glibc
import Programs

/// Detects a pipeline that has stopped for good; a slow one is left alone.
///
/// A demuxer or decoder that fails on its input may pause every task and report nothing. The pipeline
/// is given up when for two seconds nothing moves: no buffer passes, no processor time is used, and no
/// thread is runnable or waits for a disk or a file. GStreamer's `watchdog` element measures the time
/// between buffers alone, and would give up on slow disks, on busy machines, and on processes that
/// were stopped for a while.
///
/// For the thread that waits for the pipeline, whose own processor time is not counted.
struct Watchdog {
  /// Seconds between two checks.
  static let interval = 0.25
  /// Checks without any activity.
  ///
  /// Checks are counted, not seconds: a process that was stopped, or a machine that slept, is not
  /// stuck.
  private static let idleLimit = 8
  /// The processor time that an idle process may use between two checks, in seconds.
  private static let idleTime = 0.002
  /// Checks with processor time and without a buffer: ten minutes, more than any frame takes.
  private static let busyLimit = 2400

  private var idleChecks = 0
  private var busyChecks = 0
  private var lastCount = -1
  private var lastTime = 0.0
  private var due = 0.0

  init() {}

  /// Returns the reason to give up, once there is one.
  ///
  /// Call it often.
  ///
  /// `count`: a number that changes with every buffer.
  mutating func stallReason(_ count: () -> Int) -> String? {
    let now = MonotonicClock.seconds
    guard now >= due else { return nil }
    due = now + Self.interval
    let (oldCount, oldTime) = (lastCount, lastTime)
    lastCount = count()
    lastTime =
      MonotonicClock.seconds(CLOCK_PROCESS_CPUTIME_ID)
      - MonotonicClock.seconds(CLOCK_THREAD_CPUTIME_ID)
    busyChecks = lastCount == oldCount ? busyChecks + 1 : 0
    let isActive =
      lastCount != oldCount || lastTime - oldTime > Self.idleTime || Self.hasBusyThread
    idleChecks = isActive ? 0 : idleChecks + 1
    guard idleChecks == Self.idleLimit || busyChecks == Self.busyLimit else { return nil }
    let checks = idleChecks == Self.idleLimit ? idleChecks : busyChecks
    (idleChecks, busyChecks) = (0, 0)
    return
      "nothing has moved for \((Double(checks) * Self.interval).fixed(0)) s: GStreamer met something"
      + " in it that it neither decodes nor reports"
  }

  /// Whether another thread of the process runs, is runnable, or waits for a disk or a file.
  private static var hasBusyThread: Bool {
    guard let path = realpath("/proc/thread-self", nil) else { return false }
    defer { free(path) }
    let own = String(cString: path).split(separator: "/").last.flatMap { Int32($0) }
    guard let folder = opendir("/proc/self/task") else { return false }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      guard let thread = Int32(entry.fileName.description), thread != own else { continue }
      if isBusy(thread) { return true }
    }
    return false
  }

  private static func isBusy(_ thread: Int32) -> Bool {
    guard let text = readProcFile("/proc/self/task/\(thread)/stat"),
      let name = text.lastIndex(of: ")")
    else { return true }  // It has ended meanwhile.
    let state = text[text.index(after: name)...].first { $0 != " " }
    return state == "R" || state == "D" || waitsForFile(thread)
  }

  /// The numbers of read, write, pread, pwrite, readv, writev, fsync and fdatasync.
  private static let fileCalls: Set<Int> = {
    #if arch(x86_64)
      [0, 1, 17, 18, 19, 20, 74, 75]
    #elseif arch(arm64)
      [63, 64, 67, 68, 65, 66, 82, 83]
    #else
      []
    #endif
  }()

  /// Whether a thread reads or writes a file.
  ///
  /// On some network file systems its state is sleeping.
  private static func waitsForFile(_ thread: Int32) -> Bool {
    guard let fields = readProcFile("/proc/self/task/\(thread)/syscall")?.split(separator: " "),
      fields.count > 1, let call = Int(fields[0]), fileCalls.contains(call),
      let file = Int32(fields[1].dropFirst(2), radix: 16)
    else { return false }
    var status = stat()
    return fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func readProcFile(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(file, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
