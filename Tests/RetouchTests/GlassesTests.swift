import Faces
import Glibc
import Pixels
import Support
import Testing

@testable import Retouch

/// Glasses: rims and lenses keep what they are.
@Suite(.timeLimit(.minutes(20))) struct GlassesTests {
  /// The rims of glasses: a colour in RGB, and the thickness of lines in pixels.
  struct Rims: CustomTestStringConvertible, Sendable {
    let name: String
    let color: (r: Float, g: Float, b: Float)
    let thickness: Double
    var testDescription: String { name }
  }

  private static let rims = [
    Rims(name: "black", color: (25, 25, 25), thickness: 4),
    Rims(name: "brown", color: (100, 60, 40), thickness: 3),
    Rims(name: "grey", color: (110, 110, 110), thickness: 2),
    Rims(name: "thin and grey", color: (110, 110, 110), thickness: 1.6),
    Rims(name: "silver", color: (225, 225, 225), thickness: 2),
  ]

  @Test(arguments: rims, [Portrait.biden, .obama, .obama2, .single])
  func rimsKeepTheirContrast(_ rims: Rims, _ portrait: Portrait) throws {
    let portrait = try RetouchedPortrait(portrait)
    let (picture, lines) = portrait.wearing(rims)
    let before = Samples.luma(picture)
    let after = portrait.treated(.strong, picture)
    // Luma of the rims relative to that around them.
    func contrast(_ samples: Samples) -> Float {
      abs(samples.mean(at: lines.on) - samples.mean(at: lines.beside))
    }
    #expect(contrast(after) >= 0.85 * contrast(before))
  }

  @Test(arguments: Portrait.allCases)
  func facesWithoutGlassesAreRetouchedAroundTheEyes(_ portrait: Portrait) throws {
    let portrait = try RetouchedPortrait(portrait)
    #expect(portrait.glasses(portrait.picture) == 0)
  }

  @Test func lensesAreLeftAloneAndCheeksAreNot() throws {
    let portrait = try RetouchedPortrait(.obama)
    let (picture, _) = portrait.wearing(Self.rims[2])
    let (bare, glasses) = (portrait.mask(), portrait.mask(RetouchSettings(), picture))
    // Under the eyes and on the cheeks below.
    let lenses =
      portrait.pixels(across: -0.5 ... -0.35, up: 0.2...0.25)
      + portrait.pixels(across: 0.35...0.5, up: 0.2...0.25)
    let cheeks = portrait.pixels(across: -0.6 ... -0.45, up: -0.2 ... -0.1)
    #expect(bare.mean(at: lenses) > 100)
    #expect(glasses.mean(at: lenses) < 0.05 * bare.mean(at: lenses))
    #expect(glasses.mean(at: cheeks) > 0.95 * bare.mean(at: cheeks))
  }

  @Test func withoutSkinAdaptGlassesChangeNothing() throws {
    let portrait = try RetouchedPortrait(.obama)
    var settings = RetouchSettings()
    settings.skinAdapt = 0
    let (picture, _) = portrait.wearing(Self.rims[0])
    #expect(portrait.mask(settings, picture).values == portrait.mask(settings).values)
  }

  @Test func presenceChangesSlowlyAndNotOnTurnedHeads() {
    var presence = GlassesPresence()
    presence.update(1, noseTip: 0.5, elapsed: 0)
    #expect(presence.value == 0)
    presence.update(1, noseTip: 0, elapsed: 0)
    #expect(presence.value == 1)
    presence.update(0, noseTip: 0.4, elapsed: 10)
    #expect(presence.value == 1)
    presence.update(0, noseTip: 0, elapsed: 1.0 / 30)
    #expect(presence.value > 0.95 && presence.value < 1)
    for _ in 0..<150 { presence.update(0, noseTip: 0, elapsed: 1.0 / 30) }
    #expect(presence.value < 0.02)
  }
}

