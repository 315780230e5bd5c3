import CGStreamer
import Synchronization

/// Replaces an element of a playing pipeline as GStreamer's manual describes: in an idle probe on the
/// upstream pad.
///
/// One replacement at a time; safe on any thread.
final class ElementReplacement: Sendable {
  private let isBusy = Atomic(false)

  /// A pending replacement, owned by its probe.
  private final class Pending {
    let old: UnsafeMutablePointer<GstElement>
    let bin: UnsafeMutablePointer<GstBin>
    let kind: String
    let owner: ElementReplacement

    init(
      _ old: UnsafeMutablePointer<GstElement>, _ bin: UnsafeMutablePointer<GstBin>, _ kind: String,
      _ owner: ElementReplacement
    ) {
      gst_object_ref(old)
      gst_object_ref(bin)
      (self.old, self.bin, self.kind, self.owner) = (old, bin, kind, owner)
    }

    deinit {
      gst_object_unref(old)
      gst_object_unref(bin)
      owner.isBusy.store(false, ordering: .sequentiallyConsistent)
    }

    /// Replaces the element; `before` is the upstream pad.
    func perform(_ before: UnsafeMutablePointer<GstPad>) {
      guard let new = gst_element_factory_make(kind, nil),
        let input = gst_element_get_static_pad(old, "sink"),
        let output = gst_element_get_static_pad(old, "src")
      else { return }
      defer {
        gst_object_unref(input)
        gst_object_unref(output)
      }
      guard let after = gst_pad_get_peer(output) else { return }
      defer { gst_object_unref(after) }
      let name = gst_object_get_name(
        UnsafeMutableRawPointer(old).assumingMemoryBound(to: GstObject.self))
      defer { g_free(name) }
      gst_pad_unlink(before, input)
      gst_pad_unlink(output, after)
      gst_bin_remove(bin, old)
      gst_element_set_state(old, GST_STATE_NULL)
      gst_object_set_name(
        UnsafeMutableRawPointer(new).assumingMemoryBound(to: GstObject.self), name)
      StressPipeline.attachHidingOracle(to: new, seed: UInt64(UInt(bitPattern: new)))
      gst_bin_add(bin, new)
      link(before, new, "sink")
      link(new, "src", after)
      gst_element_sync_state_with_parent(new)
    }

    private func link(
      _ pad: UnsafeMutablePointer<GstPad>, _ element: UnsafeMutablePointer<GstElement>,
      _ name: String
    ) {
      guard let other = gst_element_get_static_pad(element, name) else { return }
      gst_pad_link_full(pad, other, GST_PAD_LINK_CHECK_NOTHING)
      gst_object_unref(other)
    }

    private func link(
      _ element: UnsafeMutablePointer<GstElement>, _ name: String,
      _ pad: UnsafeMutablePointer<GstPad>
    ) {
      guard let other = gst_element_get_static_pad(element, name) else { return }
      gst_pad_link_full(other, pad, GST_PAD_LINK_CHECK_NOTHING)
      gst_object_unref(other)
    }
  }

  /// Replaces `element` by one of `kind`; gives up after 20 ms if a buffer blocks the pad.
  func replace(
    _ element: UnsafeMutablePointer<GstElement>, in pipeline: UnsafeMutablePointer<GstElement>,
    for kind: String
  ) {
    guard let input = gst_element_get_static_pad(element, "sink") else { return }
    defer { gst_object_unref(input) }
    guard let before = gst_pad_get_peer(input) else { return }
    defer { gst_object_unref(before) }
    guard !isBusy.exchange(true, ordering: .sequentiallyConsistent) else { return }
    let bin = UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self)
    let pending = Pending(element, bin, kind, self)
    let probe = gst_pad_add_probe(
      before, GST_PAD_PROBE_TYPE_IDLE,
      { pad, _, user in
        Unmanaged<Pending>.fromOpaque(user!).takeUnretainedValue().perform(pad!)
        return GST_PAD_PROBE_REMOVE
      }, Unmanaged.passRetained(pending).toOpaque(),  // released with the probe
      { Unmanaged<Pending>.fromOpaque($0!).release() })
    // 0 if the pad was idle and the callback has run.
    guard probe != 0 else { return }
    for _ in 0..<10 where isBusy.load(ordering: .sequentiallyConsistent) { g_usleep(2000) }
    if isBusy.load(ordering: .sequentiallyConsistent) { gst_pad_remove_probe(before, probe) }
  }
}
