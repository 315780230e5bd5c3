import Files
import Glibc
import Programs

/// A process's claim to a film of a batch: a file beside the output that other processes see.
///
/// The file is created with O_EXCL, which NFS supports from version 3 on, and names its holder. A
/// process of the same machine is looked up by its number and start time; one of another machine
/// counts as dead when its file has not been touched for `patience` seconds of the file system's own
/// clock. Locks of the kernel (flock) are not used: some network file systems keep them to one machine.
/// Two holders at once cost time and nothing else, since an output is only written where there is none.
final class FilmClaim {
  /// Names of claims begin so; a hash of the film's name follows.
  static let prefix = ".mien-lock-"
  /// Seconds between two touches.
  private static let interval = 15
  /// Seconds after which an untouched claim of another machine is void.
  private static let patience = 120.0

  private let path: FilePath
  private let descriptor: Int32
  private let released = Latch()

  /// The result of `take`.
  enum Attempt {
    case taken(FilmClaim)
    /// With the holder, for the user.
    case held(String)
  }

  private init(_ path: FilePath, _ descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
    let (released, descriptor) = (released, descriptor)
    DetachedThread.run {
      while !released.wait(milliseconds: Self.interval * 1000) { futimens(descriptor, nil) }
    }
  }

  /// Claims the film with the output `output`, whose folder exists.
  static func take(_ output: FilePath) throws(ProgramError) -> Attempt {
    let path = claimPath(output)
    let text = Array((ClaimHolder.current.text + "\n").utf8)
    for _ in 0..<20 {
      let made = path.withCString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
      if made >= 0 {
        guard Terminal.writeAll(text, to: made) else {
          let reason = Terminal.errnoText
          close(made)
          _ = path.withCString { unlink($0) }
          throw .failure("\(Terminal.printable(path.split.folder)): \(reason)")
        }
        return .taken(FilmClaim(path, made))
      }
      guard errno == EEXIST else {
        throw .failure(
          "nothing can be written to \(Terminal.printable(path.split.folder)): \(Terminal.errnoText)"
        )
      }
      guard let seen = Observation(path) else { continue }
      if seen.isAlive(in: path.split.folder) {
        return .held(seen.holder?.description ?? "somebody")
      }
      remove(path, seen)
    }
    return .held("somebody")
  }

  /// The living holder of the film with this output, for the user; nil where it is free.
  static func holder(_ output: FilePath) -> String? {
    let path = claimPath(output)
    guard let seen = Observation(path), seen.isAlive(in: path.split.folder) else { return nil }
    return seen.holder?.description ?? "somebody"
  }

  /// Whether the film whose names have this hash is claimed by a living process.
  static func isHeld(_ hash: String, in folder: FilePath) -> Bool {
    Observation(folder.appending(FilePath(prefix + hash)))?.isAlive(in: folder) == true
  }

  /// Removes the claim at `path` where its holder is dead.
  static func removeIfDead(_ path: FilePath) {
    if let seen = Observation(path), !seen.isAlive(in: path.split.folder) { remove(path, seen) }
  }

  /// Gives the film up; a claim that another process has taken over is left alone.
  func release() {
    released.open()
    var (own, found) = (stat(), stat())
    if fstat(descriptor, &own) == 0, path.withCString({ lstat($0, &found) }) == 0,
      own.st_ino == found.st_ino, own.st_dev == found.st_dev
    {
      _ = path.withCString { unlink($0) }
    }
  }

  deinit { released.open() }

  /// Removes a dead claim; one that another process made meanwhile is put back.
  private static func remove(_ path: FilePath, _ seen: Observation) {
    let aside = path.appendingText(".\(getpid())-\(MonotonicClock.seconds)")
    guard
      path.withCString({ path in aside.withCString { rename(path, $0) } }) == 0
    else { return }
    if Observation(aside)?.identity != seen.identity {
      _ = aside.withCString { aside in path.withCString { link(aside, $0) } }
    }
    _ = aside.withCString { unlink($0) }
  }

  private static func claimPath(_ output: FilePath) -> FilePath {
    output.split.folder.appending(FilePath(prefix + NameHash.text(output.split.name)))
  }

