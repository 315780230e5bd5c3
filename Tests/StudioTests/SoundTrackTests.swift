import Studio
import Testing

@Suite(.timeLimit(.minutes(20))) struct SoundTrackTests {
  private let second = 1_000_000_000

  @Test func consecutiveBuffersAreAppended() {
    var track = SoundTrack()
    for piece in 0..<100 {
      let laid = track.add(1024, at: SoundTrack.time(ofSample: piece * 1024))
      #expect(laid.silence == 0 && laid.skipped == 0)
    }
    #expect(track.end == 102_400)
  }

  @Test func clockDriftIsTolerated() {
    var track = SoundTrack()
    for piece in 0..<50 {
      let off = piece % 2 == 0 ? 15_000_000 : -15_000_000
      let laid = track.add(480, at: max(0, SoundTrack.time(ofSample: piece * 480) + off))
      #expect(laid.silence == 0 && laid.skipped == 0)
    }
  }

  @Test func gapsAreFilledAndOverlapsSkipped() {
    var track = SoundTrack()
    _ = track.add(48_000, at: 0)
    let later = track.add(480, at: 3 * second)
    #expect(later.silence == 96_000 && later.skipped == 0 && track.end == 144_480)
    let earlier = track.add(48_000, at: second * 5 / 2)
    #expect(earlier.silence == 0 && earlier.skipped == 24_480)
    let gone = track.add(480, at: 0)
    #expect(gone.skipped == 480 && track.end == 168_000)
  }

  @Test func missingAudioIsFilledWithSilence() {
    var track = SoundTrack()
    #expect(track.fillSilence(upTo: second / 2) == 0)
    #expect(track.fillSilence(upTo: 2 * second) == 72_000)
    #expect(track.fillSilence(upTo: 2 * second) == 0)
    // The part of a late buffer that overlaps the silence is skipped.
    let laid = track.add(4_800, at: second * 29 / 20)
    #expect(laid.silence == 0 && laid.skipped == 2_400)
  }

  @Test func timesAndSamplesConvertExactly() {
    for sample in [0, 1, 47_999, 48_000, 1_234_567, 48_000 * 3_600 * 99 + 7] {
      let time = SoundTrack.time(ofSample: sample)
      #expect([sample, sample - 1].contains(SoundTrack.sampleCount(of: time)))
    }
  }
}
