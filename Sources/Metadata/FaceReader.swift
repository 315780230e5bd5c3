package import Faces
package import Frames
import Pixels

extension FrameHeader {
  /// Reads the faces of all kinds of metadata of this frame into `faces`, reusing its storage.
  ///
  /// The kinds are MienFaces, regions of interest of faces and GstAnalytics detections. A region or
  /// detection that `facedetect` wrote for a face in MienFaces is not repeated, nor a detection with
  /// the box of a region, which gets the region's id. A face whose
  /// position cannot be read has a box of NaNs; so has one extra face if there are implausibly
  /// many. False if the frame has no face metadata.
  package func readFacesFromAllMetadata(into faces: inout [Face], width: Int, height: Int) -> Bool {
    let metadata = metadata
    var reader = FaceReader(width: width, height: height, misread: .anywhere, readsCovers: false)
    let isKnown = reader.readMienFaces(of: metadata, into: &faces)
    let tracked = reader.count
    let hasRegions = reader.readRegions(of: metadata, into: &faces, beside: tracked)
    let hasDetections = reader.readDetections(
      of: metadata, into: &faces, beside: tracked, regions: tracked..<reader.count)
    faces.removeLast(faces.count - reader.count)
    return isKnown || hasRegions || hasDetections
  }

  /// The number of the frame's scene in MienFaces, which changes at cuts; nil without it.
  package var scene: Int? {
    var number: Int?
    metadata.forEach(FaceMetadata.name) { fields in
      number = fields?.uint("scene")
      return false
    }
    return number
  }

  /// Reads the faces of this frame into `faces`, reusing its storage.
  ///
  /// Reads MienFaces, else the regions of faces of any detector, else its GstAnalytics detections;
  /// false if there are none of these. `width` and `height` are the frame's.
  package func readFaces(into faces: inout [Face], width: Int, height: Int) -> Bool {
    let metadata = metadata
    var reader = FaceReader(width: width, height: height, misread: .leftOut, readsCovers: true)
    let isRead =
      reader.readMienFaces(of: metadata, into: &faces)
      || reader.readRegions(of: metadata, into: &faces)
      || reader.readDetections(of: metadata, into: &faces)
    if isRead { faces.removeLast(faces.count - reader.count) }
    return isRead
  }
}

/// Reads the kinds of metadata of one frame into an array whose storage is reused.
struct FaceReader {
  /// The treatment of faces whose position cannot be read.
  enum Misread {
    /// They are skipped; a missing number counts as 0.
    case leftOut
    /// They get a box of NaNs: they may be anywhere.
    case anywhere
  }

  private let width, height: Int
  private let misread: Misread
  private let readsCovers: Bool
  /// The number of faces read so far.
  private(set) var count = 0
  private var isOverfull = false

  /// The faces that may have a cover, which is a large map: bytes may be shared by many faces.
  private static let maximumCovers = 16
  private var coverCount = 0

  /// Creates a reader for a frame of this size in pixels.
  init(width: Int, height: Int, misread: Misread, readsCovers: Bool) {
    (self.width, self.height, self.misread) = (width, height, misread)
    self.readsCovers = readsCovers
  }

  // MARK: Kinds of metadata

  /// Reads all MienFaces of a buffer; false if none is readable.
  mutating func readMienFaces(of metadata: BufferMetadata, into faces: inout [Face]) -> Bool {
    var isRead = false
    metadata.forEach(FaceMetadata.name) { fields in
      if readFaceList(fields, into: &faces) { isRead = true }
      return true
    }
    return isRead
  }

  /// Reads one MienFaces; false if it has no list and unreadable ones are skipped.
  mutating func readFaceList(_ fields: Fields?, into faces: inout [Face]) -> Bool {
    guard let list = fields?.list("faces") else {
      addFaceOfUnknownPosition(to: &faces)
      return misread == .anywhere
    }
    for index in 0..<list.count {
      if stopsAtLimit(&faces) { break }
      guard let item = list[index] else {
        addFaceOfUnknownPosition(to: &faces)
        continue
      }
      faces.appendFaceIfMissing(at: count)
      FaceMetadata.readFace(
        item, into: &faces[count], missing: misread == .anywhere ? .nan : 0,
        withCover: readsCovers && coverCount < Self.maximumCovers)
      if !faces[count].cover.isEmpty { coverCount += 1 }
      faces[count].source = .mienFaces
      count += 1
    }
    return true
  }

