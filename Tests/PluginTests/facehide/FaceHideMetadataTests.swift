import CGStreamer
import Pixels
import Support
import Testing

/// Whatever any metadata of a frame calls a face is hidden, and a place that cannot be read hides the
/// whole frame.
@Suite(.timeLimit(.minutes(20))) struct FaceHideMetadataTests {
  /// A colour that neither the grey of the frames nor the noise of their faces has.
  private static let marked = "mode=color color=0xffc0c0c0"
  private static let size = (width: 100, height: 80)

  /// What is left of frame 0 behind metadata that `describe` puts on it: samples of its face that are
  /// seen, and all samples that are hidden.
  private static func hidden(
    _ properties: String = marked, _ describe: (UnsafeMutablePointer<GstBuffer>) -> Void
  ) throws -> (bare: Int, changed: Int) {
    let rig = try HideRig(properties)
    rig.caps(size.width, size.height)
    rig.segment()
    rig.push(0, at: 0, describe: describe)
    let frame = try #require(rig.frames.first)
    return (frame.bare, frame.changed)
  }

  private func expectWhole(
    _ what: String, _ describe: (UnsafeMutablePointer<GstBuffer>) -> Void
  ) throws {
    // Not as a frame without a word: those may pass.
    let frame = try Self.hidden(Self.marked + " when-unknown=pass", describe)
    #expect(frame.changed == Self.size.width * Self.size.height, "\(what) hides \(frame.changed)")
  }

  /// The face of frame 0, and a place where none is.
  private static let place = HideRig.place(0)
  private static let elsewhere = Rectangle(x: 0.75, y: 0.7, width: 0.1, height: 0.1)

  private static func entry(
    _ box: Rectangle, id: FieldValue = .uint(1), _ make: (Double) -> FieldValue = { .double($0) }
  ) -> AttachedFields.Entry {
    AttachedFields.face(
      id: id, x: box.x, y: box.y, width: box.width, height: box.height, make)
  }

  private static func attachRegion(to buffer: UnsafeMutablePointer<GstBuffer>, _ type: String) {
    AttachedFace.attachRegion(type, x: 20, y: 30, width: 20, height: 20, to: buffer)
  }

  // MARK: Several detectors

  @Test(arguments: ["face", "Face", "human face"])
  func aRegionIsHiddenThoughMienFacesSaysNobodyOrSomebodyElse(type: String) throws {
    for others in [[], [Self.entry(Self.elsewhere)]] {
      let frame = try Self.hidden { buffer in
        AttachedFields.attach(others, to: buffer)
        Self.attachRegion(to: buffer, type)
      }
      #expect(frame.bare == 0 && frame.changed < 4000, "\(others.count): \(frame)")
    }
  }

  @Test func bothOfTwoMienFacesAreHidden() throws {
    for isFirst in [true, false] {
      let frame = try Self.hidden { buffer in
        AttachedFields.attach(isFirst ? [Self.entry(Self.place)] : [], to: buffer)
        AttachedFields.attach(
          isFirst ? [Self.entry(Self.elsewhere)] : [Self.entry(Self.place)], to: buffer)
      }
      #expect(frame.bare == 0 && frame.changed < 4000, "\(frame)")
    }
  }

  @Test func theRegionOfAFaceInMienFacesIsThatFace() throws {
    let rig = try HideRig("report=true")
    rig.caps(Self.size.width, Self.size.height)
    rig.segment()
    rig.push(0, at: 0) { buffer in
      AttachedFields.attach([Self.entry(Self.place, id: .uint(7))], to: buffer)
      AttachedFields.attachRegion(id: 7, x: 20, y: 30, width: 20, height: 20, to: buffer)
    }
    rig.push(1, at: 40) { buffer in
      // Another detector's seventh face.
      AttachedFields.attach([Self.entry(Self.elsewhere, id: .uint(7))], to: buffer)
      AttachedFields.attachRegion(id: 7, x: 20, y: 30, width: 20, height: 20, to: buffer)
    }
    rig.send(gst_event_new_eos())
    let counts = rig.messages.filter { $0.hasPrefix("facehide,") }.map {
      $0.components(of: "cause").count - 1
    }
    #expect(counts == [1, 2])
  }

  @Test func aFaceThatLeftTheFrameHidesNothing() throws {
    let outside = Rectangle(x: -0.4, y: 0.2, width: 0.2, height: 0.25)
    let frame = try Self.hidden { buffer in
      AttachedFields.attach([Self.entry(outside, id: .uint(7))], to: buffer)
      // As facedetect clips it.
      AttachedFields.attachRegion(id: 7, x: 0, y: 16, width: 0, height: 20, to: buffer)
    }
    #expect(frame.bare > 0)
  }

  // MARK: Places

  @Test func aPlaceIsReadWhateverTypeItsNumbersHave() throws {
    let makers: [(Double) -> FieldValue] = [{ .double($0) }, { .float(Float($0)) }]
    for (make, isArray) in product(makers, [true, false]) {
      let frame = try Self.hidden { buffer in
        AttachedFields.attach([Self.entry(Self.place, make)], asArray: isArray, to: buffer)
      }
      #expect(frame.bare == 0 && frame.changed < 4000, "\(make(0.5)): \(frame)")
    }
    let whole: [(Double) -> FieldValue] = [
      { .int(Int32($0)) }, { .uint(UInt32($0)) }, { .int64(Int64($0)) }, { .uint64(UInt64($0)) },
    ]
    for make in whole {
      // The largest ellipse of the frame, and a quarter of its width around it.
      let frame = try Self.hidden { buffer in
        AttachedFields.attach(
          [AttachedFields.face(x: 0, y: 0, width: 1, height: 1, make)], to: buffer)
      }
      #expect(frame.bare == 0 && frame.changed > 7000, "\(make(1)): \(frame)")
    }
  }

  @Test(arguments: ["x", "y", "width", "height"])
  func aPlaceThatIsMissingOrNoNumberHidesTheFrame(name: String) throws {
    let wrong: [FieldValue?] = [
      nil, .text("0.2"), .nothing, .bool(true), .double(.nan), .double(.infinity),
      .double(-.infinity), .double(1e300), .float(.nan), .float(.infinity), .float(1e30),
      .int(.max), .int(.min), .uint(.max), .int64(.max), .int64(.min), .uint64(.max),
    ]
    for value in wrong {
      guard case .face(var fields) = Self.entry(Self.place) else { continue }
      fields.removeAll { $0.name == name }
      if let value { fields.append((name, value)) }
      try expectWhole("\(name) of \(String(describing: value))") { buffer in
        AttachedFields.attach([.face(fields)], to: buffer)
      }
    }
  }

  @Test func aListThatCannotBeReadHidesTheFrame() throws {
    let entries: [[AttachedFields.Entry]] = [
      [.value(.double(0.5))], [.nothing], [Self.entry(Self.place), .nothing],
      [.value(.text("face"))],
    ]
    for list in entries {
      try expectWhole("\(list)") { AttachedFields.attach(list, to: $0) }
    }
    for value in [FieldValue.uint(3), .text("none"), .nothing] {
      try expectWhole("\(value)") { AttachedFields.attach(list: value.value, to: $0) }
    }
    try expectWhole("no list") { AttachedFields.attach(list: nil, to: $0) }
    try expectWhole("no list beside one") { buffer in
      AttachedFields.attach([], to: buffer)
      AttachedFields.attach(list: nil, to: buffer)
    }
  }

  @Test func aFaceOrRegionWithoutExtentHidesTheFrame() throws {
    for (width, height) in [(0.0, 0.2), (0.2, 0), (0, 0), (-0.2, 0.2), (0.2, -0.2)] {
      var box = Self.place
      (box.width, box.height) = (width, height)
      try expectWhole("\(width) x \(height)") { AttachedFields.attach([Self.entry(box)], to: $0) }
    }
    for (width, height) in [(UInt32(0), UInt32(9)), (9, 0), (0, 0), (.max, 9), (9, .max)] {
      try expectWhole("a region of \(width) x \(height)") { buffer in
        AttachedFields.attach([], to: buffer)
        AttachedFace.attachRegion(x: 20, y: 30, width: width, height: height, to: buffer)
      }
    }
  }

  /// A face of the picture that a crop rectangle leaves may be anywhere in the whole one.
  @Test func aCroppedFrameWithAFaceIsHiddenWholeWhateverFramesWithoutAWordDo() throws {
    for policy in ["hide", "pass"] {
      let frame = try Self.hidden("when-unknown=\(policy)") { buffer in
        AttachedFields.attach([Self.entry(Self.elsewhere)], to: buffer)
        guard let meta = gst_buffer_add_meta(buffer, gst_video_crop_meta_get_info(), nil) else {
          return
        }
        let crop = UnsafeMutableRawPointer(meta).assumingMemoryBound(to: GstVideoCropMeta.self)
        (crop.pointee.x, crop.pointee.y) = (10, 10)
        (crop.pointee.width, crop.pointee.height) = (50, 40)
      }
      #expect(frame.bare == 0, "\(policy): \(frame)")
    }
  }

  // MARK: Many

  /// As many as nobody can have seen take no longer than a frame may, and hide it whole.
  @Test func thousandsOfFacesHideTheFrameSoon() throws {
    let start = g_get_monotonic_time()
    try expectWhole("many regions") { buffer in
      for _ in 0..<20000 { Self.attachRegion(to: buffer, "face") }
    }
    let entries = (0..<20000).map { Self.entry(Self.place, id: .uint(UInt32($0))) }
    try expectWhole("many entries") { AttachedFields.attach(entries, to: $0) }
    // Each of them as large as the frame, and never seen again.
    let rig = try HideRig("hold=10000")
    rig.caps(Self.size.width, Self.size.height)
    rig.segment()
    for number in 0..<30 {
      let entries = (0..<1000).map { index in
        AttachedFields.face(
          id: .uint(UInt32(1 + number * 1000 + index)), x: 0, y: 0, width: 1, height: 1)
      }
      rig.push(number, at: 40 * number) { AttachedFields.attach(entries, to: $0) }
    }
    #expect(rig.frames.count == 30 && rig.frames.allSatisfy { $0.bare == 0 })
    let seconds = Double(g_get_monotonic_time() - start) / 1e6
    #expect(seconds < 20, "took \(seconds) s")
  }
}

extension String {
  fileprivate func components(of word: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = self[...]
    while let start = rest.indices.first(where: { rest[$0...].hasPrefix(word) }) {
      parts.append(rest[..<start])
      rest = rest[start...].dropFirst(word.count)
    }
    return parts + [rest]
  }
}
