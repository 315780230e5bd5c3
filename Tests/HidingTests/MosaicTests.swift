import Hiding
import Pixels
import Support
import Testing

/// What a mosaic leaves of a face: means over whole blocks, in every component.
@Suite(.timeLimit(.minutes(20))) struct MosaicTests {
  /// Side of the blocks of a face of 80 by 80 pixels at the strength 0.5.
  private static let side = 10

  /// The first block's corner of a face, as its bounds say: even, at or before them.
  private static func origin(_ place: Double, _ half: Double) -> Int {
    Int(((place - half - 1) / 2).rounded(.down)) * 2
  }

  @Test(arguments: PixelFormat.eightBit)
  func everyBlockHasOneColourTheMeanOfWholeBlocks(format: PixelFormat) {
    // Odd, and with blocks that are cut off by the picture's edge.
    let hidden = HiddenPicture(format, 157, 133, [face(100, 70, 80, 80)])
    let (left, top) = (Self.origin(100, 60), Self.origin(70, 60))
    struct Block: Hashable {
      let component, x, y: Int
    }
    var sums: [Block: (sum: Int, count: Int)] = [:]
    var values: [Block: Set<UInt8>] = [:]
    var changes: [Block: Int] = [:]
    hidden.forEachSample { component, x, y, before, after in
      let block = Block(
        component: component, x: (x - left + 1000 * Self.side) / Self.side,
        y: (y - top + 1000 * Self.side) / Self.side)
      sums[block, default: (0, 0)].sum += Int(before)
      sums[block, default: (0, 0)].count += 1
      values[block, default: []].insert(after)
      changes[block, default: 0] += before == after ? 0 : 1
    }
    var filled = 0
    func mean(_ block: Block) -> Double {
      let (sum, count) = sums[block]!
      return (Double(sum) / Double(count)).rounded()
    }
    for (block, change) in changes where change > 0 {
      // No detail is left in it: all samples are the same one.
      #expect(values[block]?.count == 1)
      // It is the mean of the means of the hidden blocks around it.
      var (sum, count) = (0.0, 0.0)
      for (y, x) in product(-2...2, -2...2) {
        let other = Block(component: block.component, x: block.x + x, y: block.y + y)
        guard changes[other] ?? 0 > 0 else { continue }
        sum += mean(other)
        count += 1
      }
      #expect(abs(Double(values[block]!.first!) - sum / count) <= 0.5 + 1e-9)
      filled += 1
    }
    #expect(filled > 60 * format.layout.componentCount)
    #expect(hidden.foreignChanges == 0)
  }

  @Test(arguments: [0.0, 0.4, 1.2, 2.9])
  func theWholeShapeIsHiddenAtEveryRotation(angle: Double) {
    for (shape, mode) in product(HideSettings.Shape.allCases, HideSettings.Mode.allCases) {
      var settings = HideSettings()
      (settings.shape, settings.mode) = (shape, mode)
      let area = face(90, 80, 60, 84, angle: angle, errorBound: 3)
      let hidden = HiddenPicture(.gray8, 180, 160, [area], settings)
      let a: Double = 30 + 0.25 * 60 + 3
      let b: Double = 42 + 0.25 * 60 + 3
      let (across, down): (Double, Double) = (cosine(angle), sine(angle))
      func isInside(_ x: Int, _ y: Int) -> Bool {
        let dx: Double = Double(x) + 0.5 - 90
        let dy: Double = Double(y) + 0.5 - 80
        let u: Double = dx * across + dy * down
        let v: Double = dy * across - dx * down
        if shape != .ellipse { return abs(u) <= a && abs(v) <= b }
        return u * u / (a * a) + v * v / (b * b) <= 1
      }
      var left = 0
      var inside = 0
      hidden.forEachSample { _, x, y, before, after in
        guard isInside(x, y) else { return }
        inside += 1
        if before == after { left += 1 }
      }
      // Noise meets its block's mean once in a few hundred samples.
      #expect(inside > 6000 && left < inside / 60, "\(shape) \(mode): \(left) of \(inside)")
    }
  }

  @Test func strengthSetsTheNumberOfBlocks() {
    for (strength, side) in [(0.0, 10), (0.5, 20), (1.0, 40)] {
      var settings = HideSettings()
      settings.strength = strength
      settings.margin = 0
      settings.shape = .rectangle
      let hidden = HiddenPicture(.gray8, 400, 400, [face(200, 200, 160, 160)], settings)
      var colors: [Int: Set<UInt8>] = [:]
      hidden.forEachSample { _, x, y, _, after in
        if y == 200, x > 120, x < 280 { colors[(x - 118) / side, default: []].insert(after) }
      }
      #expect(colors.values.allSatisfy { $0.count == 1 })
      #expect(colors.count >= 160 / side && colors.count <= 160 / side + 1)
    }
  }

  @Test func pixelsOutsideTheBlocksDoNotChange() {
    for (mode, format) in product(HideSettings.Mode.allCases, PixelFormat.eightBit) {
      var settings = HideSettings()
      settings.mode = mode
      let hidden = HiddenPicture(format, 157, 133, [face(60, 50, 40, 40)], settings)
      var changed = 0
      // 30 of the shape, 6 of a block that it touches, and a sample of chroma.
      hidden.forEachSample { _, x, y, before, after in
        guard before != after else { return }
        changed += 1
        #expect(abs(x - 60) <= 30 + 6 + 2 && abs(y - 50) <= 30 + 6 + 2)
      }
      #expect(changed > 1500)
      #expect(hidden.foreignChanges == 0)
    }
  }

  @Test func areasOverEveryEdgeAreClipped() {
    for format in PixelFormat.eightBit {
      for (width, height) in [(1, 1), (2, 3), (3, 5), (17, 1), (1, 40), (31, 33)] {
        for (mode, atEnd) in product(HideSettings.Mode.allCases, [true, false]) {
          var settings = HideSettings()
          settings.mode = mode
          let picture = FencedPicture(format, width, height, atEnd: atEnd)
          let (w, h) = (Double(width), Double(height))
          let areas = [
            face(0, 0, 9, 9), face(w, h, 20, 12, angle: 1), face(-40, h / 2, 60, 60),
            face(w / 2, -1e6, 10, 10), face(w / 2, h / 2, 1e6, 1e6, errorBound: 1e5),
            HiddenArea.wholeFrame(width: width, height: height),
          ]
          picture.withPicture { FaceHider().hide(areas, in: $0, settings) }
        }
      }
    }
  }

  @Test(arguments: PixelFormat.eightBit)
  func everySampleHasTheRequestedColour(format: PixelFormat) {
    var settings = HideSettings()
    settings.mode = .color
    settings.color = 0x80ff_0000
    let area = HiddenArea.wholeFrame(width: 21, height: 13)
    let hidden = HiddenPicture(format, 21, 13, [area], settings)
    // Red in BT.601 of limited range.
    let red: [UInt8] = format.family == .rgb ? [255, 0, 0, 128] : [81, 90, 240, 128]
    hidden.forEachSample { component, _, _, _, after in #expect(after == red[component]) }
    #expect(hidden.foreignChanges == 0)
  }

  /// Fills a row with noise that depends on `y` and on the column, counted from `start`.
  private static func fillWithNoise(_ row: Row<UInt8>, _ y: Int, from start: Int) {
    for column in 0..<row.count {
      var random = SplitMix(UInt64(column + start + 500 + 1000 * (y + 500)))
      row[column] = UInt8(truncatingIfNeeded: random.next())
    }
  }

  /// A picture of noise that begins at a place of its own, in which the face moves along.
  private static func moved(_ x: Int, _ y: Int, _ settings: HideSettings) -> [[UInt8]] {
    let picture = OwnedPicture(format: .gray8, width: 160, height: 140, colorimetry: .bt601)
    var rows: [[UInt8]] = []
    picture.withPicture { picture in
      for row in 0..<140 { fillWithNoise(picture.plane(0).row(row), row - y, from: -x) }
      FaceHider().hide([face(70 + Double(x), 60 + Double(y), 50, 60)], in: picture, settings)
      for row in 20..<100 {
        let line = picture.plane(0).row(row + y)
        rows.append((20..<120).map { line[$0 + x] })
      }
    }
    return rows
  }

  /// Blocks at rest would be measured at other places of the face in every frame.
  @Test(arguments: [HideSettings.Mode.mosaic, .blur])
  func blocksMoveWithTheFace(mode: HideSettings.Mode) {
    var settings = HideSettings()
    settings.mode = mode
    let first = Self.moved(0, 0, settings)
    for (x, y) in [(2, 0), (0, 2), (6, 10), (14, 4)] {
      #expect(Self.moved(x, y, settings) == first, "by \(x), \(y)")
    }
  }

  @Test func aBlurIsSmoothWithinAFace() {
    for strength in [0.0, 0.5, 1] {
      var settings = HideSettings()
      (settings.mode, settings.strength) = (.blur, strength)
      let rows = Self.moved(0, 0, settings)
      var largest = 0
      for (row, x) in product(25..<55, 35..<65) {
        largest = max(
          largest, abs(Int(rows[row][x]) - Int(rows[row][x + 1])),
          abs(Int(rows[row][x]) - Int(rows[row + 1][x])))
      }
      #expect(largest <= 4, "\(largest) from one sample of noise to the next")
    }
  }

  /// A thousand areas as large as the picture would take a thousand times as long.
  @Test(arguments: HideSettings.Mode.allCases)
  func tooManyAreasHideTheWholePictureOnce(mode: HideSettings.Mode) {
    var settings = HideSettings()
    settings.mode = mode
    let many = HiddenPicture(
      .gray8, 90, 70, [HiddenArea](repeating: face(20, 20, 90, 70), count: 1000), settings)
    let whole = HiddenPicture(.gray8, 90, 70, [.wholeFrame(width: 90, height: 70)], settings)
    var differences = 0
    whole.after.withPicture { whole in
      many.after.withPicture { many in
        for (y, x) in product(0..<70, 0..<90)
        where whole.plane(0).row(y)[x] != many.plane(0).row(y)[x] {
          differences += 1
        }
      }
    }
    #expect(differences == 0)
  }

  /// The first area of a stream is measured before any memory has been set aside.
  @Test(arguments: HideSettings.Mode.allCases)
  func aFaceBesideThePictureChangesNothing(mode: HideSettings.Mode) {
    var settings = HideSettings()
    settings.mode = mode
    for (x, y) in [(-300.0, 30.0), (-61, 30), (400, 30), (40, -300), (40, 400), (-1e9, -1e9)] {
      for format in [PixelFormat.nv12, .rgba] {
        var changes = 0
        HiddenPicture(format, 95, 67, [face(x, y, 60, 60)], settings)
          .forEachSample { changes += $3 == $4 ? 0 : 1 }
        #expect(changes == 0, "\(x), \(y) of \(format)")
      }
    }
  }
}
