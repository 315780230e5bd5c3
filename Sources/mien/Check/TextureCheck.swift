import CGStreamer
import Client
import Decoding
import Files
import Frames
import Glibc
import Pixels
import Programs
import Stickers

/// Finds the parts of a pack's textures that lie beside the face, and draws them.
struct TextureCheck {
  /// The smallest reported fraction of a texture's paint.
  private static let minimumFraction = 0.005
  /// The side at which vector textures are drawn, in pixels, where they give none or a larger one.
  private static let side = 1024
  /// The largest number of textures that are drawn.
  private static let maximumCount = 16

  private let pack: StickerPack
  /// The textures with their parts beside the face marked, in the pack's order.
  private var shown: [OwnedPicture] = []

  init(_ pack: StickerPack) { self.pack = pack }

  /// The notes to print; throws where a picture cannot be decoded.
  ///
  /// Of an animated texture the first picture is checked.
  mutating func spillNotes() throws(ProgramError) -> [String] {
    var notes: [String] = []
    var seen: Set<FilePath> = []
    for item in pack.items {
      guard case .surface = item.attachment, let file = item.files.first, seen.insert(file).inserted
      else { continue }
      let picture = try decodeTexture(file)
      let spill = picture.withPicture { TextureSpill($0) }
      if spill.fraction >= Self.minimumFraction {
        let percent = max(1, Int((100 * spill.fraction).rounded()))
        notes.append(
          "\(percent) % of the paint of \(Terminal.printable(file)) lies beside the face, and is never"
            + " drawn: well for what reaches over the rim on purpose (--show draws where)")
      }
      if shown.count < Self.maximumCount {
        picture.withPicture { spill.draw(on: $0) }
        shown.append(picture)
      }
    }
    return notes
  }

  private func decodeTexture(_ file: FilePath) throws(ProgramError) -> OwnedPicture {
    let path = pack.path(of: file)
    do throws(ElementError) {
      let limits = PictureFile.Limits(vectorSide: Self.side)
      let hostile = try PictureFile.open(path) { () throws(FileError) in
        try pack.openFile(file, limit: limits.file)
      }
      guard let frame = try PictureFile.decode(hostile, limits: limits).first else {
        throw ElementError(.wrongContent, "\(path) holds no picture.")
      }
      return frame.picture
    } catch {
      throw .failure(error.message)
    }
  }

  /// Writes the checked textures side by side to a PNG file; false where there are none.
  func writePNG(to path: FilePath) throws(ProgramError) -> Bool {
    guard let height = shown.map(\.height).max() else { return false }
    let width = shown.reduce(0) { $0 + $1.width }
    guard let raw = tmpfile() else {
      throw .failure("no picture can be made: \(Terminal.errnoText)")
    }
    defer { fclose(raw) }
    for y in 0..<height {
      var row = [UInt8](repeating: 120, count: 4 * width)
      var x = 0
      for picture in shown {
        picture.withPicture { picture in
          guard y < picture.height else { return }
          let from = picture.plane(0).row(y)
          for byte in 0..<4 * picture.width { row[4 * x + byte] = from[byte] }
        }
        x += picture.width
      }
      fwrite(row, 1, row.count, raw)
    }
    guard fflush(raw) == 0, ferror(raw) == 0, fseek(raw, 0, SEEK_SET) == 0 else {
      throw .failure("no picture can be made: \(Terminal.errnoText)")
    }
    try encodePNG(fileno(raw), bytes: 4 * width * height, width: width, height: height, to: path)
    return true
  }

  private func encodePNG(
    _ raw: Int32, bytes: Int, width: Int, height: Int, to path: FilePath
  ) throws(ProgramError) {
    let part = try AtomicFile(for: path)
    let pipeline = try Element.pipeline()
    pipeline.add(
      try Element.bin(
        "fdsrc fd=\(raw) blocksize=\(bytes) ! rawvideoparse format=rgba width=\(width)"
          + " height=\(height) ! videoconvert ! video/x-raw,format=RGB ! pngenc"
          + " ! fdsink sync=false fd=\(part.descriptor)"))
    defer { pipeline.setState(GST_STATE_NULL) }
    pipeline.setState(GST_STATE_PLAYING)
    while true {
      switch pipeline.nextMessage(milliseconds: 1000) {
      case .endOfStream?: return try part.commit()
      case .error(let report)?: throw .failure("\(Terminal.printable(path)): \(report.text)")
      default: if let signal = TerminationSignal.received { throw .interrupted(signal) }
      }
    }
  }
}
