import Support
import Testing

/// Faces of films whose colours ffmpeg's zscale brought to BT.2020 with PQ or HLG.
@Suite(.timeLimit(.minutes(20))) struct HighDynamicRangeFilmTests {
  private static let films = ["single_face.mp4", "face_noface.mov", "WolfgangLanger_Pexels.mp4"]
  private let scratch = ScratchFolder()

  /// The first two seconds of a film in 10 bits, with its own transfer function or another.
  private func film(_ name: String, transfer: String?) throws -> String {
    // White is BT.2408's reference white of 203 nits.
    let conversion = transfer.map {
      "zscale=npl=203:transfer=linear,format=gbrpf32le,"
        + "zscale=primaries=2020:transfer=\($0):matrix=2020_ncl:range=limited:npl=203,"
    }
    let output = scratch.path + "/\(transfer ?? "own").mkv"
    let run = try Command(
      [
        "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", Photograph.models + "/scenes/" + name,
        "-an", "-t", "2", "-vf",
        "setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv,"
          + (conversion ?? "") + "format=yuv420p10le", "-c:v", "ffv1",
      ]
        + (transfer.map {
          ["-color_trc", $0, "-color_primaries", "bt2020", "-colorspace", "bt2020nc"]
        } ?? []) + [output])
    try #require(run.status == 0, "\(run.errors)")
    return output
  }

  /// The boxes of faces by their frame's time: left and upper edge, width and height.
  private func faces(_ film: String) throws -> [(time: String, box: [Double])] {
    let run = try Command.mien(["faces", film, "--csv"])
    try #require(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let columns = try ["x", "y", "width", "height"].map { name in
      try #require(lines.first?.firstIndex { $0 == name })
    }
    return lines.dropFirst().filter { $0[1] != "0" }.map { line in
      (String(line[0]), columns.map { Double(line[$0]) ?? .nan })
    }
  }

  @Test(arguments: films, ["smpte2084", "arib-std-b67"])
  func theSameFacesAreFoundInTheSamePlaces(name: String, transfer: String) throws {
    let expected = try faces(film(name, transfer: nil))
    let found = try faces(film(name, transfer: transfer))
    try #require(expected.count > 20)
    #expect(Double(found.count) >= 0.99 * Double(expected.count))
    for (one, other) in zip(expected, found) where expected.count == found.count {
      #expect(one.time == other.time)
      let width = one.box[2]
      let largest = zip(one.box, other.box).map { abs($0 - $1) / width }.max()
      #expect((largest ?? 1) < 0.03, "\(name) at \(one.time)")
    }
  }
}
