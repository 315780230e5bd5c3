import Glibc
import Programs

/// Tells a pipeline that has stopped for good from one that is slow.
///
/// A demuxer or decoder that meets what it cannot digest may pause every task and report nothing;
/// the pipeline would then stand there for ever. It is given up when for two seconds nothing has
/// moved: no buffer, no processor time, no thread that waits for its turn, for a disk or for a file.
/// However slow the machine and however heavy the film, one of these goes on while there is anything
/// to wait for. Used on the thread that waits for the pipeline, whose own work does not count.
struct StallWatch {
  /// Seconds from one look to the next.
  static let tick = 0.25
  /// Ticks are counted, not seconds: a process that was stopped, or a machine that slept, is not
  /// stuck.
  private static let patience = 8
  /// What the process may use up in a tick by itself, seconds of processor time.
  private static let idle = 0.002
  /// Ticks of computing without a buffer: ten minutes are more than any frame takes.
  private static let endless = 2400

  private var still = 0
  private var computing = 0
  private var counted = -1
  private var used = 0.0
  private var due = 0.0

  init() {}

  /// To be called often; `count` changes with every buffer.
  ///
  /// The reason to give up, once there is one.
  mutating func look(_ count: () -> Int) -> String? {
    let now = Self.seconds(CLOCK_MONOTONIC)
    guard now >= due else { return nil }
    due = now + Self.tick
    let (wasCounted, wasUsed) = (counted, used)
    counted = count()
    used = Self.seconds(CLOCK_PROCESS_CPUTIME_ID) - Self.seconds(CLOCK_THREAD_CPUTIME_ID)
    computing = counted == wasCounted ? computing + 1 : 0
    if counted != wasCounted || used - wasUsed > Self.idle || Self.othersAreBusy {
      still = 0
    } else {
      still += 1
    }
    guard still == Self.patience || computing == Self.endless else { return nil }
    let ticks = still == Self.patience ? still : computing
    (still, computing) = (0, 0)
    return
      "nothing has moved for \((Double(ticks) * Self.tick).fixed(0)) s: GStreamer met something"
      + " in it that it neither decodes nor reports"
  }

  static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Whether another thread runs, could run, or waits for a disk or a file.
  private static var othersAreBusy: Bool {
    guard let path = realpath("/proc/thread-self", nil) else { return false }
    defer { free(path) }
    let own = String(cString: path).split(separator: "/").last.flatMap { Int32($0) }
    guard let folder = opendir("/proc/self/task") else { return false }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let thread = Int32(name), thread != own else { continue }
      if isBusy(thread) { return true }
    }
    return false
  }

  private static func isBusy(_ thread: Int32) -> Bool {
    guard let text = contents("/proc/self/task/\(thread)/stat"),
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

  /// Whether a thread is reading or writing a file: over some networks that looks like sleep.
  private static func waitsForFile(_ thread: Int32) -> Bool {
    guard let words = contents("/proc/self/task/\(thread)/syscall")?.split(separator: " "),
      words.count > 1, let call = Int(words[0]), fileCalls.contains(call),
      let file = Int32(words[1].dropFirst(2), radix: 16)
    else { return false }
    var status = stat()
    return fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func contents(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(file, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
