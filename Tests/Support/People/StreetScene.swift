package import Pixels

#if canImport(Glibc)
  import Glibc
#endif

/// A made film of a street full of people whose places are known; the same for the same seed.
///
/// Real heads on drawn bodies walk across a real background. Larger, thus nearer, persons cover
/// others.
package final class StreetScene {
  package let width: Int
  package let height: Int
  /// The number of frames, at 30 a second.
  package let frameCount: Int
  /// The frame that was drawn last.
  package let picture: OwnedPicture
  /// The persons, the farthest first.
  private var walkers: [Walker] = []
  private let ground: OwnedPicture
  /// Noise of the camera, in codes.
  private let noise: [Int8]

  package var personCount: Int { walkers.count }

  package init(
    width: Int = 1920, height: Int = 1080, people: Int = 30, frames: Int = 120, seed: UInt64 = 1,
    room: RealRoom = .garage, heads: [PortraitHead]? = nil
  ) throws {
    (self.width, self.height, frameCount) = (width, height, frames)
    picture = OwnedPicture(format: .rgb, width: width, height: height, colorimetry: .rgb)
    ground = try room.load().filled(width: width, height: height)
    var random = SplitMix(seed)
    noise = (0..<1 << 16).map { _ in Int8(max(-6, min(6, (random.normal() * 1.2).rounded()))) }
    let heads = try heads ?? PortraitHead.load()
    for (rank, head) in Self.cast(people, heads, &random).enumerated() {
      walkers.append(walker(rank, of: people, head.head, isMirrored: head.isMirrored, &random))
    }
  }

  /// A head for every rank of size: all heads and their mirrored copies before any is used again,
  /// and none for a much larger face than its own.
  private static func cast(
    _ people: Int, _ heads: [PortraitHead], _ random: inout SplitMix
  ) -> [(head: PortraitHead, isMirrored: Bool)] {
    var cast: [(head: PortraitHead, isMirrored: Bool)] = []
    while cast.count < people {
      let round = heads.flatMap { [($0, false), ($0, true)] }.shuffled(using: &random)
      cast += round.prefix(people - cast.count).map { (head: $0.0, isMirrored: $0.1) }
    }
    // The larger half is cast by resolution, coarse first; the smaller half stays shuffled.
    let fine = cast.sorted { $0.head.face.width < $1.head.face.width }
    let small = (0..<people).filter { $0 % 2 == 0 || $0 < people / 2 }.prefix(people / 2)
    let far = small.map { fine[$0] }.shuffled(using: &random)
    let near = (0..<people).filter { !small.contains($0) }.map { fine[$0] }
    return far + near
  }

  /// The width of the face of a rank, 0...1: from 20 to 200 pixels, most of them small.
  private static func faceWidth(_ rank: Double) -> Double { 20 * exp(rank * rank * log(10)) }

  private func walker(
    _ rank: Int, of people: Int, _ head: PortraitHead, isMirrored: Bool, _ random: inout SplitMix
  ) -> Walker {
    let (w, h) = (Double(width), Double(height))
    let relative = (Double(rank) + Double(random.uniform())) / Double(people)
    let approach = rank % 3 == 1 ? Double(0.15 + 0.3 * random.uniform()) : 0
    let wide = Self.faceWidth(relative) * h / 1080
    var look = PersonSprite.Look()
    look.isMirrored = isMirrored
    look.angle = Double(random.uniform() * 2 - 1) * 15 * .pi / 180
    look.gain = 0.35 + 0.65 * random.uniform().squareRoot()
    look.blur = Int(random.next() % (wide > 60 ? 4 : 2))
    let slope = 0.1 + 0.55 * relative + 0.14 * Double(random.uniform())
    let x = (Double(rank) * 0.618034 + 0.1 * Double(random.uniform())).truncatingRemainder(
      dividingBy: 1)
    let pace = Double(0.5 + 5.5 * random.uniform() * random.uniform())
    return Walker(
      sprite: PersonSprite(head, width: wide, rows: h, look: look),
      middle: Point(x: w * (0.04 + 0.92 * x), y: h * slope),
      speed: random.next() % 2 == 0 ? pace : -pace,
      approach: random.next() % 2 == 0 ? approach : -approach,
      bob: (
        height: wide * Double(0.02 + 0.04 * random.uniform()),
        period: Double(12 + 8 * random.uniform()), phase: Double(random.uniform())
      ),
      horizon: 0.05 * h)
  }

  /// Draws a frame into `picture` and returns its faces, the farthest first.
  @discardableResult
  package func draw(_ frame: Int) -> [FaceTruth] {
    ground.withPicture { picture.copy($0) }
    let people = walkers.map { $0.place(frame, of: frameCount) }
    let faces = picture.withPicture { PlacedPerson.draw(people, on: $0) }
    addNoise(frame)
    return faces
  }

  private func addNoise(_ frame: Int) {
    var random = SplitMix(UInt64(frame) &* 77 &+ 5)
    picture.withPicture { picture in
      noise.withUnsafeBufferPointer { noise in
        for y in 0..<height {
          let row = picture.plane(0).row(y)
          let start = Int(random.next() & 0xffff)
          for x in 0..<row.count {
            row[x] = UInt8(max(0, min(255, Int(row[x]) &+ Int(noise[(start &+ x) & 0xffff]))))
          }
        }
      }
    }
  }
}
