/// What passed of one stream; all times are nanoseconds of running time.
final class StreamStatistics {
  /// The stream's number in the container, which ends its ID; nil where that is no number.
  let number: Int?
  /// Begin and end of the first frame from the demuxer.
  var first: Int?
  var firstEnd: Int?
  /// Times of the decoder's inputs that have one, and the number of all inputs.
  var inputTimes: [Int] = []
  var inputCount = 0
  /// The same of the frames that leave uridecodebin.
  var outputTimes: [Int] = []
  var outputCount = 0
  /// Buffers from the decoder itself.
  var decodedCount = 0
  /// Frames longer than `IntegrityMonitor.pictureGap`: their ends by their times.
  var longFrames: [Int: Int] = [:]
  /// The latest end; and the same as stream time, which may begin anywhere.
  var end = 0
  var position = 0
  /// Frames per second in the caps.
  var rate: Double?
  /// Gaps in the sound, and the number of its buffers.
  var gaps: [(start: Int, end: Int)] = []
  var bufferCount = 0

  init(_ streamID: String) { number = streamID.split(separator: "/").last.flatMap { Int($0) } }
}
