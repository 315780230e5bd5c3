import Glibc
import Support

/// What something cost from its start to its end.
struct Cost {
  /// Processor seconds, of all threads, in and out of the kernel.
  var cpu: Double
  /// Seconds on a clock that only goes forward.
  var wall: Double
  /// Most memory held at a time, in megabytes.
  var peak = 0.0

  /// Of this process so far.
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

/// Runs a program that prints nowhere to its end, with `environment` added to this one's, and
/// measures it; nil when it fails or cannot be started.
///
/// `watch` is given its number every few milliseconds.
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
    // rusage counts this program's own memory too, which the child held until it became another.
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

/// A running process's "VmRSS", which it holds, or "VmHWM", the most it has held, in megabytes.
func memory(of pid: pid_t, _ kind: String) -> Double? {
  entry(kind, in: "/proc/\(pid)/status")?.split(separator: " ").first.flatMap { Double($0) }
    .map { $0 / 1024 }
}

/// What stands behind a label in one of the kernel's files; nil where it does not.
func entry(_ label: String, in path: String) -> Substring? {
  let text = String(decoding: ScratchFolder.bytes(path), as: UTF8.self)
  let line = text.split(separator: "\n").first { $0.hasPrefix(label) }
  return line?.drop { $0 != ":" }.dropFirst().drop { $0.isWhitespace }
}

/// The words of a command in which none holds a space.
func words(_ command: String) -> [String] { command.split(separator: " ").map(String.init) }
