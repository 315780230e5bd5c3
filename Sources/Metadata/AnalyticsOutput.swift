import Analytics
package import Faces
package import Frames
import Pixels

/// Whether the faces of a stream are written as GstAnalytics, and since when each is in view.
///
/// Streaming thread only.
package struct AnalyticsOutput {
  /// When they are.
  package enum Choice: Sendable {
    /// Where the library is in this process, because something else brought it.
    case auto
    case always, never
  }

  /// Whether the library is on this system; opens it.
  package static var isAvailable: Bool { AnalyticsLibrary.shared != nil }

  private var use = AnalyticsUse()
  private var since = PerFace<UInt64>(most: 64) { 0 }

  package init() {}

  /// The faces so far are forgotten.
  package mutating func reset() { since.removeAll() }

  mutating func library(_ choice: Choice) -> AnalyticsLibrary? { use.library(choice) }

  /// Begins a frame.
  mutating func beginFrame() { since.beginFrame() }

  /// When a face was seen first, that is in view now.
  mutating func firstSeen(_ id: UInt32, now: UInt64) -> UInt64 {
    if let index = since.firstIndex(where: { $0.key == UInt64(id) }) {
      since[index].isSeen = true
      return since[index].state
    }
    if let index = since.add(UInt64(id)) { since[index].state = now }
    return now
  }

  /// Forgets the faces that were not in this frame.
  mutating func endFrame() { since.keep { $0.isSeen } }
}

/// Whether GstAnalytics is to be written; cheap enough to ask for every frame.
struct AnalyticsUse {
  // Elements that read it are linked with the library, and nothing else would load it: an element
  // downstream is loaded before a frame comes. No query says so, for readers do not ask upstream for
  // this metadata.
  private var file = LoadedLibrary("/libgstanalytics-1.0.so")

  mutating func library(_ choice: AnalyticsOutput.Choice) -> AnalyticsLibrary? {
    switch choice {
    case .never: nil
    case .always: AnalyticsLibrary.shared
    case .auto: file.isLoaded() ? AnalyticsLibrary.shared : nil
    }
  }
}

extension Frame {
  /// Replaces the faces that `facedetect` put on this frame's buffer.
  package func attach(
    _ faces: [Face], _ output: inout AnalyticsOutput, _ choice: AnalyticsOutput.Choice
  ) {
    let (width, height, metadata) = (picture.width, picture.height, header.metadata)
    let isFree = AnalyticsMetadata.removeOwn(
      from: metadata, faces: FaceMetadata.count(in: metadata))
    FaceMetadata.attach(faces, width: width, height: height, to: metadata)
    RegionMetadata.removeOwn(from: metadata)
    let library = isFree ? output.library(choice) : nil
    let relations =
      faces.isEmpty
      ? nil : library.flatMap { AnalyticsMetadata.make(on: metadata, faces: faces.count, $0) }
    // GST_CLOCK_TIME_NONE for frames without a time.
    let now = header.runningTime ?? header.timestamp ?? .max
    output.beginFrame()
    for face in faces {
      let first = output.firstSeen(face.id, now: now)
      let detection = relations.flatMap {
        AnalyticsMetadata.add(face, to: $0, width: width, height: height, first: first, last: now)
      }
      RegionMetadata.attach(
        face, width: width, height: height, detection: detection, to: metadata)
    }
    output.endFrame()
  }
}