extension RetouchedPortrait {
  /// How certain glasses are on a picture with this face, 0...1.
  func glasses(_ picture: OwnedPicture) -> Float {
    let retouch = SkinRetouch()
    retouch.treat(picture.copy(), [face], RetouchSettings())
    return retouch.follower.tracks.first?.state.glasses.value ?? 0
  }

  /// The portrait with glasses, and pixels wholly on the rims inside the oval and beside them.
  func wearing(_ rims: GlassesTests.Rims) -> (
    picture: OwnedPicture, lines: (on: [Int], beside: [Int])
  ) {
    let (w, h) = (Double(picture.width), Double(picture.height))
    func place(_ index: Int) -> Point { face.landmarks[index].inPixels(w, h) }
    func eye(_ corners: [Int]) -> Point { (place(corners[0]) + place(corners[1])) * 0.5 }
    let eyes = [eye(MeshIndex.eyeCorners.left), eye(MeshIndex.eyeCorners.right)]
    let unit = (eyes[1] - eyes[0]).length
    let across = (eyes[1] - eyes[0]) * (1 / unit)
    let down = Point(x: -across.y, y: across.x)
    let bridge = place(MeshIndex.noseRoot) * 0.6 + place(MeshIndex.noseBridge.middle) * 0.4
    var lines: [(Point, Point)] = []
    var ends: [Point] = []
    for (eye, side) in zip(eyes, [-1.0, 1]) {
      let center = eye + down * (0.06 * unit) + across * (0.02 * side * unit)
      let ring = (0...64).map { index in
        let angle = Double(index) / 64 * 2 * Double.pi
        let x = cos(angle) * 0.36 * unit
        let y = sin(angle) * 0.33 * unit
        return center + across * x + down * y
      }
      lines += zip(ring, ring.dropFirst())
      ends.append(center - across * (0.36 * side * unit))
    }
    let arch = (0...16).map { index -> Point in
      let t = Double(index) / 16
      let middle = bridge * 2 - (ends[0] + ends[1]) * 0.5
      return ends[0] * ((1 - t) * (1 - t)) + middle * (2 * t * (1 - t)) + ends[1] * (t * t)
    }
    lines += zip(arch, arch.dropFirst())
    var shares = [Float](repeating: 0, count: picture.width * picture.height)
    var beside = [Bool](repeating: false, count: shares.count)
    for (from, to) in lines {
      let way = to - from
      let square = max(way.x * way.x + way.y * way.y, 1e-9)
      let reach = rims.thickness / 2 + 7
      let rows = Int(min(from.y, to.y) - reach)...Int(max(from.y, to.y) + reach)
      let columns = Int(min(from.x, to.x) - reach)...Int(max(from.x, to.x) + reach)
      for (y, x) in product(
        rows.clamped(to: 0...(picture.height - 1)), columns.clamped(to: 0...(picture.width - 1)))
      {
        let off = Point(x: Double(x) + 0.5, y: Double(y) + 0.5) - from
        let t = min(max((off.x * way.x + off.y * way.y) / square, 0), 1)
        let distance = (off - way * t).length
        let index = y * picture.width + x
        shares[index] = max(
          shares[index], Float(min(max(rims.thickness / 2 + 0.5 - distance, 0), 1)))
        if distance > rims.thickness / 2 + 2.5, distance < rims.thickness / 2 + 6 {
          beside[index] = true
        }
      }
    }
    let result = picture.copy()
    for (component, value) in [rims.color.r, rims.color.g, rims.color.b].enumerated() {
      var samples = Samples(picture, component)
      for index in shares.indices {
        samples.values[index] += (value - samples.values[index]) * shares[index]
      }
      samples.write(to: result, component)
    }
    let on = shares.indices.filter { shares[$0] > 0.75 }
    return (result, (on, beside.indices.filter { beside[$0] && shares[$0] == 0 }))
  }
}
