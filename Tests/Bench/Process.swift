import Glibc
import Support

/// The cost of a run.
struct Cost {
  /// User and system CPU seconds of all threads.
  var cpu: Double
  /// Wall-clock seconds (monotonic).
  var wall: Double
  /// Peak memory in megabytes.
  var peak = 0.0

  /// The cost of this process so far.
  static var now: Cost {
    Cost(cpu: time(of: CLOCK_PROCESS_CPUTIME_ID), wall: time(of: CLOCK_MONOTONIC))
  }

  static func - (a: Cost, b: Cost) -> Cost {
    Cost(cpu: a.cpu - b.cpu, wall: a.wall - b.wall, peak: max(a.peak, b.peak))
  }

  private static func time(of clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Runs a program without output, with `environment` added to this process's, and measures it; nil if it
/// fails.
///
/// `watch` is called with its process id every few milliseconds.
func execute(
  _ arguments: [String], _ environment: [String: String] = [:],
  watch: (pid_t) -> Void = { _ in }
) -> Cost? {
  let start = Cost.now.wall
  guard let pid = spawn(["env"] + environment.map { "\($0.key)=\($0.value)" } + arguments) else {
    return nil
  }
  var status: Int32 = 0
  var usage = rusage()
  var peak = 0.0
  for turn in 0... {
    // rusage includes the memory of this program, which the child shares until exec.
    if turn % 8 == 1 { peak = max(peak, memory(of: pid, "VmHWM") ?? 0) }
    watch(pid)
    let ended = wait4(pid, &status, WNOHANG, &usage)
    if ended == pid { break }
    guard ended == 0 || errno == EINTR else { return nil }
    usleep(2000)
  }
  func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
  return status != 0
    ? nil
    : Cost(
      cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime), wall: Cost.now.wall - start,
      peak: peak)
}

private func spawn(_ arguments: [String]) -> pid_t? {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for stream in [STDOUT_FILENO, STDERR_FILENO] {
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
  }
  let argv = arguments.map { strdup($0) } + [nil]
  defer { for text in argv { free(text) } }
  var pid: pid_t = 0
  return posix_spawnp(&pid, arguments[0], &actions, nil, argv, environ) == 0 ? pid : nil
}

/// A process's resident memory ("VmRSS") or its peak ("VmHWM"), in megabytes.
func memory(of pid: pid_t, _ kind: String) -> Double? {
  entry(kind, in: "/proc/\(pid)/status")?.split(separator: " ").first.flatMap { Double($0) }
    .map { $0 / 1024 }
}

/// The value after a label in one of the kernel's files; nil if there is none.
func entry(_ label: String, in path: String) -> Substring? {
  let text = String(decoding: ScratchFolder.bytes(path), as: UTF8.self)
  let line = text.split(separator: "\n").first { $0.hasPrefix(label) }
  return line?.drop { $0 != ":" }.dropFirst().drop { $0.isWhitespace }
}

/// Splits a command at spaces; no argument may contain one.
func words(_ command: String) -> [String] { command.split(separator: " ").map(String.init) }
