import Support
import Testing

/// Several batches in one folder, as a scheduler starts them: each film is done once, the report and
/// `mien verify` tell of all, and the exit codes tell the outcomes apart.
@Suite(.timeLimit(.minutes(20))) struct SharedBatchTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path + "/in" }
  private var outfolder: String { scratch.path + "/out" }
  private var report: String { scratch.path + "/results.jsonl" }

  private func makeClips(_ count: Int, frames: Int = 10) throws {
    let made = try Command(["pipelines/clips.sh", folder, "\(count)", "\(frames)"])
    try #require(made.status == 0, "\(made.errors)")
  }

  private func mien(_ task: String, _ options: [String] = []) throws -> Command {
    try Command.mien([task, folder, outfolder, "--look", "mono", "--report", report] + options)
  }

  private func text(_ path: String) -> String {
    String(decoding: ScratchFolder.bytes(path), as: UTF8.self)
  }

  @Test func aKilledShareLosesNothingAndVerifyNamesWhatIsWrong() throws {
    let run = try Command.shell(
      "exec pipelines/cluster/prove.sh processes 12 3 1", [],
      ["MIEN": Command.mienPath])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("7 in order; 0 missing, 2 stale, 3 damaged, 0 unknown"))
  }

  @Test func sharesAreDisjointAndComplete() throws {
    try makeClips(9)
    for share in 1...3 {
      let run = try mien("batch", ["--shard", "\(share)/3"])
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      #expect(!run.output.contains("was there already"))
    }
    let lines = text(report).split(separator: "\n")
    #expect(lines.count == 9)
    #expect(lines.allSatisfy { $0.hasPrefix("{\"file\": \"clip-") && $0.hasSuffix("Z\"}") })
    #expect(lines[0].contains("\"frames\": 10, \"faces\": null"))
    let verified = try mien("verify")
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    #expect(verified.output.contains("9 films and pictures, 9 in order; 0 missing"))
  }

  @Test func exitCodesTellOutcomesApart() throws {
    try makeClips(2)
    #expect(try mien("batch").status == 0)
    #expect(try mien("batch").status == 0)
    let before = try mien("batch", ["--tell-before"])
    #expect(before.status == 4, "\(before.output)")
    scratch.write("in/broken.mp4", Array("nothing\n".utf8))
    #expect(try mien("batch", ["--tell-before"]).status == 5)
    #expect(text(report).contains("\"file\": \"broken.mp4\", \"state\": \"damaged\""))
    let verified = try mien("verify")
    #expect(verified.status == 5, "\(verified.output)")
    #expect(verified.output.hasPrefix("broken film: broken.mp4: "), "\(verified.output)")
    #expect(try mien("batch", ["--frobnicate"]).status == 2)
    // Where nothing can be written it is not the film's fault.
    let made = try Command.shell("rm \"$1\"/clip-1.webm && mkdir \"$1\"/clip-1.webm", [outfolder])
    try #require(made.status == 0)
    #expect(try mien("batch").status == 1)
    #expect(try mien("verify").output.contains("missing: clip-1.webm: the folder"))
  }

  @Test func aListNamesTheFilms() throws {
    try makeClips(3)
    let list = scratch.write(
      "list", Array("clip-1.webm\n\(folder)/./clip-3.webm\nclip-1.webm\n".utf8))
    let run = try Command.shell(
      "$mien batch \"$1\" \"$2\" -l mono --files-from - <\"$3\"; ls \"$2\"; printf 'none.webm\\0' "
        + "| $mien batch \"$1\" \"$2\" -l mono --files-from -; echo $?; echo ../x "
        + "| $mien batch \"$1\" \"$2\" -l mono --files-from -; echo $?", [folder, outfolder, list])
    #expect(run.output.contains("2 of 2 are done\nclip-1.webm\nclip-3.webm\n"), "\(run.output)")
    #expect(run.output.hasSuffix("0 of 0 are done\n1\n2\n"), "\(run.output)\(run.errors)")
    #expect(run.errors.contains("none.webm: there is no such file"), "\(run.errors)")
    #expect(run.errors.contains("../x is not in"), "\(run.errors)")
  }

  /// A claim of a dead process of this machine is void at once, that of another machine after its file has not
  /// been touched for two minutes, and that of a living process is waited for.
  @Test func claimsOfTheDeadBlockNobody() throws {
    try makeClips(1, frames: 200)
    let run = try Command.shell(
      """
      mkdir "$2" && cd "$2" || exit 9
      # The name of the claim, from a batch that is stopped at its beginning.
      $mien batch "$1" . -l mono -- --jobs 1 >/dev/null & batch=$!
      while kill -0 $batch; do claim=$(compgen -G '.mien-lock-*') && break; sleep 0.005; done
      wait $batch; test -n "$claim" || exit 8
      for holder in "here $$ 1 $(cat /proc/sys/kernel/random/boot_id)-$(readlink /proc/self/ns/pid | tr -dc 0-9)" \
        "elsewhere 1 1 other-1"; do
        rm clip-1.webm; echo "$holder" >"$claim"; touch -d '3 minutes ago' "$claim"
        touch ".mien-part-${claim#.mien-lock-}-abcdefghij"
        $mien batch "$1" . -l mono; echo "status $?"; ls -A
      done
      # One of another machine that is alive, and gives up after a second.
      rm clip-1.webm; echo "elsewhere 1 1 other-1" >"$claim"; (sleep 1; rm "$claim") &
      $mien batch "$1" . -l mono; echo "status $?"; ls -A
      """, [folder, outfolder])
    let ends = run.output.components(between: "1 of 1 are done\n", and: ".webm")
    #expect(ends == [String](repeating: "status 0\nclip-1", count: 3), "\(run.output)\(run.errors)")
    #expect(
      run.output.contains("such as clip-1.webm to process 1 on elsewhere; waiting"), "\(run.output)"
    )
  }

  @Test func writersOfOneReportDoNotMixTheirLines() throws {
    try makeClips(16)
    let run = try Command.shell(
      """
      printf '{"file": "torn' >"$3"
      for share in 1 2 3 4; do
        $mien batch "$1" "$2" -l mono --shard $share/4 --report "$3" >/dev/null &
      done; wait
      """, [folder, outfolder, report])
    #expect(run.status == 0, "\(run.errors)")
    let lines = text(report).split(separator: "\n")
    #expect(lines.count == 17)
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("{\"file\": \"clip") && $0.hasSuffix("}") })
    let verified = try mien("verify")
    #expect(verified.status == 0, "\(verified.output)")
    #expect(verified.errors.contains("1 lines of the reports are no reports"), "\(verified.errors)")
  }

  @Test func progressWithinAFilmIsShownOnATerminal() throws {
    try #require(try Command(["mkdir", "-p", folder]).status == 0)
    try Pipeline(
      "videotestsrc num-buffers=300 ! video/x-raw,width=640,height=480 ! vp8enc deadline=1 cpu-used=16"
        + " ! webmmux ! filesink location=\(folder)/long.webm"
    ).run()
    let run = try Command.shell(
      "script -qec \"$mien batch '$1' '$2' --look cartoon\" /dev/null </dev/null",
      [folder, outfolder])
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("[0/1] long.webm "), "\(run.output)")
    #expect(run.output.contains("1 of 1 are done"), "\(run.output)")
  }

  @Test func anUnreachableMachineIsToldOfOnce() throws {
    try makeClips(3)
    let ssh = scratch.write(
      "ssh",
      Array(
        """
        #!/bin/sh
        while :; do case $1 in -[lpioFS]) shift 2 ;; -*) shift ;; *) break ;; esac; done
        [ "$1" != carla ] || { echo "ssh: connect to host carla port 22: No route to host" >&2; exit 255; }
        shift; [ "$1" != -- ] || shift
        export SHELL=/bin/sh
        exec sh -c "$*"

        """.utf8))
    try #require(try Command(["chmod", "+x", ssh]).status == 0)
    let run = try mien("batch", ["--sshlogin", "1/anna,1/carla", "--", "--ssh", ssh])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(
      run.errors
        == "mien: carla is not used: ssh: connect to host carla port 22: No route to host\n",
      "\(run.errors)")
    let alone = try mien("batch", ["--sshlogin", "carla", "--", "--ssh", ssh])
    #expect(alone.status == 2 && alone.errors.contains("none of the machines"), "\(alone.errors)")
  }
}
