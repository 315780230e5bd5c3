import Support
import Testing

/// The metadata of JPEG files through `mien decorate`.
@Suite(.timeLimit(.minutes(20))) struct PhotographMetadataTests {
  private let scene = MienScene()

  /// A little-endian integer of `size` bytes.
  private static func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(value >> (8 * $0) & 0xFF) }
  }

  /// An entry of an EXIF directory; type 3 is SHORT, 4 is LONG.
  private static func entry(_ tag: Int, _ type: Int, _ value: Int) -> [UInt8] {
    number(tag, 2) + number(type, 2) + number(1, 4) + number(value, 4)
  }

  private static let preview = Array("the picture as it was".utf8)

  /// An EXIF segment with an orientation, a size, a custom entry and a thumbnail.
  private static func exif(orientation: Int) -> [UInt8] {
    // The first directory is at offset 8 and has three entries; the EXIF directory and that of the
    // thumbnail follow.
    let (second, third) = (8 + 2 + 36 + 4, 8 + 2 + 36 + 4 + 2 + 24 + 4)
    let record =
      Array("II".utf8) + number(42, 2) + number(8, 4) + number(3, 2)
      + entry(0x0112, 3, orientation) + entry(0x8769, 4, second) + entry(0xA431, 4, 0x1234_5678)
      + number(third, 4) + number(2, 2) + entry(0xA002, 4, 512) + entry(0xA003, 4, 300)
      + number(0, 4) + number(2, 2) + entry(0x0201, 4, third + 2 + 24 + 4)
      + entry(0x0202, 4, preview.count) + number(0, 4) + preview
    let contents = Array("Exif".utf8) + [0, 0] + record
    return [0xFF, 0xE1, UInt8((contents.count + 2) >> 8), UInt8((contents.count + 2) & 0xFF)]
      + contents
  }

  private static func profile(_ text: String) -> [UInt8] {
    let contents = Array("ICC_PROFILE".utf8) + [0, 1, 1] + Array(text.utf8)
    return [0xFF, 0xE2, 0, UInt8(contents.count + 2)] + contents
  }

  /// The photograph with these segments, stored rotated to the left, 512 x 300.
  private func turned(_ segments: [UInt8]) throws -> String {
    let plain = try scene.photograph(
      "plain.jpg",
      "videocrop top=20 bottom=192 ! videoflip video-direction=90l ! videoflip video-direction=90r"
        + " ! videoconvert ! videoflip video-direction=90l ! jpegenc")
    let bytes = ScratchFolder.bytes(plain)
    return scene.scratch.write("phone.jpg", Array(bytes[..<2]) + segments + Array(bytes[2...]))
  }

  private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    !bytes.isEmpty
      && (0...max(0, bytes.count - part.count)).contains {
        bytes[$0] == part[0] && bytes[$0...].starts(with: part)
      }
  }

  /// Many cameras and programs write such files, which jpegdec cannot read.
  @Test func greyJPEGsWithSamplingFactorsAreRead() throws {
    let path = try scene.photograph("grey.jpg", "video/x-raw,format=GRAY8 ! jpegenc")
    var bytes = ScratchFolder.bytes(path)
    let header = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xC0]) })
    try #require(bytes[header + 9] == 1 && bytes[header + 11] == 0x11)
    bytes[header + 11] = 0x22
    scene.scratch.write("grey.jpg", bytes)
    let faces = try Command.mien(["faces", path, "--expect", "1"])
    #expect(faces.status == 0, "\(faces.output)\(faces.errors)")
    let worn = try Command.mien(["decorate", path, "--sticker", "halo"])
    #expect(worn.status == 0, "\(worn.errors)")
  }

  @Test func aRotatedPhotographBecomesUprightAndKeepsItsEXIFWithoutTheThumbnail() throws {
    let input = try turned(Self.exif(orientation: 6) + Self.profile("a camera's colours"))
    #expect(contains(ScratchFolder.bytes(input), Self.preview))
    let run = try Command.mien(["decorate", input, "--sticker", "glasses"])
    #expect(run.status == 0, "\(run.errors)")
    let made = ScratchFolder.bytes(scene.path("phone-mien.jpg"))
    #expect(
      contains(made, Self.entry(0x0112, 3, 1)) && contains(made, Self.entry(0xA431, 4, 0x1234_5678))
    )
    #expect(
      contains(made, Self.entry(0xA002, 4, 512)) && contains(made, Self.entry(0xA003, 4, 300)))
    #expect(contains(made, Self.profile("a camera's colours")))
    #expect(!contains(made, Self.preview))
    let described = try scene.described("phone-mien.jpg")
    #expect(
      described.contains("Width: 512\n") && described.contains("Height: 300\n"), "\(described)")
  }

  @Test func facesAreReportedInTheUprightPicture() throws {
    let upright = try Command.mien(["faces", try turned([]), "--expect", "0"])
    // A rotated face may be detected or not; the test is about the coordinates below.
    #expect([0, 1].contains(upright.status))
    let run = try Command.mien(["faces", try turned(Self.exif(orientation: 6)), "--json"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("\"width\": 512, \"height\": 300"), "\(run.output)")
    let x = run.output.components(between: "\"x\": ", and: ",").first.flatMap { Double($0) }
    #expect(abs((x ?? 0) - 0.35) < 0.03)
  }

  @Test func aDamagedEXIFRecordIsDropped() throws {
    let whole = Self.exif(orientation: 6)
    for (index, place) in stride(from: 10, to: whole.count, by: 7).enumerated() where index % 2 == 0
    {
      var exif = whole
      for byte in place..<min(place + 4, exif.count) { exif[byte] = 0xFF }
      let run = try Command.mien(
        ["decorate", try turned(exif), scene.path("out.jpg"), "--force", "--look", "mono"])
      #expect(run.status == 0, "byte \(place): \(run.errors)")
      #expect(!contains(ScratchFolder.bytes(scene.path("out.jpg")), Self.preview))
    }
  }
}
