import Analytics
package import Frames
package import Pixels

/// Writes the masks of a stream as GstAnalytics segmentations; streaming thread only.
///
/// Readers hold a mask at least as long as its frame. Masks come from a pool and return to it when
/// the last reader releases them. videoflip of GStreamer 1.28 never does, so the number in use is
/// limited, to more than the frames in queues and encoders.
package final class SegmentationOutput {
  /// The maximum number of masks in use at a time; about 60 kB each.
  package static let maximumMasks = 300

  /// Whether the library is installed and has segmentations; loads it.
  package static var isAvailable: Bool { AnalyticsLibrary.shared?.hasSegmentations ?? false }

  fileprivate var use = AnalyticsUse()
  fileprivate let masks = PicturePool(maximum: SegmentationOutput.maximumMasks)

  package init() {}

  /// Frees the masks that no reader holds.
  package func close() { masks.close() }
}

extension FrameHeader {
  /// Adds a GRAY8 mask of two regions, 0 for the background and 1 for people, scaled to a frame of
  /// `width` x `height` pixels; `draw` fills it.
  ///
  /// False if no mask is left: `SegmentationOutput.maximumMasks` are in use.
  package func attachSegmentation(
    _ output: SegmentationOutput, _ choice: AnalyticsOutput.Choice, columns: Int, rows: Int,
    width: Int, height: Int, _ draw: (borrowing Picture) -> Void
  ) -> Bool {
    let metadata = metadata
    guard let library = output.use.libraryIfWanted(choice), library.hasSegmentations,
      SegmentationMetadata.removeOwn(from: metadata)
    else { return true }
    guard let mask = output.masks.acquire(width: columns, height: rows, draw) else { return false }
    SegmentationMetadata.add(mask, to: metadata, width: width, height: height, library)
    return true
  }
}

/// The GstAnalytics segmentation of people, from 1.26 on: a mask of two regions, each related to a
/// class of a classification that names it.
private enum SegmentationMetadata {
  /// The names of the regions, in the order of their values.
  private static let names: InlineArray<2, UInt32> = [quark("background"), quark("person")]

  /// Adds a mask, scaled to a frame of this size in pixels.
  static func add(
    _ mask: consuming OwnedBuffer, to metadata: BufferMetadata, width: Int, height: Int,
    _ library: AnalyticsLibrary
  ) {
    let names = names
    let regions: InlineArray<2, UInt32> = [0, 1]
    // The confidence of a whole class is unknown, for which GStreamer uses -1.
    let levels: InlineArray<2, Float> = [-1, -1]
    guard let relations = AnalyticsRelations(on: metadata, entries: 2, library),
      let entry = relations.addSegmentation(
        mask, regions: regions.span, width: width, height: height),
      let classes = relations.addClasses(names.span, levels: levels.span)
    else { return }
    relations.relate(entry, .nToN, classes)
  }

  /// Removes the mask of an earlier `personkey`.
  ///
  /// Single entries cannot be removed. If other elements have added entries, all stay, and the
  /// result is false: none may be added.
  static func removeOwn(from metadata: BufferMetadata) -> Bool {
    guard let relations = AnalyticsRelations(of: metadata) else { return true }
    let library = relations.library
    var (own, others) = (0, 0)
    relations.forEach { entry in
      let type = relations.type(of: entry)
      if type == library.segmentationType,
        let classes = relations.first(of: library.classesType, entry, .nToN),
        isPersonClassification(classes, in: relations)
      {
        own += 1
      } else if type != library.classesType || !isPersonClassification(entry, in: relations) {
        others += 1
      }
      return true
    }
    guard own > 0 else { return true }
    return others == 0 && relations.remove(from: metadata)
  }

  /// Whether a classification is one that `add` adds.
  private static func isPersonClassification(
    _ classes: AnalyticsEntry, in relations: AnalyticsRelations
  ) -> Bool {
    // No closure captures the names: Swift 6.2 crashes on the span of a captured InlineArray.
    let names = names
    return relations.has(classes, count: 2, first: names.span)
  }
}
