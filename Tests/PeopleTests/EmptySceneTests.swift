import Pixels
import Support
import Testing

/// Real films without people: letters before a sky with clouds, behind a detector that sees no face.
@Suite(.timeLimit(.minutes(20))) struct EmptySceneTests {
  /// The mean opacity of some of a film's frames, 0...1.
  private func opacity(of film: RealScene, in frames: Range<Int>) throws -> Float {
    let (width, height) = film.size
    let pipeline = try PersonKeyPipeline(
      VideoFormat(
        format: .nv12, width: width, height: height,
        colorimetry: PixelFormat.nv12.colorimetry(.bt601)))
    var (sum, number) = (Float(0), 0)
    try film.forEachFrame(.nv12) { picture, _ in
      let matte = try pipeline.run(picture, faces: []).opacity
      if frames.contains(number) { sum += matte.reduce(0, +) / Float(matte.count) }
      number += 1
    }
    #expect(number >= frames.upperBound)
    return sum / Float(frames.count)
  }

  /// In the last frames the letters are blurred, and the network is sure of clouds.
  @Test func lettersAndCloudsAreNotPeople() throws {
    #expect(try opacity(of: .letters, in: 0..<90) < 1e-5)
  }

  /// The film cuts from a man to the letters in frame 72; what is shown there was not there before.
  @Test func lettersAfterAManAreNotPeople() throws {
    #expect(try opacity(of: .manThenLetters, in: 73..<160) < 1e-5)
  }

  /// The man, of whom the detector sees nothing here, is shown from the first frame on.
  @Test func aManWithoutAFaceIsShown() throws {
    #expect(try opacity(of: .man, in: 0..<5) > 0.2)
  }
}
