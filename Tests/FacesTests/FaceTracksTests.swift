import Faces
import Pixels
import Testing

@Suite(.timeLimit(.minutes(20))) struct FaceTracksTests {
  /// A state with memory of its own.
  private final class State {
    var name = ""
  }

  private static let frame: Int64 = 40_000_000

  private func update(_ tracks: inout FaceTracks<State>, _ keys: [UInt64]) -> [Int?] {
    tracks.beginFrame()
    let indices = keys.map { key in
      let index = tracks.lastIndex { $0.key == key } ?? tracks.add(key)
      if let index { tracks.markSeen(index) }
      return index
    }
    tracks.keep { $0.isSeen }
    return indices
  }

  @Test func facesKeepTheirStatesAndTheirOrder() {
    var tracks = FaceTracks(maximum: 4) { State() }
    #expect(update(&tracks, [7, 8, 9]) == [0, 1, 2])
    for (index, name) in ["a", "b", "c"].enumerated() { tracks[index].state.name = name }
    #expect(update(&tracks, [9, 7]) == [2, 0])
    #expect(tracks.map(\.key) == [7, 9])
    #expect(tracks.map(\.state.name) == ["a", "c"])
  }

  @Test func theStateOfADroppedTrackGoesToTheNextNewFace() {
    var made = 0
    var tracks = FaceTracks(maximum: 4) {
      made += 1
      return State()
    }
    for round in 0..<10 { _ = update(&tracks, [UInt64(round), UInt64(round + 1)]) }
    // Of two faces one goes and one comes: there is one more while both are there.
    #expect(made == 3)
    let states = tracks.map { ObjectIdentifier($0.state) }
    tracks.removeAll()
    #expect(tracks.isEmpty)
    _ = update(&tracks, [1, 2, 3])
    #expect(made == 3)
    #expect(Set(states).isSubset(of: tracks.map { ObjectIdentifier($0.state) }))
  }

  @Test func facesOverTheMaximumHaveNoTrack() {
    var tracks = FaceTracks(maximum: 2) { State() }
    #expect(update(&tracks, [1, 2, 3]) == [0, 1, nil])
    #expect(update(&tracks, [3, 2]) == [nil, 1])
    #expect(update(&tracks, [3, 2]) == [1, 0])
  }

  // MARK: Matching

  /// Tracks of faces at places along a line, by their ids.
  private func match(
    _ tracks: inout FaceTracks<Double>, _ faces: [(id: UInt32, place: Double)]
  ) -> [UInt64] {
    tracks.beginFrame(elapsed: Self.frame)
    for face in faces {
      let index = tracks.match(
        face.id, among: faces.lazy.map { UInt64($0.id) },
        cost: { abs($0.state - face.place) < 5 ? abs($0.state - face.place) : nil },
        reset: { $0 = -1 })
      guard let index else { continue }
      tracks[index].state = face.place
      tracks.markSeen(index)
    }
    return tracks.map(\.key)
  }

  @Test func aFaceIsMatchedByItsIDBeforeItsPlace() {
    var tracks = FaceTracks(maximum: 4) { 0.0 }
    #expect(match(&tracks, [(1, 0), (2, 100)]) == [1, 2])
    #expect(match(&tracks, [(2, 1), (1, 99)]) == [1, 2])
    #expect(tracks.map(\.state) == [99, 1])
  }

  @Test func aFaceWithANewIDTakesTheNearestMissingTrack() {
    var tracks = FaceTracks(maximum: 4) { 0.0 }
    _ = match(&tracks, [(1, 0), (2, 3), (0, 50)])
    #expect(match(&tracks, [(9, 2), (0, 51)]) == [1, 9, 0])
    #expect(tracks.map(\.state) == [0, 2, 51])
    // Another face has the id of the track that is near.
    #expect(match(&tracks, [(5, 2.5), (9, 40)]).contains(5))
    #expect(tracks.first { $0.key == 9 }?.state == 40)
  }

  @Test func aNewTrackHasItsStateReset() {
    var tracks = FaceTracks(maximum: 1) { 7.0 }
    tracks.beginFrame()
    var states: [Double] = []
    let index = tracks.match(3, among: [3], cost: { _ in nil }) { state in
      states.append(state)
      state = 0
    }
    #expect(index == 0 && states == [7] && tracks[0].state == 0)
    #expect(tracks.match(4, among: [3, 4], cost: { _ in nil }, reset: { _ in }) == nil)
  }

  // MARK: Age and motion

  /// A face that moves by 10 a frame, seen in the frames for which `isSeen` is true.
  private func moving(_ count: Int, isSeen: (Int) -> Bool) -> FaceTracks<Int> {
    var tracks = FaceTracks(maximum: 1) { 0 }
    for frame in 0..<count {
      tracks.beginFrame(elapsed: Self.frame)
      guard isSeen(frame) else { continue }
      let index = tracks.isEmpty ? tracks.add(1) : 0
      if let index { tracks.markSeen(index, at: Point(x: 10 * Double(frame), y: 0)) }
    }
    return tracks
  }

  @Test func theVelocityIsThatOverTheTimeSinceTheFaceWasSeen() {
    let always = moving(60) { _ in true }
    #expect(abs(always[0].motion.velocity.x - 250) < 1)
    // Seen in every fourth frame it moves by 40 at a time, and no faster.
    let seldom = moving(61) { $0 % 4 == 0 }
    #expect(abs(seldom[0].motion.velocity.x - 250) < 1)
  }

  @Test func aMissingFaceMovesOnForALimitedTime() {
    let lost = moving(64) { $0 < 60 }
    let track = lost[0]
    #expect(!track.isSeen && track.missing == 4 * Self.frame)
    #expect(abs(track.offset(limit: .max).x - 40) < 0.2)
    #expect(abs(track.offset(limit: Self.frame).x - 10) < 0.05)
    #expect(track.remainingStrength(fadingOver: 8 * Self.frame) == 0.5)
    let seen = moving(10) { _ in true }[0]
    #expect(seen.offset(limit: .max) == .zero && seen.remainingStrength(fadingOver: 1) == 1)
  }

  @Test func positionsFarApartInTimeLeaveTheVelocity() {
    let again = moving(67) { $0 < 60 || $0 == 66 }
    #expect(again[0].motion.velocity == moving(60) { _ in true }[0].motion.velocity)
  }

  @Test func agesDoNotOverflow() {
    var tracks = FaceTracks(maximum: 1) { 0 }
    _ = tracks.add(1)
    for _ in 0..<3 { tracks.beginFrame(elapsed: .max) }
    #expect(tracks[0].missing == .max)
    tracks.markSeen(0, at: .zero)
    #expect(tracks[0].missing == 0 && tracks[0].motion.velocity == .zero)
  }

  @Test func aReusedTrackHasNoVelocity() {
    var tracks = moving(63) { $0 < 60 }
    tracks[0].level = 1
    tracks.removeAll()
    _ = tracks.add(2)
    #expect(tracks[0].level == 0 && tracks[0].missing == 0 && tracks[0].motion.velocity == .zero)
  }

  // MARK: Fading

  /// The levels of face 1 in frames in which it is seen or not.
  private func levels(_ isSeen: [Bool], isActive: @escaping (Int) -> Bool = { _ in true })
    -> [Double]
  {
    var tracks = FaceTracks(maximum: 1) { 0 }
    return isSeen.indices.map { frame in
      tracks.beginFrame(elapsed: Self.frame)
      if isSeen[frame], let index = tracks.isEmpty ? tracks.add(1) : 0 {
        tracks[index].state = frame
        tracks.markSeen(index)
      }
      tracks.fade(in: 0.25, out: 0.5, where: isActive)
      return tracks.first?.level ?? -1
    }
  }

  @Test func facesOfTheFirstFrameStartAtFullLevelAndLaterOnesFadeIn() {
    #expect(levels([true, true]) == [1, 1])
    #expect(levels([false, true, true, true, true, true]) == [-1, 0.25, 0.5, 0.75, 1, 1])
  }

  @Test func missingFacesFadeOutAndAreDropped() {
    #expect(levels([true, false, true, false, false]) == [1, 0.5, 0.75, 0.25, -1])
  }

  @Test func facesThatAreNotActiveFadeOutAndAreKept() {
    #expect(levels([true, true, true, true], isActive: { $0 > 2 }) == [0, 0, 0, 0.25])
    #expect(levels([true, true, true, true], isActive: { $0 == 0 }) == [1, 0.5, 0, 0])
  }
}
