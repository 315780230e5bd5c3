import Programs

/// One stream's times, all nanoseconds on the running time: as the container has them, into its
/// decoder, out of it.
final class Track {
  /// Its number in the container, which ends the stream's name; nil where that is none.
  let number: Int?
  /// Time of the first frame that the demuxer let out.
  var first: Int?
  /// When that frame ends, as the container says.
  var firstEnd: Int?
  /// Of what went into the decoder, where it has a time; and how many, with those that have none.
  var taken: [Int] = []
  var takenCount = 0
  /// The same of what leaves the decoding part.
  var given: [Int] = []
  var givenCount = 0
  /// Buffers that the decoder itself let out.
  var decoded = 0
  /// Frames that are meant to stay longer than a hole: by time, their end.
  var long: [Int: Int] = [:]
  /// The latest end; and the same in the stream's own time, from wherever that counts.
  var end = 0
  var position = 0
  /// Frames a second where the film says so.
  var rate: Double?
  /// Holes in the sound, and its buffers.
  var holes: [(start: Int, end: Int)] = []
  var buffers = 0

  init(_ stream: String) { number = stream.split(separator: "/").last.flatMap { Int($0) } }
}
