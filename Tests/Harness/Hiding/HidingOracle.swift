package import CGStreamer
package import Support
import Synchronization

/// Watches what goes into a `facehide` and what comes out: wherever the metadata of a frame called
/// something a face, nothing of what was there may be seen.
///
/// The element keeps it for as long as it lives. Any thread.
package final class HidingOracle: Sendable {
  /// What is done to frames before the element gets them.
  package struct Treatment: Sendable {
    /// Gives frames numbers; without it they have those that the caller put into their `offset`.
    package var numbers = true
    /// Paints noise where faces are or may be: a steep gradient outlives small blocks, noise does not.
    package var paints = true
    /// Puts metadata on some frames.
    package var claim: (@Sendable (UnsafeMutablePointer<GstBuffer>, inout SplitMix) -> Void)?
    /// Whether properties change on the thread of the stream alone: then what `when-unknown` says of a
    /// frame that leaves is known.
    package var isAlone = false

    package init() {}
  }

  /// What came of all frames so far.
  package struct Account: Sendable {
    /// Frames with a claim that came out, and windows of them that were looked at.
    package var frames = 0, windows = 0
    /// Where something was seen first; nil where nothing was.
    package var fault: String?

    package init() {}
  }

  private struct Record: Sendable {
    let frame: FrameBytes
    let claims: ClaimedFaces
    /// Whether other metadata says that only a part of the frame is seen, which no caps said.
    let isCropped: Bool
  }

  private struct State {
    var records: [UInt64: Record] = [:]
    var next: UInt64 = 0
    var random: SplitMix
  }

  /// More frames than are kept back.
  private static let mostRecords: UInt64 = 128
  private static let largest: gsize = 1 << 20

  /// Of all oracles of this process.
  private static let total = Mutex(Account())

  private let state: Mutex<State>
  private let treatment: Treatment

  private init(_ treatment: Treatment, seed: UInt64) {
    self.treatment = treatment
    state = Mutex(State(random: SplitMix(seed)))
  }

  /// What came of all frames since this was asked last.
  package static func takeAccount() -> Account {
    total.withLock { total in
      defer { total = Account() }
      return total
    }
  }

  /// Watches `element`, where it is of this kind.
  package static func watch(
    _ element: UnsafeMutablePointer<GstElement>, _ treatment: Treatment, seed: UInt64,
    kind: String = "facehide"
  ) {
    guard let factory = gst_element_get_factory(element),
      name(of: factory).hasSuffix(kind)
    else { return }
    let oracle = HidingOracle(treatment, seed: seed)
    probe(element, "sink", oracle) { pad, info, user in
      let oracle = Unmanaged<HidingOracle>.fromOpaque(user!).takeUnretainedValue()
      guard let data = info?.pointee.data, let caps = HidingOracle.videoInfo(pad!) else {
        return GST_PAD_PROBE_OK
      }
      info?.pointee.data = UnsafeMutableRawPointer(
        oracle.take(data.assumingMemoryBound(to: GstBuffer.self), caps))
      return GST_PAD_PROBE_OK
    }
    probe(element, "src", oracle) { pad, info, user in
      let oracle = Unmanaged<HidingOracle>.fromOpaque(user!).takeUnretainedValue()
      if let data = info?.pointee.data {
        oracle.check(data.assumingMemoryBound(to: GstBuffer.self), at: pad!)
      }
      return GST_PAD_PROBE_OK
    }
  }

  private static func probe(
    _ element: UnsafeMutablePointer<GstElement>, _ name: String, _ oracle: HidingOracle,
    _ callback: GstPadProbeCallback
  ) {
    guard let pad = gst_element_get_static_pad(element, name) else { return }
    gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_BUFFER, callback,
      Unmanaged.passRetained(oracle).toOpaque(),  // released with the probe
      { Unmanaged<HidingOracle>.fromOpaque($0!).release() })
    gst_object_unref(pad)
  }

  private static func name(of factory: OpaquePointer) -> String {
    let object = UnsafeMutableRawPointer(factory).assumingMemoryBound(to: GstObject.self)
    guard let name = gst_object_get_name(object) else { return "" }
    defer { g_free(name) }
    return String(cString: name)
  }

  /// What the caps of a pad say; nil without caps.
  private static func videoInfo(_ pad: UnsafeMutablePointer<GstPad>) -> GstVideoInfo? {
    guard let caps = gst_pad_get_current_caps(pad) else { return nil }
    defer { gst_caps_unref(caps) }
    var info = GstVideoInfo()
    return gst_video_info_from_caps(&info, caps) != 0 ? info : nil
  }

  // MARK: Frames

  /// Treats a frame that comes; returns it, or a copy in its place.
  private func take(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ info: GstVideoInfo
  ) -> UnsafeMutablePointer<GstBuffer> {
    var buffer = buffer
    let (next, seed) = state.withLock { state in
      state.next += 1
      return (state.next, state.random.next())
    }
    var random = SplitMix(seed)
    if treatment.numbers || treatment.paints || treatment.claim != nil {
      buffer = UnsafeMutableRawPointer(
        gst_mini_object_make_writable(
          UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self))!
      ).assumingMemoryBound(to: GstBuffer.self)
    }
    treatment.claim?(buffer, &random)
    if treatment.numbers { buffer.pointee.offset = guint64(next) }
    guard gst_buffer_get_size(buffer) <= Self.largest, var frame = FrameBytes(buffer, info) else {
      return buffer
    }
    let claims = ClaimedFaces(buffer, width: frame.width, height: frame.height)
    let isCropped = Self.isCropped(buffer, width: frame.width, height: frame.height)
    let isWhole = claims.isAnywhere || !claims.isKnown || isCropped
    if treatment.paints, isWhole || !claims.places.isEmpty {
      if isWhole { frame.paint(0, 0, frame.width, frame.height) }
      for place in claims.places.prefix(16) where !isWhole {
        let (left, top, right, bottom) = place.bounds
        frame.paint(left, top, right, bottom)
      }
      let size = gsize(frame.bytes.count)
      let copied = frame.bytes.withUnsafeBytes { gst_buffer_fill(buffer, 0, $0.baseAddress, size) }
      guard copied == size else { return buffer }
    }
    let number = UInt64(buffer.pointee.offset)
    let record = Record(frame: frame, claims: claims, isCropped: isCropped)
    state.withLock { state in
      state.records[number] = record
      if state.records.count > Self.mostRecords {
        state.records = state.records.filter { $0.key &+ Self.mostRecords > number }
      }
    }
    return buffer
  }

  private static func isCropped(
    _ buffer: UnsafeMutablePointer<GstBuffer>, width: Int, height: Int
  ) -> Bool {
    guard let meta = gst_buffer_get_meta(buffer, gst_video_crop_meta_api_get_type()) else {
      return false
    }
    let crop = UnsafeMutableRawPointer(meta).assumingMemoryBound(to: GstVideoCropMeta.self).pointee
    return crop.x != 0 || crop.y != 0 || Int(crop.width) != width || Int(crop.height) != height
  }

  private func check(
    _ buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>
  ) {
    let number = UInt64(buffer.pointee.offset)
    guard let record = state.withLock({ $0.records.removeValue(forKey: number) }) else { return }
    let reason: String? =
      if record.claims.isAnywhere {
        "a face may be anywhere"
      } else if record.isCropped, !record.claims.places.isEmpty {
        "it is cropped"
      } else if treatment.isAlone, !record.claims.isKnown, hidesUnknown(pad) {
        "nothing says whether there are faces"
      } else {
        nil
      }
    let isWhole = reason != nil
    guard isWhole || !record.claims.places.isEmpty, let after = record.frame.after(buffer) else {
      return
    }
    var windows = 0
    let seen = after.visible(
      record.frame, within: isWhole ? nil : record.claims.places, windows: &windows)
    Self.total.withLock { total in
      total.frames += 1
      total.windows += windows
      if let seen, total.fault == nil {
        total.fault =
          "facehide shows a face: frame \(number), \(reason.map { $0 + ", " } ?? "")\(seen)"
      }
    }
  }

  private func hidesUnknown(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
    guard let element = gst_pad_get_parent_element(pad) else { return false }
    defer { gst_object_unref(element) }
    var value = GValue()
    g_object_get_property(
      UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), "when-unknown", &value
    )
    defer { g_value_unset(&value) }
    // The first of its choices, which is "hide".
    return g_value_get_enum(&value) == 0
  }
}
