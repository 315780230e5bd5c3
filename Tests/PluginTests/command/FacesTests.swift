import Pixels
import Support
import Testing

/// `mien faces`: one line per frame, and exit codes.
@Suite(.timeLimit(.minutes(20))) struct FacesTests {
  private let scene = MienScene()

  @Test func everyFrameIsOneLine() throws {
    let film = try scene.film("film.mp4")
    let text = try Command.mien(["faces", film])
    #expect(text.status == 0, "\(text.errors)")
    let lines = text.output.split(separator: "\n")
    #expect(lines.count == 12 && lines.allSatisfy { $0.contains(" s  1 face  face 1: conf") })
    let json = try Command.mien(["faces", film, "--json"]).output.split(separator: "\n")
    #expect(
      json.count == 12 && json.allSatisfy { $0.hasPrefix("{\"time\": ") && $0.hasSuffix("]}") })
    #expect(json.last?.hasPrefix("{\"time\": 0.9167, \"width\": 320, \"height\": 240,") == true)
    let table = try Command.mien(["faces", film, "--csv"]).output.split(separator: "\n")
    #expect(
      table.count == 13 && table[0].hasPrefix("time,faces,id,x,y,width,height,confidence,roll"))
    let columns = table[0].split(separator: ",").count
    #expect(
      table.allSatisfy {
        $0.split(separator: ",", omittingEmptySubsequences: false).count == columns
      })
    let summary = try Command.mien(["faces", film, "--summary"]).output
    #expect(summary.hasPrefix("frames: 12\nframes with faces: 12\n"))
  }

  /// Parsed with Python's json module.
  @Test func theJSONIsValid() throws {
    let photograph = try scene.photograph("p.png")
    let run = try Command.shell(
      """
      $mien faces "$1" --json --mesh --blendshapes | python3 -c '
      import json, sys
      frame = json.loads(sys.stdin.readline())
      face, = frame["faces"]
      print(frame["time"], frame["width"], face["id"], len(face["keypoints"]), len(face["landmarks"]),
            len(face["landmarks"][0]), 0.3 < face["x"] < 0.4, "smile" in face,
            len(face["blendshapes"]), face["blendshapes"]["mouthSmileLeft"] > 0.5)'
      """, [photograph])
    #expect(run.output == "None 512 1 6 478 3 True True 52 True\n", "\(run.errors)")
  }

  @Test func jsonHasHandsIfTheyAreWanted() throws {
    let hand = DrawnHand(.open, wrist: Point(x: 256, y: 400), size: 230)
    let bytes = DrawnHand.picture([hand], width: 512, height: 512).tightBytes
    let picture = scene.scratch.write("hand.ppm", Array("P6 512 512 255\n".utf8) + bytes)
    let run = try Command.shell(
      """
      for option in --hands --mesh; do
        $mien faces "$1" --json $option | python3 -c '
      import json, sys
      frame = json.loads(sys.stdin.readline())
      for hand in frame.get("hands", []):
          x, y, z = hand["landmarks"][12]
          print(hand["id"], hand["side"], hand["gesture"], hand["gesture-confidence"] > 0.5,
                len(hand["landmarks"]), hand["y"] <= y < hand["y"] + 0.1)'
      done
      """, [picture])
    #expect(run.output == "1 left Open_Palm True 21 True\n", "\(run.errors)")
    let wrong = try Command.mien(["faces", picture, "--hands"])
    #expect(wrong.status == 2 && wrong.errors.contains("--hands goes with --json"))
  }

  @Test func anExpectationDecidesTheExitCode() throws {
    let photograph = try scene.photograph("p.png")
    for (expected, status) in [("1", 0), ("0", 1), ("2", 1), ("1+", 0), ("2+", 1), ("0-1", 0)] {
      let run = try Command.mien(["faces", photograph, "--expect", expected])
      #expect(run.status == status, "\(expected): \(run.errors)")
      #expect(run.output.isEmpty)
      #expect(
        run.errors == (status == 0 ? "" : "mien: \(photograph): 1 face, expected \(expected)\n"))
    }
  }

  @Test func aClosedPipeEndsTheCommand() throws {
    let film = try scene.film("film.mp4", frames: 300)
    let run = try Command.shell(
      "$mien faces \"$1\" --json | head -n 2 | wc -l; echo ${PIPESTATUS[0]}", [film])
    #expect(run.output == "2\n0\n")
    #expect(run.errors.isEmpty, "\(run.errors)")
    // The expectation is evaluated even if the reader has closed the pipe.
    let expecting = try Command.shell(
      "$mien faces \"$1\" --json --expect 2 | head -n 1 >/dev/null; echo ${PIPESTATUS[0]}", [film])
    #expect(expecting.output == "1\n")
  }

  @Test func aTruncatedFilmIsReported() throws {
    let bytes = ScratchFolder.bytes(try scene.film("film.mp4", frames: 60))
    try SmallFilm.plain[0].make(in: scene.folder)
    let webm = ScratchFolder.bytes(scene.path("vp8.webm"))
    for (name, whole) in [("cut.mp4", bytes), ("cut.webm", webm)] {
      scene.scratch.write(name, Array(whole.prefix(whole.count * 3 / 4)))
      for option in [[], ["--expect", "1"], ["--summary"]] {
        let run = try Command.mien(["faces", scene.path(name)] + option, ["G_DEBUG": ""])
        #expect(run.status == 3, "\(name)")
        #expect(run.errors.hasPrefix("mien: \(scene.path(name)): "), "\(run.errors)")
      }
    }
  }

  @Test func rotatedFilmsAreAnalyzedUpright() throws {
    let run = try Command.mien(
      ["faces", try scene.film("phone.mp4", isTurned: true), "--json"])
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 12)
    #expect(lines.allSatisfy { $0.contains("\"width\": 320, \"height\": 240, \"faces\": [{") })
  }

  @Test func anAnimatedGIFIsReadOnce() throws {
    let frames: [(r: UInt8, g: UInt8, b: UInt8)] = [(255, 0, 0), (0, 255, 0), (0, 0, 255)]
    scene.scratch.write("a.gif", PictureBytes.animation(frames, width: 16, height: 12))
    let started = Command.now
    let run = try Command.mien(["faces", scene.path("a.gif"), "--summary"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("frames: 3\n"), "\(run.output)")
    let decorated = try Command.mien(["decorate", scene.path("a.gif")])
    #expect(decorated.output == "wrote \(scene.path("a-mien.png"))\n", "\(decorated.errors)")
    #expect(decorated.errors.contains("image/gif is not written here; it becomes PNG"))
    #expect(Command.now - started < 30)
  }
}
