import Support
import Testing

/// Every usage error gives one line and an exit code over 0, and changes no file.
@Suite(.timeLimit(.minutes(20))) struct MisuseTests {
  private let scene = MienScene()

  @Test func everyUsageErrorIsOneLine() throws {
    let photograph = try scene.photograph("p.png")
    let film = try scene.film("film.mp4")
    scene.scratch.write("notes.txt", Array("nothing to see\n".utf8))
    scene.scratch.write("empty.png", [])
    try #require(try Command(["mkfifo", scene.path("pipe.mp4")]).status == 0)
    let notes = scene.path("notes.txt")
    let before = try scene.contents()
    let wrong: [([String], Int32)] = [
      ([], 2), (["frobnicate"], 2),
      (["studio", "--what"], 2), (["studio", "a", "b"], 2), (["--frobnicate"], 2),
      (["decorate"], 2), (["decorate", photograph, "a", "b"], 2), (["decorate", "--what"], 2),
      (["decorate", scene.path("none.jpg")], 2), (["decorate", scene.folder], 2),
      (["decorate", scene.path("pipe.mp4")], 2), (["decorate", notes], 3),
      (["decorate", scene.path("empty.png")], 3),
      (["decorate", photograph, scene.path("nowhere/out.png")], 2),
      (["decorate", photograph, scene.path("out.mp4")], 2), (["decorate", photograph, ""], 2),
      (["decorate", photograph, "/dev/null", "--force"], 2),
      (["decorate", film, scene.path("pipe.mp4"), "--force"], 2),
      (["decorate", film, scene.path("out.png")], 2),
      (["decorate", photograph, "--look", "pretty"], 2),
      (["decorate", photograph, "--look", scene.path("none.cube")], 3),
      (["decorate", photograph, "--sticker", "nothing"], 3),
      (["decorate", photograph, "--sticker"], 2),
      (["decorate", photograph, "--retouch=2"], 2),
      (["decorate", photograph, "--retouch=ugly"], 2),
      (["decorate", photograph, "--key", "#12345"], 2),
      (["decorate", photograph, "--key", scene.path("none.jpg")], 2),
      (["decorate", photograph, "--person", "blur=99"], 2),
      (["decorate", film, scene.path("out.mp4"), "--person", "alpha"], 2),
      (["decorate", photograph, scene.path("out.jpg"), "--key", "alpha"], 2),
      (["decorate", "/dev/video99", scene.path("out.mp4")], 2), (["decorate", "/dev/video99"], 3),
      (["faces"], 2), (["faces", photograph, film], 2), (["faces", scene.folder], 2),
      (["faces", photograph, "--expect", "many"], 2),
      (["faces", photograph, "--expect", "3-1"], 2),
      (["faces", photograph, "--json", "--csv"], 2), (["faces", photograph, "--mesh"], 2),
      (["faces", notes], 3), (["faces", "/dev/video99"], 3),
      (["batch"], 2), (["batch", scene.folder], 2), (["batch", notes, scene.path("out")], 2),
      (["batch", "--job"], 2), (["batch", scene.folder, scene.path("o"), "--shard", "0/2"], 2),
      (["batch", scene.folder, scene.path("o"), "--shard", "3/2"], 2),
      (["decorate", "-"], 2), (["decorate", photograph, "-", "--to-type", "gif"], 2),
      (["decorate", photograph, "-", "--to-type", "mkv"], 2),
      (["decorate", photograph, "--type", "png"], 2), (["decorate", photograph, "-", "-v"], 2),
      (["decorate", photograph, scene.path("out.png"), "--to-type", "png"], 2),
      (["verify"], 2), (["verify", scene.folder, scene.path("none")], 2),
      (["verify", scene.folder, scene.folder], 2), (["doctor", "x"], 2), (["check"], 2),
      (["check", scene.path("none")], 1),
      (["check", "a", "b", "--show", scene.path("s.png")], 2),
      (["check", "a", "--show", photograph], 2),
      (["check", "a", "--show", scene.path("s.jpg")], 2),
    ]
    for (words, status) in wrong {
      let run = try Command.mien(words)
      #expect(run.status == status, "\(words): \(run.output)\(run.errors)")
      let said = run.output + run.errors
      #expect(said.split(separator: "\n").count == 1, "\(words): \(said)")
      #expect(run.output.isEmpty || words[0] == "check", "\(words): \(run.output)")
    }
    #expect(try scene.contents() == before)
  }

  @Test func everyWriteErrorIsOneLine() throws {
    let photograph = try scene.photograph("p.png")
    try #require(try Command(["mkdir", scene.path("locked")]).status == 0)
    try #require(try Command(["chmod", "555", scene.path("locked")]).status == 0)
    let run = try Command.mien(
      ["decorate", photograph, scene.path("locked/out.png")],
      under: ["setpriv", "--bounding-set=-dac_override,-dac_read_search"])
    #expect(run.status == 3)
    #expect(run.errors.hasSuffix("locked: Permission denied\n"), "\(run.errors)")
    let full = try Command.mien(
      ["decorate", photograph, scene.path("out.png")],
      under: ["bash", "-c", "ulimit -f 8; exec \"$@\"", "-"])
    #expect(full.status == 3, "\(full.errors)")
    #expect(try Command(["sh", "-c", "ls -A '\(scene.folder)'"]).output == "locked\np.png\n")
  }
}
