import Faces
import Pixels
import Support
import Testing

@testable import Vision

#if canImport(Glibc)
  import Glibc
#endif

@Suite struct BackgroundTests {
  /// Offers `picture` until the thread takes it, then waits for what it finds in it.
  private func outcome(
    _ background: BackgroundFinder, _ picture: OwnedPicture, time: UInt64,
    _ settings: FaceFinder.Settings = FollowingTests.plain
  ) throws -> BackgroundFinder.Outcome {
    while !picture.withPicture({ (p: borrowing Picture) in
      background.offer(p, orientation: .up, time: time, settings: settings)
    }) { usleep(500) }
    while !background.isIdle { usleep(500) }
    return try #require(try background.collect())
  }

  @Test func itFindsWhatTheFinderFinds() throws {
    let film = try Film(width: 240, height: 180)
    film.draw([Film.place(at: Point(x: 120, y: 90), scale: 0.8)])
    let expected = try FaceFinder.loaded(FollowingTests.plain).found(
      in: film.frame, frame: 0, settings: FollowingTests.plain)
    let background = BackgroundFinder(try FaceFinder.loaded(FollowingTests.plain))
    let found = try outcome(background, film.frame, time: 0)
    #expect(found.faces == expected)
    #expect(found.events == [FaceEvent(.found, id: 1)])
    #expect(try background.collect() == nil)
  }

  @Test func nothingFoundBeforeAResetIsToldAfterIt() throws {
    let film = try Film(width: 240, height: 180)
    film.draw([Film.place(at: Point(x: 120, y: 90), scale: 0.8)])
    let background = BackgroundFinder(try FaceFinder.loaded(FollowingTests.plain))
    #expect(try outcome(background, film.frame, time: 0).faces.map(\.id) == [1])
    // Once while it is at work, and once when it has finished.
    for waits in [false, true] {
      film.frame.withPicture { (p: borrowing Picture) in
        _ = background.offer(p, orientation: .up, time: 9, settings: FollowingTests.plain)
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

  @Test func itWorksOnACopy() throws {
    let film = try Film(width: 240, height: 180)
    film.draw([Film.place(at: Point(x: 120, y: 90), scale: 0.8)])
    let background = BackgroundFinder(try FaceFinder.loaded(FollowingTests.plain))
    film.frame.withPicture { (p: borrowing Picture) in
      _ = background.offer(p, orientation: .up, time: 0, settings: FollowingTests.plain)
    }
    film.fill(0)
    while !background.isIdle { usleep(500) }
    #expect(try background.collect()?.faces.count == 1)
  }

  @Test func aThousandRandomCallsLeaveNothingBehindAndNothingFromTheFuture() throws {
    let film = try Film(width: 160, height: 120)
    let small = OwnedPicture(format: .i420, width: 7, height: 5, colorimetry: .bt601)
    film.draw([Film.place(at: Point(x: 80, y: 60), scale: 0.5)])
    var finder = try FaceFinder.loaded(FollowingTests.plain)
    var background = BackgroundFinder(finder)
    var random = SplitMix(3)
    var newest: UInt64 = 0
    for call in 0..<1000 {
      switch random.below(16) {
      case 0:
        // Where the machine is too busy for it to end in time it keeps its finder.
        if !background.stop() { finder = try FaceFinder.loaded(FollowingTests.plain) }
        background.stop()
        background = BackgroundFinder(finder)
      case 1, 2: background.reset()
      case 3:
        small.withPicture { (p: borrowing Picture) in
          _ = background.offer(
            p, orientation: .right, time: UInt64(call), settings: FollowingTests.plain)
        }
      case 4: usleep(300)
      default:
        film.frame.withPicture { (p: borrowing Picture) in
          _ = background.offer(
            p, orientation: .up, time: UInt64(call), settings: FollowingTests.plain)
        }
      }
      newest = UInt64(call)
      if let outcome = try background.collect() { #expect(try #require(outcome.time) <= newest) }
    }
    background.stop()
  }
}
