package import Faces
package import Pixels

/// The faces that draws belong to.
extension StickerScene {
  /// Pixels whose painting takes as long as the projection of a body.
  static let minimumBodyArea = 4096.0

  /// Drops all faces and hands, as at a cut; animations on the screen continue.
  package func dropFaces() {
    faces.removeAll()
    hands.removeAll()
  }

  /// Index of the face with the largest box; the first of equal ones.
  var largestFace: Int? {
    faces.indices.max { faces[$0].state.area < faces[$1].state.area }
  }

  /// The head that a draw belongs to; valid until the next `advance`.
  package func head(of draw: StickerDraw) -> HeadTransform? {
    guard let face = draw.faceIndex, faces.indices.contains(face) else { return nil }
    return faces[face].state.head
  }

  /// The mesh vertices, in pixels of the frame, of the face that a draw belongs to; valid until the
  /// next `advance`.
  package func meshVertices(of draw: StickerDraw) -> [Point3] {
    guard let face = draw.faceIndex, faces.indices.contains(face) else { return [] }
    return faces[face].state.meshVertices
  }

  /// Time constant of the light on a head, in seconds.
  private static let lightTime = 0.4

  /// Measures the light on the heads of all bodies among the draws, in `picture`, on which nothing is
  /// drawn yet.
  package func updateLight(_ picture: borrowing Picture) {
    var last: Int?
    for draw in draws where draw.placement.body != nil {
      guard let face = draw.faceIndex, face != last, faces.indices.contains(face) else { continue }
      last = face
      guard
        let new = BodyLight(
          faces[face].state.meshVertices, offset: draw.offset, picture: picture)
      else { continue }
      let weight = elapsedSeconds / (elapsedSeconds + Self.lightTime)
      faces[face].state.light = faces[face].state.light?.eased(toward: new, weight) ?? new
    }
  }

  /// The light on the head that a draw belongs to; valid until the next `advance`.
  package func light(of draw: StickerDraw) -> BodyLight {
    guard let face = draw.faceIndex, faces.indices.contains(face) else { return .standard }
    return faces[face].state.light ?? .standard
  }

  /// What is in front of the face that a draw belongs to; valid until the next `advance`.
  package func cover(of draw: StickerDraw) -> CoverMap? {
    guard let face = draw.coveredFace, faces.indices.contains(face) else { return nil }
    return faces[face].state.cover
  }

  func updateFace(
    _ face: Face, _ position: Int, _ seconds: Double, _ width: Int, _ height: Int,
    _ adjustment: StickerPlacement.Adjustment
  ) {
    // Faces without ids are identified by their position in the list.
    let key = face.id != 0 ? UInt64(face.id) : UInt64(position) | 1 << 32
    guard let index = faces.lastIndex(where: { $0.key == key }) ?? addFace(key) else { return }
    let frame = HeadFrame(face, width: width, height: height)
    updateMotion(face, index, width, height)
    faces[index].state.cover.assign(face.cover)
    if hasSurfaces { storeMesh(of: frame, index) }
    faces[index].state.blend.update(frame)
    let blend = faces[index].state.blend
    faces[index].state.area = face.box.area.isFinite ? face.box.area : 0
    faces[index].state.triggers.update(face, frame, seconds: seconds)
    for item in items.indices {
      faces[index].state.placements[item] = frame.flatMap {
        StickerPlacement.onFace(items[item], $0, adjustment).map { blend.applied(to: $0) }
      }
      let keep = items[item].keep
      let middle = faces[index].state.box.center
      guard keep > 0, (0...Double(width)).contains(middle.x),
        (0...Double(height)).contains(middle.y)
      else { continue }
      faces[index].state.placements[item] = faces[index].state.placements[item]?
        .keptInFrame(keep, width: width, height: height)
    }
  }

  /// Copies the mesh of a face, whose memory belongs to the metadata.
  private func storeMesh(of frame: HeadFrame?, _ index: Int) {
    faces[index].state.head = frame.map { HeadTransform($0) }
    guard let mesh = frame?.mesh else {
      // The last mesh does not match the face's new position.
      for vertex in faces[index].state.meshVertices.indices {
        faces[index].state.meshVertices[vertex].x = .nan
      }
      return
    }
    if faces[index].state.meshVertices.isEmpty {
      faces[index].state.meshVertices = Array(repeating: .zero, count: Face.landmarkCount)
    }
    for vertex in 0..<Face.landmarkCount { faces[index].state.meshVertices[vertex] = mesh[vertex] }
  }

  /// Marks a face as seen at its position.
  ///
  /// Counts an observation, unless the face lacks a mesh in a stream whose faces have meshes.
  private func updateMotion(_ face: Face, _ index: Int, _ width: Int, _ height: Int) {
    let box = face.box.scaled(x: Double(width), y: Double(height))
    guard box.width.isFinite, box.height.isFinite, box.x.isFinite, box.y.isFinite else {
      faces.markSeen(index)
      return
    }
    if faces[index].state.observations == 0 { faces[index].motion = FaceMotion() }
    faces.markSeen(index, at: box.center)
    faces[index].state.box = box
    hasMeshes = hasMeshes || !face.landmarks.isEmpty
    if !hasMeshes || !face.landmarks.isEmpty { faces[index].state.observations &+= 1 }
  }

  /// Adds a track with stopped animations.
  private func addFace(_ key: UInt64) -> Int? {
    guard let index = faces.add(key) else { return nil }
    faces[index].state.triggers.reset()
    faces[index].state.observations = 0
    faces[index].state.blend.reset()
    faces[index].state.light = nil
    for item in items.indices { faces[index].state.playbacks[item].stop() }
    return index
  }

  /// Whether a trigger holds for an item on a face.
  func holds(_ trigger: StickerTrigger, face: Int) -> Bool {
    if case .gesture(let gesture) = trigger { return isMade(gesture) }
    return faces[face].state.triggers.holds(trigger)
  }

  /// Whether a trigger holds for the screen: for any face or hand, or `noFace` without faces.
  func holdsOnScreen(_ trigger: StickerTrigger) -> Bool {
    switch trigger {
    case .always: true
    case .noFace: faces.isEmpty
    case .gesture(let gesture): isMade(gesture)
    default: faces.contains { $0.state.triggers.holds(trigger) }
    }
  }
}
