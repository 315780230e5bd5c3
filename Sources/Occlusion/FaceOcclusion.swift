package import Faces
package import Pixels

/// Measures what covers the faces of a film, such as hands, cups and hair.
///
/// Each face's texture is remembered while nothing covers it; what differs from the memory, in this
/// picture's light and pose, is a cover, and so are the hands that are found. A first or still picture has
/// no memory: hands cover its faces, and things of another colour that come from below. One film, one
/// thread at a time; it allocates only when a face is new.
package final class FaceOcclusion {
  private final class State {
    let memory = FaceMemory()
    var shape = HeldShape()
    /// The side of the crop's cells in the last picture, in pixels.
    var step = 0
  }

  /// The maximum number of faces whose cover is measured; the largest have it.
  package static let maximumFaces = 4
  /// The size in pixels from which a face's cover is measured.
  private static let minimumSize = 40.0
  /// The part of a face, covered by what is no known hand, from which hands are sought.
  private static let suspiciousShare: Float = 0.01
  /// The pictures for which a face that is not found is remembered.
  private static let patience: Int64 = 60

  private var states = FaceTracks(maximum: 2 * maximumFaces) { State() }
  private let crop = FaceCrop()
  private let sample = TextureSample()
  private let scratch = TextureScratch()
  private var nearer = NearerFaces()
  private let projector = CoverProjector()
  private let handCover = HandCover()
  private var order: [(index: Int, size: Double)] = []

  package init() {}

  /// Forgets all faces, as at a cut or after a seek.
  package func reset() { states.removeAll() }

  /// Sets the cover of each face of the next picture of the film; `hands` finds hands before them.
  package func update(
    _ faces: inout [Face], _ picture: borrowing Picture, _ hands: (any HandSource)? = nil
  ) {
    states.beginFrame(elapsed: 1)
    order.removeAll(keepingCapacity: true)
    let size = Point(x: Double(picture.width), y: Double(picture.height))
    for index in faces.indices where faces[index].landmarks.count >= Face.landmarkCount {
      let box = faces[index].box.scaled(x: size.x, y: size.y)
      let length = max(box.width, box.height)
      if length >= Self.minimumSize, length.isFinite { order.append((index, length)) }
    }
    order.sort { $0.size > $1.size }
    nearer.removeAll()
    for entry in order.prefix(Self.maximumFaces) {
      updateFace(&faces[entry.index], picture, size, hands)
    }
    states.keep { $0.isSeen || $0.missing < Self.patience }
  }

  private func updateFace(
    _ face: inout Face, _ picture: borrowing Picture, _ size: Point, _ hands: (any HandSource)?
  ) {
    let key = UInt64(face.id)
    let known = states.lastIndex { $0.key == key && !$0.isSeen }
    guard let index = known ?? states.add(key) else { return }
    if known == nil {
      states[index].state.memory.reset()
      states[index].state.shape.reset()
      states[index].state.step = 0
    }
    states.markSeen(index)
    let state = states[index].state
    state.shape.hold(&face.landmarks, size: size, state.memory)
    let (low, high) = face.landmarks.lazy.map { $0.inPixels(size.x, size.y) }.boundingCorners
    let box = Rectangle(from: low, to: high)
    defer { nearer.add(face.landmarks, size: size) }
    guard crop.read(picture, around: box, lastStep: state.step),
      sample.read(crop, face.landmarks, width: picture.width, height: picture.height)
    else { return }
    state.step = crop.step
    handCover.removeAll()
    let handCount = addHands(of: hands, from: 0)
    state.memory.compare(sample, scratch, hands: handCover)
    if let hands {
      hands.search(picture, around: box, searchReason(state.memory))
      _ = addHands(of: hands, from: handCount)
      handCover.dropFalseHands(sample, scratch, isYoung: state.memory.isYoung)
      handCover.combine(crop)
      handCover.forEachNumber { hands.follow($0) }
      if hands.canSearch { state.memory.discountSkin(sample, scratch, hands: handCover) }
    }
    state.memory.learn(sample, scratch, hands: handCover)
    projector.project(
      state.memory, sample, scratch, crop, hands: handCover, nearer: &nearer,
      width: picture.width, height: picture.height, into: &face.cover)
  }

  /// Adds the source's hands from number `first` on; returns their number.
  private func addHands(of source: (any HandSource)?, from first: Int) -> Int {
    guard let hands = source?.hands, hands.count > first else { return first }
    for number in first..<hands.count { handCover.add(hands[number], number, sample, crop) }
    handCover.combine(crop)
    return hands.count
  }

  private func searchReason(_ memory: FaceMemory) -> HandSearchReason {
    let share = handCover.isEmpty ? memory.coveredShare : memory.share(notUnder: handCover, sample)
    if share > Self.suspiciousShare { return .covered }
    return memory.isNew && handCover.isEmpty ? .newFace : .bare
  }
}
