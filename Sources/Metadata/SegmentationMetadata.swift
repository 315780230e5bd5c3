import Analytics
package import Frames
package import Pixels

/// The masks of a stream that are written as GstAnalytics segmentations; streaming thread only.
///
/// Readers hold a mask at least as long as its frame. Masks come from a pool, to which the last
/// reader gives each back. videoflip of GStreamer 1.28 never does, so the number in use is limited,
/// to more than the frames that wait in a queue or an encoder.
package final class SegmentationOutput {
  /// Masks in use at a time, at most; about 60 kB each.
  package static let maximumMasks = 300

  /// Whether the library is on this system and has segmentations; opens it.
  package static var isAvailable: Bool { AnalyticsLibrary.shared?.hasSegmentations ?? false }

  fileprivate var use = AnalyticsUse()
  fileprivate let masks = PicturePool(maximum: SegmentationOutput.maximumMasks)

  package init() {}

  /// Frees the masks that no reader holds; the next frame gets a new one.
  package func close() { masks.close() }
}

extension FrameHeader {
  /// Adds a mask of two regions, 0 for the background and 1 for people, that is stretched over a
  /// frame of `width` x `height` pixels; `draw` fills it, in GRAY8.
  ///
  /// False if no mask is left: `SegmentationOutput.maximumMasks` are in use.
  package func attachSegmentation(
    _ output: SegmentationOutput, _ choice: AnalyticsOutput.Choice, columns: Int, rows: Int,
    width: Int, height: Int, _ draw: (borrowing Picture) -> Void
  ) -> Bool {
    let metadata = metadata
    guard let library = output.use.library(choice), library.hasSegmentations,
      SegmentationMetadata.removeOwn(from: metadata)
    else { return true }
    guard let mask = output.masks.picture(width: columns, height: rows, draw) else { return false }
    SegmentationMetadata.add(mask, to: metadata, width: width, height: height, library)
    return true
  }
}

/// Where people are as a GstAnalytics segmentation, from 1.26 on: a mask of two regions, related
/// region by region to a classification that names them.
private enum SegmentationMetadata {
  /// What the regions are called, in the order of their numbers.
  private static let names: InlineArray<2, UInt32> = [quark("background"), quark("person")]

  /// Adds a mask that is stretched over a frame of this size.
  static func add(
    _ mask: consuming OwnedBuffer, to metadata: BufferMetadata, width: Int, height: Int,
    _ library: AnalyticsLibrary
  ) {
    let names = names
    let regions: InlineArray<2, UInt32> = [0, 1]
    // No level is known of a class as a whole, which GStreamer writes as -1.
    let levels: InlineArray<2, Float> = [-1, -1]
    guard let relations = AnalyticsRelations(on: metadata, entries: 2, library),
      let entry = relations.addSegmentation(
        mask, regions: regions.span, width: width, height: height),
      let classes = relations.addClasses(names.span, levels: levels.span)
    else { return }
    relations.relate(entry, .nToN, classes)
  }

  /// Removes the mask that an earlier `personkey` put on the buffer.
  ///
  /// Single entries cannot be removed: where other elements have added some all stay, and false says
  /// that none may be added.
  static func removeOwn(from metadata: BufferMetadata) -> Bool {
    guard let relations = AnalyticsRelations(of: metadata) else { return true }
    let (library, names) = (relations.library, names)
    func isOwn(_ classes: AnalyticsEntry) -> Bool {
      relations.has(classes, count: 2, first: names.span)
    }
    var (own, others) = (0, 0)
    relations.forEach { entry in
      let type = relations.type(of: entry)
      if type == library.segmentationType,
        relations.first(of: library.classesType, entry, .nToN).map(isOwn) == true
      {
        own += 1
      } else if type != library.classesType || !isOwn(entry) {
        others += 1
      }
      return true
    }
    guard own > 0 else { return true }
    return others == 0 && relations.remove(from: metadata)
  }
}
