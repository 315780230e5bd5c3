import CGStreamer
import Files
import Glibc
import Gst
import Pixels
import Programs
import Stickers

/// Says where the textures of a pack leave the face that they are painted on, and shows it.
struct TextureCheck {
  /// Less than this share of a texture's paint is nothing to speak of.
  private static let least = 0.005
  /// Side that textures are drawn at which say no size, or a larger one.
  private static let side = 1024
  /// What is shown at most.
  private static let most = 16

  private let pack: StickerPack
  /// What is shown, in the pack's order.
  private var shown: [OwnedPicture] = []

  init(_ pack: StickerPack) { self.pack = pack }

  /// The sentences to say; pictures that cannot be decoded throw.
  ///
  /// Of a texture that moves the first picture is looked at.
  mutating func look() throws(Problem) -> [String] {
    var notes: [String] = []
    var seen: Set<FilePath> = []
    for item in pack.items {
      guard case .surface = item.place, let file = item.files.first, seen.insert(file).inserted
      else { continue }
      let picture = try decode(file)
      let spill = picture.withPicture { SurfaceSpill($0) }
      if spill.share >= Self.least {
        let percent = max(1, Int((100 * spill.share).rounded()))
        notes.append(
          "\(percent) % of the paint of \(Terminal.shown(file)) lies beside the face, and is never"
            + " drawn: well for what reaches over the rim on purpose (--show draws where)")
      }
      if shown.count < Self.most {
        picture.withPicture { spill.show(on: $0) }
        shown.append(picture)
      }
    }
    return notes
  }

  private func decode(_ file: FilePath) throws(Problem) -> OwnedPicture {
    let path = pack.path(of: file)
    do throws(ElementError) {
      let ceiling = PictureFile.Ceiling(vectorSide: Self.side)
      let hostile = try PictureFile.open(path) { () throws(FileError) in
        try pack.file(file, limit: ceiling.file)
      }
      guard let frame = try PictureFile.decode(hostile, ceiling: ceiling).first else {
        throw ElementError(.wrongContent, "\(path) holds no picture.")
      }
      return frame.picture
    } catch {
      throw .failure(error.message)
    }
  }

  /// Writes what was looked at to a PNG file, textures side by side; false where there are none.
  func show(in path: FilePath) throws(Problem) -> Bool {
    guard let height = shown.map(\.height).max() else { return false }
    let width = shown.reduce(0) { $0 + $1.width }
    guard let raw = tmpfile() else { throw .failure("no picture can be made: \(Terminal.reason)") }
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
      throw .failure("no picture can be made: \(Terminal.reason)")
    }
    try encode(fileno(raw), bytes: 4 * width * height, width: width, height: height, to: path)
    return true
  }

  private func encode(
    _ raw: Int32, bytes: Int, width: Int, height: Int, to path: FilePath
  ) throws(Problem) {
    let part = try PartFile(for: path)
    let pipeline = try Element.pipeline()
    pipeline.add(
      try Element.bin(
        "fdsrc fd=\(raw) blocksize=\(bytes) ! rawvideoparse format=rgba width=\(width)"
          + " height=\(height) ! videoconvert ! video/x-raw,format=RGB ! pngenc"
          + " ! fdsink sync=false fd=\(part.descriptor)"))
    defer { pipeline.setState(GST_STATE_NULL) }
    pipeline.setState(GST_STATE_PLAYING)
    while true {
      switch pipeline.listen(milliseconds: 1000) {
      case .end?: return try part.keep()
      case .error(let text, _, _)?: throw .failure("\(Terminal.shown(path)): \(text)")
      default: if let signal = Interruption.signal { throw .interrupted(signal) }
      }
    }
  }
}