  /// A claim's file as it is at one moment.
  private struct Observation {
    struct Identity: Equatable {
      let inode: UInt
      let seconds, nanoseconds: Int
    }

    let holder: ClaimHolder?
    let identity: Identity
    private var touched: Double { Double(identity.seconds) + Double(identity.nanoseconds) / 1e9 }

    init?(_ path: FilePath) {
      // Opening a file makes NFS ask the server for its times.
      let file = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
      guard file >= 0 else { return nil }
      defer { close(file) }
      var status = stat()
      var bytes = [UInt8](repeating: 0, count: 512)
      guard fstat(file, &status) == 0 else { return nil }
      bytes.removeLast(bytes.count - max(0, read(file, &bytes, bytes.count)))
      holder = ClaimHolder(String(decoding: bytes, as: UTF8.self))
      identity = Identity(
        inode: UInt(status.st_ino), seconds: status.st_mtim.tv_sec,
        nanoseconds: status.st_mtim.tv_nsec)
    }

    func isAlive(in folder: FilePath) -> Bool {
      if let holder, let isRunning = holder.isRunningHere { return isRunning }
      guard let now = FilmClaim.fileSystemTime(folder) else { return true }
      return now - touched < FilmClaim.patience
    }
  }

  /// The time of the file system that a folder is on, which is that of a server over a network.
  private static func fileSystemTime(_ folder: FilePath) -> Double? {
    guard let probe = try? AtomicFile(for: folder.appending("time")) else { return nil }
    defer { probe.discard() }
    // A size that changes makes the server set the time.
    guard Terminal.writeAll([0], to: probe.descriptor) else { return nil }
    var status = stat()
    fsync(probe.descriptor)
    guard fstat(probe.descriptor, &status) == 0 else { return nil }
    return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
  }
}

/// The process that holds a claim.
struct ClaimHolder: CustomStringConvertible {
  private let host: String
  private let process: Int32
  /// In clock ticks since the system's start: a later process of the same number has another.
  private let started: String
  /// The system's start and the process's namespace, within which process numbers are unique.
  private let system: String

  /// This process.
  static let current = ClaimHolder(
    host: hostName, process: getpid(), started: startTime(of: getpid()) ?? "0",
    system: localSystem)

  static var hostName: String {
    var name = utsname()
    uname(&name)
    return withUnsafeBytes(of: &name.nodename) {
      String(cString: $0.bindMemory(to: CChar.self).baseAddress!)
    }
  }

  private init(host: String, process: Int32, started: String, system: String) {
    (self.host, self.process, self.started, self.system) = (host, process, started, system)
  }

  /// Nil where the text is not complete.
  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 4, text.hasSuffix("\n"), let process = Int32(words[1]) else { return nil }
    self.init(
      host: String(words[0]), process: process, started: String(words[2]),
      system: String(words[3].dropLast()))
  }

  var text: String { "\(host) \(process) \(started) \(system)" }
  var description: String { "process \(process) on \(host)" }

  /// Whether the process runs; nil where it is not one of this machine.
  var isRunningHere: Bool? {
    guard system == Self.localSystem, !system.isEmpty else { return nil }
    return Self.startTime(of: process) == started
  }

  private static let localSystem: String = {
    var space = [CChar](repeating: 0, count: 64)
    let count = readlink("/proc/self/ns/pid", &space, space.count - 1)
    guard count > 0, let boot = read("/proc/sys/kernel/random/boot_id") else { return "" }
    let digits = space[..<count].map { UInt8(bitPattern: $0) }.filter { (48...57).contains($0) }
    return boot.filter { $0 != "\n" } + "-" + String(decoding: digits, as: UTF8.self)
  }()

  /// Nil where there is no such process, or a zombie has its number.
  private static func startTime(of process: Int32) -> String? {
    guard let text = read("/proc/\(process)/stat"), let name = text.lastIndex(of: ")") else {
      return nil
    }
    // Field 3 is the state, field 22 the start (proc(5)).
    let fields = text[text.index(after: name)...].split(separator: " ")
    guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
    return String(fields[19])
  }

  private static func read(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = Glibc.read(file, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
