import Faces
import Pixels
import Support
import Testing

@testable import Vision

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.timeLimit(.minutes(20))) struct AsyncFaceFinderThreadTests {
  /// Submits `picture` until it is accepted, then waits for the outcome.
  private func outcome(
    _ background: AsyncFaceFinder, _ picture: OwnedPicture, time: UInt64,
    _ settings: FaceFinder.Settings = TrackingTests.plain
  ) throws -> AsyncFaceFinder.Outcome {
    while !picture.withPicture({ (p: borrowing Picture) in
      background.submit(p, orientation: .up, time: time, settings: settings)
    }) { usleep(500) }
    while !background.isIdle { usleep(500) }
    return try #require(try background.collect())
  }

  @Test func outcomesEqualThoseOfTheFinder() throws {
    let film = try Film(width: 240, height: 180)
    film.draw([Film.place(at: Point(x: 120, y: 90), scale: 0.8)])
    let expected = try FaceFinder.loaded(TrackingTests.plain).found(
      in: film.frame, frame: 0, settings: TrackingTests.plain)
    let background = AsyncFaceFinder(try FaceFinder.loaded(TrackingTests.plain))
    let found = try outcome(background, film.frame, time: 0)
    #expect(found.faces == expected)
    #expect(found.events == [FaceEvent(.found, id: 1)])
    #expect(try background.collect() == nil)
  }

  @Test func outcomesFromBeforeAResetAreDropped() throws {
    let film = try Film(width: 240, height: 180)
    film.draw([Film.place(at: Point(x: 120, y: 90), scale: 0.8)])
    let background = AsyncFaceFinder(try FaceFinder.loaded(TrackingTests.plain))
    #expect(try outcome(background, film.frame, time: 0).faces.map(\.id) == [1])
    // Once while the thread is busy, and once when it has finished.
    for waits in [false, true] {
      film.frame.withPicture { (p: borrowing Picture) in
        _ = background.submit(p, orientation: .up, time: 9, settings: TrackingTests.plain)
      }
      while waits && !background.isIdle { usleep(500) }
      background.reset()
      while !background.isIdle { usleep(500) }
      #expect(try background.collect() == nil)
    }
    let after = try outcome(background, film.frame, time: 0)
    #expect(after.faces.count == 1 && after.faces.first?.id != 1)
    #expect(after.events.contains(FaceEvent(.lost, id: 1)))
  }

  @Test func detectionUsesACopyOfThePicture() throws {
    let film = try Film(width: 240, height: 180)
    film.draw([Film.place(at: Point(x: 120, y: 90), scale: 0.8)])
    let background = AsyncFaceFinder(try FaceFinder.loaded(TrackingTests.plain))
    film.frame.withPicture { (p: borrowing Picture) in
      _ = background.submit(p, orientation: .up, time: 0, settings: TrackingTests.plain)
    }
    film.fill(0)
    while !background.isIdle { usleep(500) }
    #expect(try background.collect()?.faces.count == 1)
  }

  @Test func aThousandRandomCallsReturnNoOutcomeFromTheFuture() throws {
    let film = try Film(width: 160, height: 120)
    let small = OwnedPicture(format: .i420, width: 7, height: 5, colorimetry: .bt601)
    film.draw([Film.place(at: Point(x: 80, y: 60), scale: 0.5)])
    var finder = try FaceFinder.loaded(TrackingTests.plain)
    var background = AsyncFaceFinder(finder)
    var random = SplitMix(3)
    var newest: UInt64 = 0
    for call in 0..<1000 {
      switch random.below(16) {
      case 0:
        // On a busy machine the thread may not end in time, and then keeps its finder.
        if !background.stop() { finder = try FaceFinder.loaded(TrackingTests.plain) }
        background.stop()
        background = AsyncFaceFinder(finder)
      case 1, 2: background.reset()
      case 3:
        small.withPicture { (p: borrowing Picture) in
          _ = background.submit(
            p, orientation: .right, time: UInt64(call), settings: TrackingTests.plain)
        }
      case 4: usleep(300)
      default:
        film.frame.withPicture { (p: borrowing Picture) in
          _ = background.submit(
            p, orientation: .up, time: UInt64(call), settings: TrackingTests.plain)
        }
      }
      newest = UInt64(call)
      if let outcome = try background.collect() { #expect(try #require(outcome.time) <= newest) }
    }
    background.stop()
  }
}

/// Outcomes that are older than the current frame.
@Suite(.timeLimit(.minutes(20))) struct OutcomeExtrapolationTests {
  @Test func facesAreExtrapolatedByTheirVelocity() throws {
    var settings = TrackingTests.plain
    settings.tiles = .none
    let film = try Film(width: 480, height: 200)
    let finder = try FaceFinder.loaded(settings)
    var last: (faces: [Face], time: UInt64)?
    var (still, moved) = (0.0, 0.0)
    for frame in 0..<24 {
      film.draw([Film.place(at: Point(x: 90 + 12 * Double(frame), y: 100), scale: 0.75)])
      let time = UInt64(frame) * 40_000_000
      let faces = try finder.found(in: film.frame, time: time, settings: settings)
      let face = try #require(faces.first)
      // Velocities are updated in some pictures only.
      if frame >= 12, let last, let old = last.faces.first {
        let outcome = AsyncFaceFinder.Outcome(faces: last.faces, events: [], time: last.time)
        let new = try #require(outcome.faces(at: time).first)
        still += abs(old.box.center.x - face.box.center.x) * 480
        moved += abs(new.box.center.x - face.box.center.x) * 480
        #expect(new.landmarks.count == Face.landmarkCount)
        let shift = (new.landmarks[4].x - old.landmarks[4].x) * 480
        #expect(abs(Double(shift) - (new.box.center.x - old.box.center.x) * 480) < 0.01)
      }
      last = (faces, time)
    }
    #expect(still / 12 > 11 && moved / 12 < 1.5, "\(still / 12) pixels became \(moved / 12)")
  }

  @Test func extrapolationIsForwardAndAtMostATenthOfASecond() {
    var face = Face(confidence: 1, box: Rectangle(x: 0.1, y: 0.1, width: 0.2, height: 0.2))
    face.velocity = Point(x: 1, y: 0)
    let outcome = AsyncFaceFinder.Outcome(faces: [face], events: [], time: 1_000_000_000)
    for (time, x) in [(1_050_000_000, 0.15), (3_000_000_000, 0.2), (900_000_000, 0.1)] {
      #expect(abs(outcome.faces(at: UInt64(time))[0].box.x - x) < 1e-9)
    }
    #expect(outcome.faces(at: nil) == [face])
  }
}
