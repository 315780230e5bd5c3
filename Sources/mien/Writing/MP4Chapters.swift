import Files
import Glibc
import Programs

/// Adds chapters to an MP4 or QuickTime file that is complete.
enum MP4Chapters {
  /// Writes the box `chpl` into the user data of the movie, for which it has to be the movie's last
  /// box; or throws, and leaves the file as it is, where that would move samples.
  static func write(_ list: ChapterList, to part: AtomicFile) throws(ProgramError) {
    let file = try FileReader(part.temporaryPath)
    let boxes = MP4Box(file, 0..<file.size).boxes()
    guard let place = boxes.firstIndex(where: { $0.name == "moov" }),
      !boxes[place...].contains(where: { ["mdat", "moof"].contains($0.name) })
    else { throw .failure("the chapters have no place in the output") }
    let movie = boxes[place].box
    // Boxes whose length grows with what is inserted at their common end.
    var grown = [movie]
    var box = list.neroBox
    if let last = movie.boxes().last, last.name == "udta",
      last.box.range.upperBound == movie.range.upperBound
    {
      grown.append(last.box)
    } else {
      box = (box.count + 8).bigEndianBytes(4) + Array("udta".utf8) + box
    }
    file.offset = movie.range.upperBound
    let rest = Array(file.read(file.size - movie.range.upperBound))
    try write(box + rest, at: movie.range.upperBound, part)
    for parent in grown {
      let length = parent.range.count + 8 + box.count
      try write(length.bigEndianBytes(4), at: parent.range.lowerBound - 8, part)
    }
  }

  private static func write(
    _ bytes: [UInt8], at offset: Int, _ part: AtomicFile
  ) throws(ProgramError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(part.descriptor, $0.baseAddress! + done, bytes.count - done, off_t(offset + done))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw .failure("\(Terminal.printable(part.path)): \(Terminal.errnoText)")
      }
      done += count
    }
  }
}
