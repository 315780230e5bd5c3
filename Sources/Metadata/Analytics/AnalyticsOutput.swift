import CGStreamer
package import Faces
package import Frames
import Pixels

/// Whether the faces of a stream are written as GstAnalytics too, and since when each is in view.
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
  private var since = PerFace<GstClockTime>(most: 64) { 0 }

  package init() {}

  /// The faces so far are forgotten.
  package mutating func reset() { since.removeAll() }

  mutating func library(_ choice: Choice) -> AnalyticsLibrary? { use.library(choice) }

  /// Begins a frame.
  mutating func beginFrame() { since.beginFrame() }

  /// When a face was seen first, that is in view now.
  mutating func firstSeen(_ id: UInt32, now: GstClockTime) -> GstClockTime {
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

/// Whether GstAnalytics is to be written, asked for every frame.
struct AnalyticsUse {
  // Its users are linked with it, and nothing else would open it: an element downstream is loaded
  // before a frame comes. No query would tell, for none of them asks upstream for this metadata.
  private var files = LoadedFiles("/libgstanalytics-1.0.so")

  mutating func library(_ choice: AnalyticsOutput.Choice) -> AnalyticsLibrary? {
    switch choice {
    case .never: nil
    case .always: AnalyticsLibrary.shared
    case .auto: files.isLoaded() ? AnalyticsLibrary.shared : nil
    }
  }
}

extension Frame {
  /// Puts the faces found in this frame on its buffer, in place of what `facedetect` put before.
  package func attach(
    _ faces: [Face], _ output: inout AnalyticsOutput, _ choice: AnalyticsOutput.Choice
  ) {
    let (width, height, buffer) = (picture.width, picture.height, header.buffer)
    let isFree = AnalyticsMetadata.removeOwn(from: buffer, faces: FaceMetadata.count(on: buffer))
    FaceMetadata.attach(faces, width: width, height: height, to: buffer)
    RegionMetadata.removeOwn(from: buffer)
    let library = isFree ? output.library(choice) : nil
    let meta =
      faces.isEmpty
      ? nil
      : library.flatMap {
        AnalyticsMetadata.make(on: buffer, faces: faces.count, $0)
      }
    let now = (header.runningTime ?? header.timestamp).map { GstClockTime($0) }
    output.beginFrame()
    for face in faces {
      let first = output.firstSeen(face.id, now: now ?? cgst_clock_time_none)
      var number: guint?
      if let library, let meta {
        number = AnalyticsMetadata.add(
          face, to: meta, width: width, height: height, first: first,
          now: now ?? cgst_clock_time_none, library)
      }
      RegionMetadata.attach(face, width: width, height: height, number: number, to: buffer)
    }
    output.endFrame()
  }
}
