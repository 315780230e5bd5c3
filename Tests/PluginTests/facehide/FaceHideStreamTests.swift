import CGStreamer
import Pixels
import Support
import Testing

/// Whatever a stream does, no face passes that is known from the frames around it.
@Suite(.timeLimit(.minutes(20))) struct FaceHideStreamTests {
  /// The face is found in some frames only: late, with a gap, and not at the end.
  private static func word(_ number: Int) -> HideRig.Word {
    (12..<30).contains(number) || (40..<70).contains(number) ? .found : .nobody
  }

  private static func rig(_ properties: String = "lookahead=15") throws -> HideRig {
    let rig = try HideRig(properties)
    rig.caps(100, 80)
    rig.segment()
    return rig
  }

  private func expectHidden(_ rig: HideRig, _ numbers: [Int]) {
    #expect(rig.frames.map(\.number) == numbers)
    let bare = rig.frames.filter { $0.bare > 0 }.map(\.number)
    #expect(bare.isEmpty, "a face is seen in \(bare)")
  }

  @Test(arguments: ["mosaic", "blur", "color color=0xff808080", "mosaic shape=rectangle"])
  func aFaceIsHiddenBeforeItIsFoundAndWhileItIsLost(mode: String) throws {
    let rig = try Self.rig("lookahead=15 mode=\(mode)")
    for number in 0..<80 { rig.push(number, Self.word(number), at: 40 * number) }
    rig.send(gst_event_new_eos())
    expectHidden(rig, Array(0..<80))
  }

  @Test func withoutLookaheadItIsSeenUntilItIsFound() throws {
    let rig = try Self.rig("")
    for number in 0..<80 { rig.push(number, Self.word(number), at: 40 * number) }
    #expect(rig.frames.count == 80)
    #expect(rig.frames.filter { $0.bare > 0 }.map(\.number) == Array(0..<12))
  }

  @Test func nothingIsSeenWhenPlayedBackwards() throws {
    let rig = try HideRig("lookahead=15")
    rig.caps(100, 80)
    rig.segment(rate: -1)
    for number in 0..<80 { rig.push(number, Self.word(number), at: 40 * (100 - number)) }
    rig.send(gst_event_new_eos())
    expectHidden(rig, Array(0..<80))
  }

  @Test(arguments: ["0/1", "25/1"], [true, false])
  func nothingIsSeenWithoutARateOrTimes(rate: String, isTimed: Bool) throws {
    let rig = try HideRig("lookahead=15 hold=2000")
    rig.caps(100, 80, rate: rate)
    rig.segment()
    var time = 0
    for number in 0..<80 {
      time += [5, 40, 90, 200][number % 4]
      rig.push(number, Self.word(number), at: isTimed ? time : nil)
    }
    rig.send(gst_event_new_eos())
    expectHidden(rig, Array(0..<80))
  }

  @Test func gapsAndTagsStayInTheirPlacesAndLetFramesGo() throws {
    let rig = try Self.rig("lookahead=15 hold=2000")
    for number in 0..<80 {
      rig.push(number, Self.word(number), at: 80 * number)
      if number % 10 == 9 {
        rig.send(gst_event_new_gap(GstClockTime(80 * number + 40) * 1_000_000, 40_000_000))
        rig.send(gst_event_new_tag(gst_tag_list_new_empty()))
      }
    }
    // The last gap too stands for one of the fifteen.
    #expect(rig.frames.count == 80 - 13)
    for _ in 0..<14 { rig.send(gst_event_new_gap(7_000_000_000, 40_000_000)) }
    #expect(rig.frames.count == 80)
    expectHidden(rig, Array(0..<80))
  }

  @Test func aSegmentWithoutAFlushChangesNothing() throws {
    let rig = try Self.rig("lookahead=15")
    for number in 0..<80 {
      if number == 9 || number == 35 { rig.segment(stop: 90_000_000_000) }
      rig.push(number, Self.word(number), at: 40 * number)
    }
    rig.send(gst_event_new_eos())
    expectHidden(rig, Array(0..<80))
  }

  @Test func framesOfAnotherSizeComeAfterAllBeforeThem() throws {
    let rig = try Self.rig("lookahead=15")
    for number in 12..<62 {
      // In the gap too, across which the face is held.
      if number == 20 || number == 33 { rig.caps(number == 20 ? 160 : 92, 120) }
      rig.push(number, Self.word(number), at: 40 * number)
    }
    rig.send(gst_event_new_eos())
    expectHidden(rig, Array(12..<62))
  }

  @Test func aFlushDropsWhatIsKept() throws {
    let rig = try Self.rig("lookahead=15")
    for number in 0..<20 { rig.push(number, .found, at: 40 * number) }
    #expect(rig.frames.count == 5)
    rig.send(gst_event_new_flush_start())
    rig.send(gst_event_new_flush_stop(1))
    rig.segment()
    for number in 50..<90 { rig.push(number, .found, at: 40 * number) }
    rig.send(gst_event_new_eos())
    expectHidden(rig, Array(0..<5) + Array(50..<90))
  }

  @Test func moreOrFewerFramesAreKeptFromOneToTheNext() throws {
    let rig = try Self.rig("lookahead=15")
    for number in 0..<80 {
      if number == 30 { rig.set("lookahead", "3") }
      if number == 50 { rig.set("lookahead", "20") }
      rig.push(number, .found, at: 40 * number)
      let left = number < 30 ? number - 14 : number < 50 ? number - 2 : max(47, number - 19)
      #expect(rig.frames.count == max(0, left))
    }
    rig.send(gst_event_new_eos())
    expectHidden(rig, Array(0..<80))
  }

  @Test func framesThatAreKeptAreToldAsLatency() throws {
    let rig = try Self.rig("lookahead=15")
    #expect(rig.latency == 600)
    rig.set("lookahead", "0")
    #expect(rig.latency == 0)
    // Without a rate, as long as frames took.
    let other = try HideRig("lookahead=10")
    other.caps(64, 64, rate: "0/1")
    other.segment()
    for (number, time) in [0, 30, 80, 100].enumerated() { other.push(number, .nobody, at: time) }
    #expect(other.latency == 500)
  }

  @Test func framesOfWhichNothingIsSaidAreHiddenWhole() throws {
    for (policy, isHidden) in [("hide", true), ("pass", false)] {
      let rig = try Self.rig("when-unknown=\(policy)")
      for number in 0..<3 { rig.push(number, .nothing, at: 40 * number) }
      #expect(rig.frames.count == 3)
      #expect(rig.frames.allSatisfy { ($0.bare == 0) == isHidden })
    }
    let rig = try Self.rig("when-unknown=error lookahead=2")
    rig.push(0, .found, at: 0)
    rig.push(1, .nothing, at: 40)
    rig.push(2, .found, at: 80)
    #expect(rig.push(3, .found, at: 120) == GST_FLOW_ERROR)
    #expect(rig.frames.map(\.number) == [0])
  }

  @Test func aLostFaceIsHiddenInFramesOfWhichNothingIsSaid() throws {
    let rig = try Self.rig("when-unknown=pass")
    for number in 0..<10 { rig.push(number, number < 5 ? .found : .nothing, at: 40 * number) }
    expectHidden(rig, Array(0..<10))
  }

  @Test func framesWithoutFacesPassAsTheyAre() throws {
    let run = try Retouched(
      Retouched.noise(.nv12, width: 64, height: 48, count: 5), "lookahead=2", by: "facehide"
    ) { buffer, _ in AttachedFace.attach([], to: buffer) }
    #expect(run.after.count == 5)
    for (before, after) in zip(run.before, run.after) {
      #expect(before.address == after.address && before.bytes == after.bytes)
    }
  }

  @Test(arguments: PixelFormat.eightBit)
  func everyFormatAndSizeIsTaken(format: PixelFormat) throws {
    for (width, height) in [(1, 1), (2, 3), (3, 5), (17, 1), (1, 64), (515, 7)] {
      for mode in ["mosaic", "blur", "color"] {
        let run = try Retouched(
          Retouched.noise(format, width: width, height: height), "mode=\(mode)", by: "facehide")
        // Nothing was said of it: all of it is hidden.
        #expect(run.after.count == 1 && (run.change(0) > 0 || width < 4))
      }
    }
  }

  @Test func itIsSaidWhatIsHiddenAndWhy() throws {
    let rig = try Self.rig("lookahead=2 report=true")
    let words: [HideRig.Word] = [.nobody, .nobody, .found, .nobody, .found, .nobody, .nothing]
    for (number, word) in words.enumerated() { rig.push(number, word, at: 40 * number) }
    rig.send(gst_event_new_eos())
    let causes = rig.messages.filter { $0.hasPrefix("facehide,") }.map { message in
      ["seen", "held", "between", "ahead", "unknown"].filter {
        message.contains($0)
      }
    }
    #expect(
      causes == [["ahead"], ["ahead"], ["seen"], ["between"], ["seen"], ["held"], ["unknown"]])
  }
}
