package import CGStreamer
package import Support
import Synchronization

/// A test oracle for `facehide`: compares each frame before and behind it, and reports a frame in which
/// pixels under a face of the metadata are still visible.
///
/// Pad probes own it, as long as the element lives. Safe on any thread.
package final class HidingOracle: Sendable {
  /// How frames are changed before they reach the element, and what is known about its settings.
  package struct Options: Sendable {
    /// Numbers frames in `offset`; without it the caller has done so.
    package var numbersFrames = true
    /// Paints noise where faces are or may be: a steep gradient survives small blocks, noise does not.
    package var paintsNoise = true
    /// Attaches face metadata to some frames.
    package var addMetadata: (@Sendable (UnsafeMutablePointer<GstBuffer>, inout SplitMix) -> Void)?
    /// Whether properties are set on the streaming thread only, so that the value of `when-unknown`
    /// that applies to an output frame is known.
    package var setsPropertiesOnStreamingThread = false

    package init() {}
  }

  /// Results of all frames so far.
  package struct Summary: Sendable {
    /// Output frames that had faces to hide, and the windows of them that were compared.
    package var frames = 0, windows = 0
    /// The first visible face, described; nil for none.
    package var failure: String?

    package init() {}
  }

  private struct Record: Sendable {
    let frame: FrameBytes
    let claims: ClaimedFaces
    /// Whether GstVideoCropMeta restricts the visible part of the frame.
    let isCropped: Bool
  }

  private struct State {
    var records: [UInt64: Record] = [:]
    var next: UInt64 = 0
    var random: SplitMix
  }

  /// More frames than the element's lookahead holds.
  private static let maximumRecords: UInt64 = 128
  private static let maximumBytes: gsize = 1 << 20

  /// The results of all oracles of this process.
  private static let total = Mutex(Summary())

  private let state: Mutex<State>
  private let options: Options

  private init(_ options: Options, seed: UInt64) {
    self.options = options
    state = Mutex(State(random: SplitMix(seed)))
  }

  /// The results since the last call; resets them.
  package static func takeSummary() -> Summary {
    total.withLock { total in
      defer { total = Summary() }
      return total
    }
  }

  /// Attaches an oracle to `element` if its factory's name ends in `kind`.
  package static func watch(
    _ element: UnsafeMutablePointer<GstElement>, _ options: Options, seed: UInt64,
    kind: String = "facehide"
  ) {
    guard let factory = gst_element_get_factory(element),
      name(of: factory).hasSuffix(kind)
    else { return }
    let oracle = HidingOracle(options, seed: seed)
    addBufferProbe(element, "sink", oracle) { pad, info, user in
      let oracle = Unmanaged<HidingOracle>.fromOpaque(user!).takeUnretainedValue()
      guard let data = info?.pointee.data, let caps = HidingOracle.videoInfo(pad!) else {
        return GST_PAD_PROBE_OK
      }
      info?.pointee.data = UnsafeMutableRawPointer(
        oracle.recordInput(data.assumingMemoryBound(to: GstBuffer.self), caps))
      return GST_PAD_PROBE_OK
    }
    addBufferProbe(element, "src", oracle) { pad, info, user in
      let oracle = Unmanaged<HidingOracle>.fromOpaque(user!).takeUnretainedValue()
      if let data = info?.pointee.data {
        oracle.checkOutput(data.assumingMemoryBound(to: GstBuffer.self), at: pad!)
      }
      return GST_PAD_PROBE_OK
    }
  }

  private static func addBufferProbe(
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

  /// The video info of a pad's current caps; nil without caps.
  private static func videoInfo(_ pad: UnsafeMutablePointer<GstPad>) -> GstVideoInfo? {
    guard let caps = gst_pad_get_current_caps(pad) else { return nil }
    defer { gst_caps_unref(caps) }
    var info = GstVideoInfo()
    return gst_video_info_from_caps(&info, caps) != 0 ? info : nil
  }

  // MARK: Frames

  /// Prepares and records an input frame; returns it, or a writable copy.
  private func recordInput(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ info: GstVideoInfo
  ) -> UnsafeMutablePointer<GstBuffer> {
    var buffer = buffer
    let (next, seed) = state.withLock { state in
      state.next += 1
      return (state.next, state.random.next())
    }
    var random = SplitMix(seed)
    if options.numbersFrames || options.paintsNoise || options.addMetadata != nil {
      buffer = UnsafeMutableRawPointer(
        gst_mini_object_make_writable(
          UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self))!
      ).assumingMemoryBound(to: GstBuffer.self)
    }
    options.addMetadata?(buffer, &random)
    if options.numbersFrames { buffer.pointee.offset = guint64(next) }
    guard gst_buffer_get_size(buffer) <= Self.maximumBytes, var frame = FrameBytes(buffer, info)
    else {
      return buffer
    }
    let claims = ClaimedFaces(buffer, width: frame.width, height: frame.height)
    let isCropped = Self.isCropped(buffer, width: frame.width, height: frame.height)
    let isWhole = claims.mayBeAnywhere || !claims.hasFaceMetadata || isCropped
    if options.paintsNoise, isWhole || !claims.ellipses.isEmpty {
      if isWhole { frame.paintNoise(0, 0, frame.width, frame.height) }
      for ellipse in claims.ellipses.prefix(16) where !isWhole {
        let (left, top, right, bottom) = ellipse.bounds
        frame.paintNoise(left, top, right, bottom)
      }
      let size = gsize(frame.bytes.count)
      let copied = frame.bytes.withUnsafeBytes { gst_buffer_fill(buffer, 0, $0.baseAddress, size) }
      guard copied == size else { return buffer }
    }
    let number = UInt64(buffer.pointee.offset)
    let record = Record(frame: frame, claims: claims, isCropped: isCropped)
    state.withLock { state in
      state.records[number] = record
      if state.records.count > Self.maximumRecords {
        state.records = state.records.filter { $0.key &+ Self.maximumRecords > number }
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

  private func checkOutput(
    _ buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>
  ) {
    let number = UInt64(buffer.pointee.offset)
    guard let record = state.withLock({ $0.records.removeValue(forKey: number) }) else { return }
    let reason: String? =
      if record.claims.mayBeAnywhere {
        "a face may be anywhere"
      } else if record.isCropped, !record.claims.ellipses.isEmpty {
        "it is cropped"
      } else if options.setsPropertiesOnStreamingThread, !record.claims.hasFaceMetadata,
        hidesUnknown(pad)
      {
        "nothing says whether there are faces"
      } else {
        nil
      }
    let isWhole = reason != nil
    guard isWhole || !record.claims.ellipses.isEmpty, let after = record.frame.outputFrame(buffer)
    else {
      return
    }
    var windows = 0
    let seen = after.firstVisibleWindow(
      record.frame, within: isWhole ? nil : record.claims.ellipses, windows: &windows)
    Self.total.withLock { total in
      total.frames += 1
      total.windows += windows
      if let seen, total.failure == nil {
        total.failure =
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
    // The first value of the enum is "hide".
    return g_value_get_enum(&value) == 0
  }
}
