package import Pixels

#if canImport(Glibc)
  import Glibc
#endif

/// Made stills of fourteen small faces in two rows before a real background; the same for the same
/// seed.
package final class GroupScene {
  package let width, height: Int
  /// The still that was drawn last.
  package let picture: OwnedPicture
  private let heads: [PortraitHead]

  package init(width: Int = 1920, height: Int = 1080, heads: [PortraitHead]? = nil) throws {
    (self.width, self.height) = (width, height)
    picture = OwnedPicture(format: .rgb, width: width, height: height, colorimetry: .rgb)
    self.heads = try heads ?? PortraitHead.load()
  }

  /// Draws a still into `picture` and returns its faces, whose widths are 1/80 to 1/20 of the
  /// frame's.
  package func draw(seed: UInt64, count: Int = 14) throws -> [FaceTruth] {
    var random = SplitMix(seed &* 31 &+ 7)
    let rooms = RealRoom.allCases
    let ground = try rooms[Int(seed) % rooms.count].load().filled(width: width, height: height)
    ground.withPicture { picture.copy($0) }
    let cast = heads.flatMap { [($0, false), ($0, true)] }.shuffled(using: &random)
    let columns = (count + 1) / 2
    let people = (0..<count).map { number -> PlacedPerson in
      let (head, isMirrored) = cast[number % cast.count]
      let size = Double(width) / 80 * exp(Double(random.uniform()) * log(4))
      var look = PersonSprite.Look()
      look.isMirrored = isMirrored
      look.angle = Double(random.uniform() * 2 - 1) * 10 * .pi / 180
      look.gain = 0.6 + 0.4 * random.uniform()
      look.blur = Int(random.next() % 2)
      let row = number / columns
      let across =
        (Double(number % columns) + 0.2 + 0.6 * Double(random.uniform())) / Double(columns)
      let down = 0.2 + 0.4 * Double(row) + 0.15 * Double(random.uniform())
      return PlacedPerson(
        PersonSprite(head, width: size, rows: Double(height), look: look),
        at: Point(x: across * Double(width), y: down * Double(height)))
    }
    return picture.withPicture { PlacedPerson.draw(people, on: $0) }
  }
}
