import CGStreamer
import Faces
import Glibc
import Programs
import Puppets
import Support
import Testing

/// Faces that are sent to avatars, as their programs receive them.
@Suite(.timeLimit(.minutes(20))) struct PuppetTests {
  private let scene = MienScene()
  private let receiver = DatagramReceiver()

  /// A buffer whose metadata is made by hand, with a large face of id 3 and a small one of id 4.
  private func withBuffer(
    large: AttachedFace?, _ body: (UnsafeMutablePointer<GstBuffer>) throws -> Void
  ) rethrows {
    precondition(Registered.now)
    let buffer = gst_buffer_new()!
    defer { gst_buffer_unref(buffer) }
    var small = AttachedFace(id: 4, x: 0.8, y: 0.8, width: 0.1, height: 0.1)
    small.numbers = [("roll", 1), ("yaw", 0), ("pitch", 0)]
    AttachedFace.attach([large, small].compactMap { $0 }, to: buffer)
    try body(buffer)
  }

  private var face: AttachedFace {
    var face = AttachedFace(id: 3, x: 0.3, y: 0.3, width: 0.4, height: 0.4)
    face.numbers = [("roll", 0), ("yaw", -20), ("pitch", 0)]
    face.floats = [("blendshapes", (0..<52).map { Float($0) / 64 })]
    return face
  }

  @Test func all52NamesAndTheHeadArrive() throws {
    let puppet = try Puppet(.vmc, to: "127.0.0.1:\(receiver.port)")
    withBuffer(large: face) { puppet.send($0) }
    let bytes = try #require(receiver.next(milliseconds: 2000))
    let bundle = try #require(OSCMessages(bytes))
    var expected: [String: Float] = ["tongueOut": 0]
    for shape in Blendshape.allCases where shape != .neutral {
      expected[shape.name] = Float(shape.rawValue) / 64
    }
    #expect(bundle.blendshapes == expected && expected.count == 52)
    #expect(bundle.first("/VMC/Ext/OK")?.ints == [1, 3, 0, 1])
    let head = try #require(bundle.first("/VMC/Ext/Bone/Pos"))
    #expect(head.texts == ["Head"] && head.floats.count == 7)
    // Toward the left of the image: the avatar turns to its right.
    #expect(abs(head.floats[4] - 0.173648) < 1e-5 && abs(head.floats[6] - 0.984808) < 1e-5)
    #expect(bundle.messages.last?.address == "/VMC/Ext/Blend/Apply")
    #expect(bytes.count < 4096)
  }

  /// The face that was sent first is followed while it is there, then the largest one.
  @Test func oneFaceIsFollowed() throws {
    let puppet = try Puppet(.openseeface, to: "127.0.0.1:\(receiver.port)")
    for large in [nil, face, nil, face] { withBuffer(large: large) { puppet.send($0) } }
    let other = try Puppet(.openseeface, to: "127.0.0.1:\(receiver.port)")
    for large in [face, nil] { withBuffer(large: large) { other.send($0) } }
    let turned = receiver.all().map { bytes in
      // The third component of the quaternion is 0 for the small face, which looks ahead.
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 41, as: Float.self) } != 0
    }
    #expect(turned == [false, false, false, false, true, false])
  }

  @Test func datagramsWithoutReceiverDoNoHarm() throws {
    let port = DatagramReceiver().port
    let puppet = try Puppet(.ifacialmocap, to: ":\(port)")
    for _ in 0..<20 { withBuffer(large: face) { puppet.send($0) } }
    #expect(puppet.failure == nil)
  }

  /// At most 15 % of a core for the sending of 60 frames a second.
  @Test func sendingIsCheap() throws {
    for kind in PuppetProtocol.allCases {
      let puppet = try Puppet(kind, to: "127.0.0.1:\(receiver.port)")
      let face = face
      withBuffer(large: face) { buffer in
        let started = MonotonicClock.seconds(CLOCK_THREAD_CPUTIME_ID)
        for _ in 0..<120 { puppet.send(buffer) }
        #expect(MonotonicClock.seconds(CLOCK_THREAD_CPUTIME_ID) - started < 0.15 * 2, "\(kind)")
      }
      _ = receiver.all()
    }
  }

  // MARK: The command

  @Test func aFilmIsSentAtItsPace() throws {
    let film = try scene.film("film.mp4", frames: 18)
    let started = Command.now
    let run = try Command.mien(["faces", film, "--send", "vmc", "--to", ":\(receiver.port)"])
    #expect(run.status == 0 && run.output.isEmpty, "\(run.errors)")
    #expect(run.errors == "mien: sending to 127.0.0.1:\(receiver.port)\n")
    #expect(Command.now - started > 1.4)
    let bundles = receiver.all().compactMap { OSCMessages($0) }
    #expect(bundles.count == 18)
    let times = bundles.compactMap { $0.first("/VMC/Ext/T")?.floats[0] }
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect((times.last ?? 0) - (times.first ?? 0) > 1.2)
    let shapes = bundles.last?.blendshapes ?? [:]
    #expect(shapes["jawOpen"] != nil && (shapes["eyeBlinkLeft"] ?? 1) < 0.5)
  }

  @Test func aPictureIsSentOnceBesideItsFaces() throws {
    let photograph = try scene.photograph("p.png")
    for (kind, size) in [("openseeface", 1785), ("ifacialmocap", 0)] {
      let run = try Command.mien(
        ["faces", photograph, "--send", kind, "--to", ":\(receiver.port)", "--csv"])
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
      #expect(run.output.split(separator: "\n").count == 2)
      let datagrams = receiver.all()
      #expect(datagrams.count == 1 && (size == 0 || datagrams[0].count == size))
    }
  }

  @Test func wrongOptionsAreExplained() throws {
    let photograph = try scene.photograph("p.png")
    for (options, status, text) in [
      (["--send", "osc"], 2, "--send takes vmc, openseeface or ifacialmocap, not osc"),
      (["--to", "127.0.0.1"], 2, "--to goes with --send"),
      (["--send", "vmc", "--to", "nowhere.invalid"], 3, "nowhere.invalid is not found: "),
      (["--send", "vmc", "--to", "[::1"], 2, "[::1 is no HOST:PORT: "),
    ] {
      let run = try Command.mien(["faces", photograph] + options)
      #expect(run.status == Int32(status) && run.output.isEmpty)
      #expect(run.errors.hasPrefix("mien: " + text), "\(run.errors)")
      #expect(run.errors.filter { $0 == "\n" }.count == 1)
    }
  }

  @Test func aSignalEndsTheSending() throws {
    let film = try scene.film("film.mp4", frames: 120)
    let run = try Command.shell(
      "timeout --preserve-status -s INT 2 $mien faces \"$1\" --send vmc --to :$2; echo $?",
      [film, "\(receiver.port)"])
    #expect(run.output == "130\n", "\(run.errors)")
    #expect(run.errors.hasSuffix("mien: \(film): it was stopped\n"))
    #expect(!receiver.all().isEmpty)
  }
}
