/// Where a map lies in the engine's memory: rows of all channels.
///
/// After the numbers of a channel's row comes that of the next channel, with zeros between them for
/// windows that reach over the edge; rows of zeros lie above the map and below it for the same. A
/// map of one pixel is a vector: one row of `width` numbers, one for each channel.
struct Rows: Equatable {
  var height: Int
  var width: Int
  var channels: Int
  var isVector = false
  /// Numbers from a channel's row to the next channel's, and from a row to the next.
  var pitch = 0
  var stride = 0
  /// The place of the first number.
  var origin = 0

  /// Vectors across a row; the last may be partly filled.
  var vectors: Int { Vector.count(width) }

  /// Numbers in a row's last vector.
  var lastLanes: Int { width - (vectors - 1) * Vector.lanes }

  func index(row: Int, channel: Int = 0) -> Int { origin + row * stride + channel * pitch }

  /// The bytes from a band's begin to each of the vectors of its rows; odd where one is not full.
  func places(rows: Int) -> [Int32] {
    (0..<rows * vectors).map { number in
      let (row, column) = (number / vectors, number % vectors)
      let isPartial = column == vectors - 1 && lastLanes < Vector.lanes
      return Int32((row * stride + column * Vector.lanes) * 4 + (isPartial ? 1 : 0))
    }
  }
}

/// What becomes of sums, and where they go.
struct Finish {
  /// What numbers are made at least.
  private(set) var floor = -Float.infinity
  let isSloped: Bool
  let slopes: FloatBuffer
  /// What is added to the sums of the first `addedChannels`, before they are bent.
  private(set) var addedChannels = 0
  /// What is left to do once the sums are there, in another pass over them.
  let rest: Curve
  private(set) var addsLast = false
  /// Bytes from a channel to the next.
  private(set) var addedPitch = 0
  let outputPitch: Int
  /// Where the vectors of a band lie, in bytes; odd where a row's last vector is not full.
  let places: [Int32]
  private(set) var addedPlaces: [Int32] = []
  /// How many numbers of such a vector count; the others become 0.
  let lastLanes: Int
  let mask: Vector
  let channels: Int

  /// Results that go to the channels of a map, `rows` rows at a time.
  init(_ map: Rows, rows: Int, _ curve: Curve) {
    self.init(
      places: map.places(rows: rows), pitch: map.pitch * 4, channels: map.channels,
      lastLanes: map.lastLanes, curve)
  }

  init(places: [Int32], pitch: Int, channels: Int, lastLanes: Int, _ curve: Curve) {
    (self.places, outputPitch, self.channels, self.lastLanes) = (places, pitch, channels, lastLanes)
    mask = Kernels.mask(lastLanes)
    isSloped = curve.code == .slopes
    if curve.code == .positive { floor = 0 }
    rest = [.none, .positive, .slopes].contains(curve.code) ? .none : curve
    slopes = curve.slopes ?? FloatBuffer(count: channels)
    precondition(slopes.count >= channels)
  }

  /// Has a map's rows added, as far as it has channels.
  mutating func add(_ map: Rows, rows: Int, last: Bool) {
    addsLast = last
    guard !last else { return }
    (addedPlaces, addedPitch) = (map.places(rows: rows), map.pitch * 4)
    addedChannels = min(channels, map.channels)
  }

  /// Bytes from the begin of a band to the end of what is written for its first `vectors`.
  func reach(_ vectors: Int) -> Int { Self.reach(places, vectors, outputPitch, channels) }

  /// The same for what is read to be added.
  func addedReach(_ vectors: Int) -> Int {
    addedChannels > 0 ? Self.reach(addedPlaces, vectors, addedPitch, addedChannels) : 0
  }

  private static func reach(_ places: [Int32], _ vectors: Int, _ pitch: Int, _ channels: Int) -> Int
  {
    Int(places[vectors - 1]) + max(channels - 1, 0) * pitch + Vector.lanes * 4
  }
}
