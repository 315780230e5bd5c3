import CGStreamer
import Client

/// A private pipeline that decodes a file.
///
/// Used and freed on one thread; freeing it waits for the decoder's threads.
final class OwnedPipeline {
  let element: Element

  /// Nil if an element of `description` is missing.
  init?(_ description: String) {
    guard let element = try? Element(launch: description) else { return nil }
    self.element = element
  }

  deinit { stop() }

  func play() -> Bool { element.setState(GST_STATE_PLAYING) }

  /// Ends all of its threads, however long a decoder takes for that.
  func stop() { element.setState(GST_STATE_NULL) }

  /// A pad of the element of a name; nil where there is none.
  func pad(_ name: String, _ pad: String) -> Pad? { element[name]?.pad(pad) }

  /// Whether the task of any pad is running.
  var hasRunningTask: Bool {
    var hasRunningTask = false
    forEachElement { element in
      Self.forEach(in: gst_element_iterate_pads(element)) {
        let pad = $0.assumingMemoryBound(to: GstPad.self)
        if gst_pad_get_task_state(pad) == GST_TASK_STARTED { hasRunningTask = true }
      }
    }
    return hasRunningTask
  }

  /// Whether any element was made by this factory.
  func contains(factory: String) -> Bool {
    var contains = false
    forEachElement { if Element($0).factoryName == factory { contains = true } }
    return contains
  }

  /// Calls `body` with each element, those in bins too.
  private func forEachElement(_ body: (UnsafeMutablePointer<GstElement>) -> Void) {
    Self.forEach(in: gst_bin_iterate_recurse(element.cast(to: GstBin.self))) {
      body($0.assumingMemoryBound(to: GstElement.self))
    }
  }

  /// Calls `body` with each object; again for all if the collection changes meanwhile.
  private static func forEach(
    in iterator: UnsafeMutablePointer<GstIterator>?, _ body: (UnsafeMutableRawPointer) -> Void
  ) {
    defer { gst_iterator_free(iterator) }
    var value = GValue()
    defer { g_value_unset(&value) }
    while true {
      switch gst_iterator_next(iterator, &value) {
      case GST_ITERATOR_OK: g_value_get_object(&value).map(body)
      case GST_ITERATOR_RESYNC: gst_iterator_resync(iterator)
      default: return
      }
      g_value_reset(&value)
    }
  }

  /// Ends a `nextMessage`; for any thread, as long as the pipeline lives.
  var wake: @Sendable () -> Void {
    nonisolated(unsafe) let raw = element.raw
    return {
      let structure = gst_structure_new_empty("mien-wake")
      gst_element_post_message(raw, gst_message_new_application(nil, structure))
    }
  }
}
