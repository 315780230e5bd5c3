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
  while wait4(pid, &status, 0, &usage) < 0 {
    guard errno == EINTR else { return nil }
  }
  guard status == 0 else { return nil }
  return Cost(
    cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime), wall: now() - start,
    peak: Double(usage.ru_maxrss) / 1024)
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
