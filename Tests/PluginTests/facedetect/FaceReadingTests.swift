import CGStreamer
import Pixels
import Support
import Testing

/// Effects read faces whatever types the numbers of their metadata have, and whatever stands beside them.
@Suite(.timeLimit(.minutes(20))) struct FaceReadingTests {
  private static let effects = [
    ("beautifymask", ""), ("photoeffect", "look=mono where=faces"),
    ("facereshape", "effect=bulge amount=1"),
  ]

  private static func run(
    _ effect: (String, String), _ entries: [AttachedFields.Entry], asArray: Bool = true
  ) throws -> Retouched {
    try Retouched(
      "filesrc location=\(Photograph.path) ! pngdec ! videoconvert ! videoscale"
        + " ! video/x-raw,format=I420,width=160,height=160", effect.1, by: effect.0
    ) { buffer, _ in AttachedFields.attach(entries, asArray: asArray, to: buffer) }
  }

  private static func entry(_ make: (Double) -> FieldValue) -> AttachedFields.Entry {
    AttachedFields.face(x: 0.25, y: 0.125, width: 0.375, height: 0.5, make)
  }

  @Test func floatsAndListsSayTheSameAsDoublesAndArrays() throws {
    for effect in Self.effects {
      let doubles = try Self.run(effect, [Self.entry { .double($0) }])
      #expect(doubles.after.count == 1 && doubles.change(0) > 0, "\(effect)")
      let floats = try Self.run(effect, [Self.entry { .float(Float($0)) }], asArray: false)
      #expect(floats.after.map(\.bytes) == doubles.after.map(\.bytes), "\(effect)")
    }
  }

  @Test func integersSayTheSameAsDoubles() throws {
    let makers: [(Double) -> FieldValue] = [{ .int(Int32($0)) }, { .uint64(UInt64($0)) }]
    func whole(_ make: (Double) -> FieldValue) -> AttachedFields.Entry {
      AttachedFields.face(x: 0, y: 0, width: 1, height: 1, make)
    }
    for effect in Self.effects {
      let doubles = try Self.run(effect, [whole { .double($0) }])
      for make in makers {
        let integers = try Self.run(effect, [whole(make)])
        #expect(integers.after.map(\.bytes) == doubles.after.map(\.bytes), "\(effect)")
      }
    }
  }

  @Test func entriesThatAreNoFaceAreLeftOut() throws {
    for effect in Self.effects {
      let faces = try Self.run(effect, [Self.entry { .double($0) }])
      let more = try Self.run(effect, [.nothing, Self.entry { .double($0) }, .nothing])
      #expect(more.after.map(\.bytes) == faces.after.map(\.bytes), "\(effect)")
      let none = try Self.run(effect, [.value(.double(0.5))])
      #expect(none.after.count == 1 && none.change(0) == 0, "\(effect)")
    }
  }

  /// As `facehide` behind it reads them.
  @Test func facesWithFloatsMoveAsTheyAreReshaped() throws {
    let moved = try [Self.entry { .double($0) }, Self.entry { .float(Float($0)) }].map {
      try #require(
        Self.run(("facereshape", "effect=bulge amount=1"), [$0]).after.first?.faces.first)
    }
    #expect(moved[0].box != Rectangle(x: 0.25, y: 0.125, width: 0.375, height: 0.5))
    #expect((moved[0].box.center - moved[1].box.center).length < 1e-6)
    #expect(abs(moved[0].box.width - moved[1].box.width) < 1e-6)
  }
}
