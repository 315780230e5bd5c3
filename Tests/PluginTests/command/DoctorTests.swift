import Support
import Testing

/// `mien doctor` says what is there and which package brings what is missing.
@Suite(.timeLimit(.minutes(20))) struct DoctorTests {
  @Test func everyPartIsFoundOrNamedWithItsPackage() throws {
    let run = try Command.mien(["doctor"])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("mien "))
    for name in ["faces, with their networks", "sticker packs", "GNU parallel"] {
      #expect(lines.contains { $0.hasPrefix("there    \(name)") }, "\(run.output)")
    }
    for line in lines where line.hasPrefix("missing") { #expect(line.contains(": apt install ")) }
  }

  @Test func whatIsNeededAndMissingIsAnErrorWithItsPackage() throws {
    let folder = ScratchFolder()
    let run = try Command.mien(
      ["doctor", "--missing"], ["PATH": "/nowhere", "MIEN_STICKER_PATH": folder.path])
    #expect(run.output.contains("mien batch: apt install parallel"), "\(run.output)")
    let without = try Command(
      [
        "env", "-u", "GST_PLUGIN_PATH_1_0", "GST_PLUGIN_SYSTEM_PATH_1_0=/nowhere",
        "GST_REGISTRY_1_0=\(folder.path)/registry", Command.mienPath, "doctor", "-m",
      ])
    #expect(without.status == 1, "\(without.output)")
    #expect(without.output.contains("apt install gstreamer1.0-plugins-base"), "\(without.output)")
  }
}
