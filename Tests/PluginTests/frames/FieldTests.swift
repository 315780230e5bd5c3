import CGStreamer
import Pixels
import Support
import Testing

/// Elements that read neighbouring rows process each field of interlaced frames by itself.
@Suite(.timeLimit(.minutes(20))) struct FieldTests {
  /// Elements whose fields share nothing but the faces.
  static let apart = [
    "beautifymask intensity=1 mask=ellipse", "facereshape slim=1 eyes=1",
    "photoeffect look=cartoon",
  ]
  /// Elements that follow people or a screen from field to field, so that the first field of a
  /// stream alone is one by itself.
  static let following = [
    "personkey background-color=0xff204060", "personkey blur=8",
    "chromakey method=custom color=0xffb0a090 background-color=0xff204060",
  ]
  /// Elements with masks or pictures of the frame's height.
  static let finerThanFields = [
    "photoeffect look=chrome where=faces", "photoeffect vignette=1",
    "chromakey method=custom color=0xffb0a090 background=beach",
  ]
  static let formats: [PixelFormat] = [.i420, .nv12, .bgra, .y42bTen]
  /// Four rows are a group of 4:2:0.
  private static let (width, height) = (256, 192)

  /// The photograph, and the same darker and upside down.
  private static func pictures(_ format: PixelFormat) throws -> [[UInt8]] {
    try ["", " ! videoflip method=vertical-flip ! videobalance brightness=-0.1"].map {
      try Pipeline(
        Registered.photograph(.rgb, width: width, height: height / 2)
          + "\($0) ! videoconvert ! video/x-raw,format=\(format.rawValue) ! fakesink name=sink"
      ).frames()[0].bytes
    }
  }

  /// A frame of two fields, by GStreamer's layout of both.
  private static func weave(_ fields: [[UInt8]], _ format: PixelFormat) -> [UInt8] {
    rows(format).flatMap { row in fields.flatMap { $0[row] } }
  }

  /// Field `index` of a frame.
  private static func unweave(_ frame: [UInt8], _ index: Int, _ format: PixelFormat) -> [UInt8] {
    rows(format).flatMap { row in
      let start = 2 * row.lowerBound + index * row.count
      return frame[start..<start + row.count]
    }
  }

  /// Where the rows of all planes lie in a field; the width is a multiple of every alignment.
  ///
  /// In the frame the two rows at twice that place are those of the fields.
  private static func rows(_ format: PixelFormat) -> [Range<Int>] {
    var start = 0
    return (0..<format.layout.planeCount).flatMap { plane in
      let size = format.layout.rowBytes(plane: plane, width: width)
      return (0..<format.layout.rowCount(plane: plane, height: height / 2)).map { _ in
        defer { start += size }
        return start..<start + size
      }
    }
  }

  /// What an element makes of a frame with one face.
  private static func process(
    _ bytes: [UInt8], by element: String, _ format: PixelFormat, height: Int, caps: String
  ) throws -> [UInt8] {
    let frames = try PushedFrames(element, format, width: width, height: height, caps: caps)
    let result = frames.push(bytes) {
      AttachedFace.attach([AttachedFace(x: 0.34, y: 0.2, width: 0.2, height: 0.3)], to: $0)
    }
    #expect(result == GST_FLOW_OK)
    return try #require(frames.arrivals.first).bytes
  }

  private static func processInterlaced(
    _ fields: [[UInt8]], by element: String, _ format: PixelFormat
  ) throws -> [UInt8] {
    try process(
      weave(fields, format), by: element, format, height: height,
      caps: ",interlace-mode=interleaved")
  }

  /// As a picture of half the height, whose pixels are twice as high.
  private static func processAlone(
    _ field: [UInt8], by element: String, _ format: PixelFormat
  ) throws -> [UInt8] {
    try process(
      field, by: element, format, height: height / 2, caps: ",pixel-aspect-ratio=1/2")
  }

  @Test(arguments: formats, apart)
  func eachFieldIsProcessedAsAPictureOfHalfTheHeight(
    format: PixelFormat, element: String
  ) throws {
    let fields = try Self.pictures(format)
    let frame = try Self.processInterlaced(fields, by: element, format)
    for (index, field) in fields.enumerated() {
      let alone = try Self.processAlone(field, by: element, format)
      #expect(alone != field)
      #expect(Self.unweave(frame, index, format) == alone, "field \(index)")
    }
  }

  @Test(arguments: formats, following)
  func theFirstFieldIsKeyedAsAPictureOfHalfTheHeight(
    format: PixelFormat, element: String
  ) throws {
    let fields = try Self.pictures(format)
    let frame = try Self.processInterlaced(fields, by: element, format)
    #expect(Self.unweave(frame, 1, format) != fields[1])
    #expect(
      Self.unweave(frame, 0, format) == (try Self.processAlone(fields[0], by: element, format)))
  }

  @Test(arguments: formats, following + apart + finerThanFields)
  func theFirstFieldDoesNotDependOnTheSecond(format: PixelFormat, element: String) throws {
    let fields = try Self.pictures(format)
    let frame = try Self.processInterlaced(fields, by: element, format)
    let still = try Self.processInterlaced([fields[0], fields[0]], by: element, format)
    let first = Self.unweave(frame, 0, format)
    #expect(first != fields[0])
    #expect(first == Self.unweave(still, 0, format))
  }

  @Test func whatIsAsHighAsTheFrameKeepsItsRows() throws {
    for (pattern, element, tolerance) in [
      // A frame of the screen alone shows the background.
      ("blue", "chromakey method=blue background=beach", 0),
      // Ordered dither has another phase in fields.
      ("white", "photoeffect vignette=1", 1),
    ] {
      let outputs = try ["progressive", "interleaved"].map { mode in
        try Pipeline(
          "videotestsrc num-buffers=1 pattern=\(pattern)"
            + " ! video/x-raw,format=I420,width=256,height=192"
            + " ! capssetter caps=video/x-raw,interlace-mode=\(mode) ! \(element)"
            + " ! fakesink name=sink"
        ).frames()[0].bytes
      }
      let largest = zip(outputs[0], outputs[1]).map { abs(Int($0) - Int($1)) }.max()
      #expect(largest ?? 255 <= tolerance, "\(element)")
    }
  }
}