  /// Reads the regions of faces, except for those of the first `known` faces; false if there are
  /// none.
  mutating func readRegions(
    of metadata: BufferMetadata, into faces: inout [Face], beside known: Int = 0
  ) -> Bool {
    var seen = 0
    metadata.forEachRegion { region in
      guard isFaceLabel(region.label) else { return true }
      seen += 1
      if stopsAtLimit(&faces, seen: seen) { return false }
      // Checked before the append: storage for points of a dropped face would be allocated in every
      // frame.
      let box = RegionMetadata.box(of: region, width: width, height: height)
      if isDuplicate(of: known, faces, id: RegionMetadata.id(of: region), box) { return true }
      faces.appendFaceIfMissing(at: count)
      RegionMetadata.read(region, width: width, height: height, into: &faces[count])
      faces[count].source = .region
      count += 1
      return true
    }
    return seen > 0
  }

  /// The same for GstAnalytics detections; those with the box of one of `regions` are left out too.
  mutating func readDetections(
    of metadata: BufferMetadata, into faces: inout [Face], beside known: Int = 0,
    regions: Range<Int> = 0..<0
  ) -> Bool {
    var seen = 0
    AnalyticsMetadata.forEachFace(on: metadata) { detected in
      guard misread == .anywhere || detected?.hasArea ?? false else { return true }
      seen += 1
      if stopsAtLimit(&faces, seen: seen) { return false }
      guard let detected else {
        addFaceOfUnknownPosition(to: &faces)
        return true
      }
      faces.appendFaceIfMissing(at: count)
      detected.copyValues(to: &faces[count], width: width, height: height)
      faces[count].source = .detection
      let box = faces[count].box
      if !isDuplicate(of: known, faces, id: faces[count].id, box),
        !isDuplicate(of: regions, faces, box)
      {
        count += 1
      }
      return true
    }
    return seen > 0
  }

  // MARK: Faces

  /// Adds a face with an unknown box, unless unreadable faces are skipped.
  private mutating func addFaceOfUnknownPosition(to faces: inout [Face]) {
    guard misread == .anywhere, !isOverfull else { return }
    faces.appendFaceIfMissing(at: count)
    faces[count] = Face(confidence: 1, box: .unknown)
    count += 1
  }

  /// Whether the maximum number of faces is exceeded; then a face with an unknown box is added.
  private mutating func stopsAtLimit(_ faces: inout [Face], seen: Int = 0) -> Bool {
    guard count >= Face.maximumPerFrame || seen > Face.maximumPerFrame else { return false }
    addFaceOfUnknownPosition(to: &faces)
    isOverfull = true
    return true
  }

  /// Whether one of the first `known` faces has this id and, in whole pixels of the frame, this box
  /// (or also no readable box).
  private func isDuplicate(of known: Int, _ faces: [Face], id: UInt32, _ box: Rectangle) -> Bool {
    guard known > 0, id != 0 else { return false }
    let box = PixelBox(normalized: box, width: width, height: height)
    for index in 0..<known where faces[index].id == id && faces[index].box.isFinite {
      let other = PixelBox(normalized: faces[index].box, width: width, height: height)
      if box.isNear(other) || box.isEmpty && other.isEmpty { return true }
    }
    return false
  }

  /// Whether one of the regions, which are faces without points, has this box in whole pixels.
  private func isDuplicate(of regions: Range<Int>, _ faces: [Face], _ box: Rectangle) -> Bool {
    guard !regions.isEmpty, box.isFinite else { return false }
    let box = PixelBox(normalized: box, width: width, height: height)
    return regions.contains { index in
      faces[index].box.isFinite
        && box.isNear(PixelBox(normalized: faces[index].box, width: width, height: height))
    }
  }
}

extension PixelBox {
  /// Whether all edges agree within the rounding of scaling to whole pixels.
  fileprivate func isNear(_ other: PixelBox) -> Bool {
    func isNear(_ a: UInt32, _ b: UInt32) -> Bool { max(a, b) - min(a, b) <= 2 }
    return !isEmpty && !other.isEmpty && isNear(x, other.x) && isNear(y, other.y)
      && isNear(x + width, other.x + other.width) && isNear(y + height, other.y + other.height)
  }
}

extension Rectangle {
  /// A box of NaNs: its position is unknown.
  static let unknown = Rectangle(x: .nan, y: .nan, width: .nan, height: .nan)

  var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }
}

extension [Face] {
  /// Appends an empty face if there is none at index `place`.
  mutating func appendFaceIfMissing(at place: Int) {
    guard place == count else { return }
    append(Face(confidence: 0, box: .zero))
  }
}
