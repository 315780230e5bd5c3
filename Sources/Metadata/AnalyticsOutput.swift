import Analytics
package import Faces
package import Frames
import Pixels

/// Whether the faces of a stream are written as GstAnalytics, and since when each is in view.
///
/// Streaming thread only.
package struct AnalyticsOutput {
  /// When GstAnalytics metadata is written.
  package enum Choice: Sendable {
    /// If another user has loaded the library in this process.
    case auto
    case always, never
  }

  /// Whether the library is installed; loads it.
  package static var isAvailable: Bool { AnalyticsLibrary.shared != nil }

  private var use = AnalyticsUse()
  /// The points of a mesh, in pixels.
  fileprivate var places: [Int32] = []
  private var since = FaceTracks<UInt64>(maximum: 64) { 0 }

  package init() {}

  /// Removes all faces.
  package mutating func reset() { since.removeAll() }

  mutating func libraryIfWanted(_ choice: Choice) -> AnalyticsLibrary? {
    use.libraryIfWanted(choice)
  }

  mutating func beginFrame() { since.beginFrame() }

  /// The time at which a face in view was first detected.
  mutating func firstSeenTime(_ id: UInt32, now: UInt64) -> UInt64 {
    if let index = since.firstIndex(where: { $0.key == UInt64(id) }) {
      since[index].isSeen = true
      return since[index].state
    }
    if let index = since.add(UInt64(id)) { since[index].state = now }
    return now
  }

  /// Removes the faces that were not in this frame.
  mutating func endFrame() { since.keep { $0.isSeen } }
}

/// Decides whether GstAnalytics is written; cheap enough for every frame.
struct AnalyticsUse {
  // Only elements that read this metadata link with the library, and elements downstream are loaded
  // before the first frame. There is no query for it: readers do not request it from upstream.
  private var file = LoadedLibrary("/libgstanalytics-1.0.so")

  mutating func libraryIfWanted(_ choice: AnalyticsOutput.Choice) -> AnalyticsLibrary? {
    switch choice {
    case .never: nil
    case .always: AnalyticsLibrary.shared
    case .auto: file.isLoaded() ? AnalyticsLibrary.shared : nil
    }
  }
}

extension Frame {
  /// Replaces the faces and hands that an earlier `facedetect` added to this frame.
  ///
  /// `scene` is a number that changes at cuts, by which readers let go of the faces before. `hands` is nil
  /// where they were not searched for.
  package func attachFaces(
    _ faces: [Face], hands: [TrackedHand]? = nil, scene: UInt32 = 0,
    _ output: inout AnalyticsOutput, _ choice: AnalyticsOutput.Choice
  ) {
    let (width, height, metadata) = (picture.width, picture.height, header.metadata)
    let isFree = AnalyticsMetadata.removeOwn(
      from: metadata,
      objects: FaceMetadata.faceCount(in: metadata) + HandMetadata.handCount(in: metadata))
    FaceMetadata.attach(faces, scene: scene, width: width, height: height, to: metadata)
    HandMetadata.replace(hands, width: width, height: height, on: metadata)
    RegionMetadata.removeOwn(from: metadata)
    let library = isFree ? output.libraryIfWanted(choice) : nil
    // A matrix holds the relations of all entries, so one mesh needs 230 kB: it must be asked for,
    // and only one face has it.
    let meshed = choice == .always && library?.hasKeypoints == true ? faces.largestWithMesh : nil
    let points = meshed.map { faces[$0].landmarks.count } ?? 0
    let relations =
      faces.isEmpty && (hands ?? []).isEmpty
      ? nil
      : library.flatMap {
        AnalyticsMetadata.makeRelations(
          on: metadata, faces: faces.count, points: points, hands: hands?.count ?? 0, $0)
      }
    // GST_CLOCK_TIME_NONE for frames without a time.
    let now = header.runningTime ?? header.timestamp ?? .max
    output.beginFrame()
    for (index, face) in faces.enumerated() {
      let first = output.firstSeenTime(face.id, now: now)
      let detection = relations.flatMap {
        AnalyticsMetadata.add(face, to: $0, width: width, height: height, first: first, last: now)
      }
      if index == meshed, let relations, let detection {
        DetectedFace.readMesh(of: face, width: width, height: height, into: &output.places)
        AnalyticsMetadata.addMesh(output.places.span, to: detection, in: relations)
      }
      RegionMetadata.attach(
        face, width: width, height: height, detection: detection?.id, to: metadata)
    }
    for hand in hands ?? [] {
      let first = output.firstSeenTime(hand.id, now: now)
      if let relations {
        AnalyticsMetadata.add(
          hand, to: relations, width: width, height: height, first: first, last: now)
      }
    }
    output.endFrame()
  }
}

extension [Face] {
  /// The index of the largest face that has a mesh.
  fileprivate var largestWithMesh: Int? {
    var (largest, area): (Int?, Double) = (nil, -1)
    for index in indices
    where self[index].landmarks.count >= Face.landmarkCount && self[index].box.area > area {
      (largest, area) = (index, self[index].box.area)
    }
    return largest
  }
}
