import Faces
package import Frames
package import Pixels

extension Frame {
  /// Moves the faces in MienFaces and the regions "face" of any detector.
  ///
  /// `map` maps a point from its old to its new position, in pixels of the frame. Points are mapped
  /// one by one; the edges of a box move as those of its mesh, else as the midpoints of the edges.
  /// Pose and expressions stay unchanged. Works in place and allocates nothing.
  package func moveFaces(_ map: (Point) -> Point) {
    let size = Point(x: Double(picture.width), y: Double(picture.height))
    // Regions are matched with the old boxes of the faces.
    let metadata = header.metadata
    MovedFaces.moveRegions(of: metadata, size, map)
    MovedFaces.moveFaces(of: metadata, size, map)
  }
}

/// Changes the metadata of a writable buffer.
private enum MovedFaces {
  // MARK: MienFaces

  /// Calls `body` with the fields of each face that readers accept until it returns true.
  static func forEachFace(of metadata: BufferMetadata, _ body: (Fields) -> Bool) {
    var left = Face.maximumPerFrame
    metadata.forEach(FaceMetadata.name) { fields in
      guard let list = fields?.list("faces") else { return true }
      for index in 0..<min(list.count, left) {
        if let face = list[index], body(face) { return false }
      }
      left -= min(list.count, left)
      return left > 0
    }
  }

  static func moveFaces(of metadata: BufferMetadata, _ size: Point, _ map: (Point) -> Point) {
    forEachFace(of: metadata) { face in
      if let box = box(of: face) {
        let moved = movedBox(box, of: face, size, map)
        face.setNumber("x", moved.x)
        face.setNumber("y", moved.y)
        face.setNumber("width", moved.width)
        face.setNumber("height", moved.height)
      }
      func movedPoint(_ point: Point) -> Point {
        let moved = map(Point(x: point.x * size.x, y: point.y * size.y))
        return Point(x: moved.x / size.x, y: moved.y / size.y)
      }
      face.mapPoints("keypoints", size: 2, movedPoint)
      face.mapPoints("landmarks", size: 3, movedPoint)
      return false
    }
  }

  private static func box(of face: Fields) -> Rectangle? {
    guard let x = face.number("x"), let y = face.number("y"),
      let width = face.number("width"), let height = face.number("height")
    else { return nil }
    return Rectangle(x: x, y: y, width: width, height: height)
  }

  /// The moved box of a face, normalized to the frame.
  private static func movedBox(
    _ box: Rectangle, of face: Fields, _ size: Point, _ map: (Point) -> Point
  ) -> Rectangle {
    var (low, high) = (Point(x: .infinity, y: .infinity), Point(x: -.infinity, y: -.infinity))
    var (lowMoved, highMoved) = (low, high)
    if let points = face.bytes("landmarks") {
      for index in 0..<min(points.count / 12, Face.landmarkCount) {
        let share = points.point(at: 3 * index)
        let point = Point(x: share.x * size.x, y: share.y * size.y)
        let moved = map(point)
        low = Point(x: min(low.x, point.x), y: min(low.y, point.y))
        high = Point(x: max(high.x, point.x), y: max(high.y, point.y))
        lowMoved = Point(x: min(lowMoved.x, moved.x), y: min(lowMoved.y, moved.y))
        highMoved = Point(x: max(highMoved.x, moved.x), y: max(highMoved.y, moved.y))
      }
    }
    if low.x.isFinite, low.y.isFinite, high.x.isFinite, high.y.isFinite {
      return Rectangle(
        from: Point(
          x: box.x + (lowMoved.x - low.x) / size.x, y: box.y + (lowMoved.y - low.y) / size.y),
        to: Point(
          x: box.maxX + (highMoved.x - high.x) / size.x,
          y: box.maxY + (highMoved.y - high.y) / size.y))
    }
    return boxWithMovedEdges(box.scaled(x: size.x, y: size.y), map).scaled(
      x: 1 / size.x, y: 1 / size.y)
  }

  /// A box whose edges move as their midpoints.
  private static func boxWithMovedEdges(_ box: Rectangle, _ map: (Point) -> Point) -> Rectangle {
    let middle = box.center
    return Rectangle(
      from: Point(
        x: map(Point(x: box.x, y: middle.y)).x, y: map(Point(x: middle.x, y: box.y)).y),
      to: Point(
        x: map(Point(x: box.maxX, y: middle.y)).x, y: map(Point(x: middle.x, y: box.maxY)).y))
  }

  // MARK: Regions

  static func moveRegions(of metadata: BufferMetadata, _ size: Point, _ map: (Point) -> Point) {
    var left = Face.maximumPerFrame
    metadata.forEachRegion { region in
      guard isFaceLabel(region.label) else { return true }
      left -= 1
      moveRegion(region, of: metadata, size, map)
      return left > 0
    }
  }

  private static func moveRegion(
    _ region: RegionOfInterest, of metadata: BufferMetadata, _ size: Point, _ map: (Point) -> Point
  ) {
    let frame = Rectangle(x: 0, y: 0, width: size.x, height: size.y)
    let old = region.box.rectangle
    var new = boxWithMovedEdges(old, map)
    var isKnown = false
    // The region of a face in MienFaces moves with it.
    forEachFace(of: metadata) { face in
      guard let box = box(of: face),
        box.scaled(x: size.x, y: size.y).intersection(frame).iou(old) > 0.9
      else { return false }
      new = movedBox(box, of: face, size, map).scaled(x: size.x, y: size.y)
      isKnown = true
      return true
    }
    new = new.intersection(frame)
    guard new.x.isFinite, new.y.isFinite, new.width > 0, new.height > 0 else { return }
    let target = PixelBox(rounding: new)
    guard !target.isEmpty else { return }
    region.box = target
    if let detection = region.parameter("detection") {
      detection.setNumber("x_min", new.x / size.x)
      detection.setNumber("y_min", new.y / size.y)
      detection.setNumber("x_max", new.maxX / size.x)
      detection.setNumber("y_max", new.maxY / size.y)
    }
    // If the face is in MienFaces, the points of its region stay unchanged: a new GVariant would
    // allocate memory, and MienFaces has the exact points.
    guard !isKnown, let landmarks = region.parameter("landmarks") else { return }
    let current = target.rectangle
    landmarks.mapTensorPoints("data_buffer") { share in
      let moved = map(Point(x: old.x + share.x * old.width, y: old.y + share.y * old.height))
      return Point(
        x: (moved.x - current.x) / current.width, y: (moved.y - current.y) / current.height)
    }
  }
}
