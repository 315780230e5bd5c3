import Glibc

/// What a program cost from its start to its end.
struct Cost {
  /// Processor seconds, of all threads, in and out of the kernel.
  var cpu: Double
  var wall: Double
  /// Most memory held at a time, in megabytes.
  var peak = 0.0

  static func - (a: Cost, b: Cost) -> Cost {
    Cost(cpu: a.cpu - b.cpu, wall: a.wall - b.wall, peak: max(a.peak, b.peak))
  }
}

/// Runs a program to its end and measures it; nil when it fails or cannot be started.
func run(_ arguments: [String], environment: [String: String]) -> Cost? {
  let start = now()
  guard let pid = spawn(arguments, environment: environment) else { return nil }
  var status: Int32 = 0
  var usage = rusage()
  var peak = 0.0
  for turn in 0... {
    // rusage counts this program's own memory too, which the child held until it became another.
    if turn % 8 == 1 { peak = max(peak, memoryPeak(of: pid)) }
    let ended = wait4(pid, &status, WNOHANG, &usage)
    if ended == pid { break }
    guard ended == 0 || errno == EINTR else { return nil }
    usleep(2000)
  }
  guard status == 0 else { return nil }
  return Cost(
    cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime), wall: now() - start,
    peak: peak)
}

/// Most memory a running process has held so far, in megabytes; 0 where it cannot be read.
private func memoryPeak(of pid: pid_t) -> Double {
  guard let file = fopen("/proc/\(pid)/status", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, Int32(line.count), file) != nil {
    let text = decode(line)
    guard text.hasPrefix("VmHWM:") else { continue }
    return (text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0) / 1024
  }
  return 0
}

/// Starts a program that prints nowhere, with `environment` added to this one's.
func spawn(_ arguments: [String], environment: [String: String]) -> pid_t? {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
  let argv = arguments.map { strdup($0) } + [nil]
  var variables: [String] = []
  var entry = environ
  while let text = entry.pointee {
    let line = String(cString: text)
    let name = line.prefix { $0 != "=" }
    if environment[String(name)] == nil { variables.append(line) }
    entry += 1
  }
  variables += environment.map { "\($0.key)=\($0.value)" }
  let envp = variables.map { strdup($0) } + [nil]
  defer {
    for text in argv { free(text) }
    for text in envp { free(text) }
  }
  var pid: pid_t = 0
  return posix_spawnp(&pid, arguments[0], &actions, nil, argv, envp) == 0 ? pid : nil
}

func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

/// Seconds on a clock that only goes forward.
func now() -> Double { time(of: CLOCK_MONOTONIC) }

/// Processor seconds this process has used.
func processorTime() -> Double { time(of: CLOCK_PROCESS_CPUTIME_ID) }

private func time(of clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
