package import Faces
package import Frames
import Pixels

extension FrameHeader {
  /// Reads every face that anything says is in this frame into `faces`, reusing its storage.
  ///
  /// That is each MienFaces, each region of a face and each detection of GstAnalytics. A region or
  /// detection that `facedetect` wrote beside MienFaces is the same face and stands in `faces` once. A
  /// face whose place cannot be read has a box of no numbers, and so has one more face where there are
  /// more than anybody can have seen. False where nothing says whether there are faces.
  package func readEveryFace(into faces: inout [Face], width: Int, height: Int) -> Bool {
    let metadata = metadata
    var reader = FaceReader(width: width, height: height, misread: .anywhere)
    let isKnown = reader.readMienFaces(of: metadata, into: &faces)
    let tracked = reader.count
    let hasRegions = reader.readRegions(of: metadata, into: &faces, beside: tracked)
    let hasDetections = reader.readDetections(of: metadata, into: &faces, beside: tracked)
    faces.removeLast(faces.count - reader.count)
    return isKnown || hasRegions || hasDetections
  }

  /// Reads the faces known of this frame into `faces`, reusing its storage.
  ///
  /// MienFaces is read first, else the regions of faces of any detector, else its detections of
  /// GstAnalytics; false when there is none of these. `width` and `height` are the frame's.
  package func readFaces(into faces: inout [Face], width: Int, height: Int) -> Bool {
    let metadata = metadata
    var reader = FaceReader(width: width, height: height, misread: .leftOut)
    let isRead =
      reader.readMienFaces(of: metadata, into: &faces)
      || reader.readRegions(of: metadata, into: &faces)
      || reader.readDetections(of: metadata, into: &faces)
    if isRead { faces.removeLast(faces.count - reader.count) }
    return isRead
  }
}

/// Reads the metadata of one frame, one kind after another, into an array whose storage is used again.
struct FaceReader {
  /// What becomes of faces whose place cannot be read.
  enum Misread {
    /// They are left out; a number that is missing counts as 0.
    case leftOut
    /// They have a box of no numbers: they may be anywhere.
    case anywhere
  }

  private let width, height: Int
  private let misread: Misread
  /// Faces read so far.
  private(set) var count = 0
  private var isOverfull = false

  /// For a frame of this size.
  init(width: Int, height: Int, misread: Misread) {
    (self.width, self.height, self.misread) = (width, height, misread)
  }

  // MARK: Kinds of metadata

  /// False where there is none that can be read.
  mutating func readMienFaces(of metadata: BufferMetadata, into faces: inout [Face]) -> Bool {
    var isRead = false
    metadata.forEach(FaceMetadata.name) { fields in
      if read(fields, into: &faces) { isRead = true }
      return true
    }
    return isRead
  }

  /// Reads one metadata MienFaces; false where it has no list, and such are left out.
  mutating func read(_ fields: Fields?, into faces: inout [Face]) -> Bool {
    guard let list = fields?.list("faces") else {
      addAnywhere(to: &faces)
      return misread == .anywhere
    }
    for index in 0..<list.count {
      if isFull(&faces) { break }
      guard let item = list[index] else {
        addAnywhere(to: &faces)
        continue
      }
      faces.makeRoom(at: count)
      FaceMetadata.read(item, into: &faces[count], missing: misread == .anywhere ? .nan : 0)
      faces[count].source = .mienFaces
      count += 1
    }
    return true
  }

  /// Reads the regions of faces but those of the first `known` faces; false where there are none.
  mutating func readRegions(
    of metadata: BufferMetadata, into faces: inout [Face], beside known: Int = 0
  ) -> Bool {
    var seen = 0
    metadata.forEachRegion { region in
      guard isFaceLabel(region.label) else { return true }
      seen += 1
      if isFull(&faces, seen: seen) { return false }
      // Before anything is appended: the points of a face that does not stay would be allocated anew
      // for every frame.
      let box = RegionMetadata.box(of: region, width: width, height: height)
      if isOneOf(known, faces, id: RegionMetadata.id(of: region), box) { return true }
      faces.makeRoom(at: count)
      RegionMetadata.read(region, width: width, height: height, into: &faces[count])
      faces[count].source = .region
      count += 1
      return true
    }
    return seen > 0
  }

  /// The same of detections of GstAnalytics.
  mutating func readDetections(
    of metadata: BufferMetadata, into faces: inout [Face], beside known: Int = 0
  ) -> Bool {
    var seen = 0
    AnalyticsMetadata.forEachFace(on: metadata) { detected in
      guard misread == .anywhere || detected?.isPlace ?? false else { return true }
      seen += 1
      if isFull(&faces, seen: seen) { return false }
      guard let detected else {
        addAnywhere(to: &faces)
        return true
      }
      faces.makeRoom(at: count)
      detected.fill(&faces[count], width: width, height: height)
      faces[count].source = .detection
      if !isOneOf(known, faces, id: faces[count].id, faces[count].box) { count += 1 }
      return true
    }
    return seen > 0
  }

  // MARK: Faces

  /// Adds a face that may be anywhere, where such are not left out.
  private mutating func addAnywhere(to faces: inout [Face]) {
    guard misread == .anywhere, !isOverfull else { return }
    faces.makeRoom(at: count)
    faces[count] = Face(confidence: 1, box: .unknown)
    count += 1
  }

  /// Whether there may be no more, or nobody can have seen so many; then they may be anywhere.
  private mutating func isFull(_ faces: inout [Face], seen: Int = 0) -> Bool {
    guard count >= Face.mostInFrame || seen > Face.mostInFrame else { return false }
    addAnywhere(to: &faces)
    isOverfull = true
    return true
  }

  /// Whether a face of this number and box is one of the first `known`: it has the same number and, in
  /// whole pixels of the frame, the same place, or as little of one.
  private func isOneOf(_ known: Int, _ faces: [Face], id: UInt32, _ box: Rectangle) -> Bool {
    guard known > 0, id != 0 else { return false }
    let box = PixelBox(box, width: width, height: height)
    for index in 0..<known where faces[index].id == id && faces[index].box.isFinite {
      let other = PixelBox(faces[index].box, width: width, height: height)
      if box.isNear(other) || box.isEmpty && other.isEmpty { return true }
    }
    return false
  }
}

extension PixelBox {
  /// Whether no edge lies farther away than scaling leaves it, which rounds to whole pixels.
  fileprivate func isNear(_ other: PixelBox) -> Bool {
    func isNear(_ a: UInt32, _ b: UInt32) -> Bool { max(a, b) - min(a, b) <= 2 }
    return !isEmpty && !other.isEmpty && isNear(x, other.x) && isNear(y, other.y)
      && isNear(x + width, other.x + other.width) && isNear(y + height, other.y + other.height)
  }
}

extension Rectangle {
  /// A box of no numbers: nothing is known of it.
  static let unknown = Rectangle(x: .nan, y: .nan, width: .nan, height: .nan)

  var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }
}

extension [Face] {
  /// Appends a face, to be filled, where there is none yet at `place`.
  mutating func makeRoom(at place: Int) {
    guard place == count else { return }
    append(Face(confidence: 0, box: .zero))
  }
}
