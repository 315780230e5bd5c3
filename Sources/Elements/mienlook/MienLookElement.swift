import Binding
import CGStreamer
import Client
import Effects
import Frames
import Pixels

/// All effects as one element: a bin that holds a face detector and the elements of its effects.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! mienlook sticker=hat person=blur ! videoconvert ! autovideosink
///
/// For applications that take one element as an effect, such as video editors. The elements are those of
/// `mien decorate` (`EffectChain`).
final class MienLookElement: BinElement {
  static let description = ElementDescription(
    name: "mienlook", typeName: "MienLook", longName: "Mien: all effects in one",
    classification: "Filter/Effect/Video",
    summary: "Finds faces and applies stickers, retouching, looks, keying and hiding",
    formats: PixelFormat.allCases)

  static let properties: [Property<MienLookSettings>] = [
    .path("sticker", \.sticker, "Pack that faces wear: its name or folder, or any picture."),
    .double(
      "retouch", \.retouch, in: 0...1,
      "Amount by which the skin of faces is smoothed and brightened; 0 leaves it alone."),
    .choice("reshape", \.reshape, "Change of the shape of faces, by a preset of facereshape."),
    .choice("look", \.look, "Colour look of the picture."),
    .path("cube", \.cube, "A .cube file (1D, 3D or both) that replaces the named look."),
    .path(
      "key", \.key,
      "Background in place of a green or other screen: a picture or film, one that comes with the plugin "
        + "as office, a colour as #20a0ff, or alpha for none. Empty keeps the screen."),
    .path(
      "person", \.person,
      "Background in place of the room behind people: a picture or film, one that comes with the plugin "
        + "as office, a colour as #20a0ff, blur, blur=5 (percent of the height), or alpha for none. "
        + "Empty keeps the room."),
    .choice("hide", \.hide, "How faces are made unrecognisable, by a mode of facehide."),
    .threads(\.threads),
  ]

  private static let log = Log("mienlook", "All effects in one")

  /// An element of the bin, as it was set up.
  private struct Child {
    let element: Element
    var setup: ElementSetup
    var threads: Int
  }

  private let host: ElementHost
  private let chain: RelinkableChain?
  /// Held while the elements are exchanged; recursive, since that may have an application set a property.
  private let lock = RecursiveLock()
  private var isStarted = false
  private var isBuilding = false
  /// Whether a property was set since the last exchange began.
  private var isStale = false
  private var children: [Child] = []

  init(host: ElementHost) {
    self.host = host
    chain = RelinkableChain(host)
    // A bin is not told of the time of frames, and its properties may have controllers.
    chain?.entry?.addRawProbe(GST_PAD_PROBE_TYPE_BUFFER) { pad, info in
      syncControllers(pad, info)
      return GST_PAD_PROBE_OK
    }
  }

  func start(_ settings: () -> MienLookSettings) throws(ElementError) {
    guard chain != nil else {
      throw ElementError(
        .failed, "GStreamer's element valve is missing. Install its core elements.")
    }
    try lock.withLock { () throws(ElementError) in
      (isBuilding, isStale) = (true, false)
      defer { isBuilding = false }
      do throws(EffectError) {
        _ = try build(settings(), isPlaying: false)
      } catch {
        throw ElementError(.settings, error.sentence)
      }
      isStarted = true
    }
  }

  func settingsChanged(_ settings: () -> MienLookSettings) {
    var problems: [String] = []
    lock.withLock {
      isStale = true
      guard isStarted, !isBuilding else { return }
      isBuilding = true
      defer { isBuilding = false }
      while isStale {
        isStale = false
        do throws(EffectError) {
          problems += try build(settings(), isPlaying: true)
        } catch {
          problems.append(error.sentence)
        }
      }
    }
    for problem in problems { host.warn(ElementError(.settings, problem)) }
  }

  func stop() {
    lock.withLock {
      isStarted = false
      chain?.stop()
    }
  }

  // MARK: The elements

  /// Makes, sets up and links the elements of the settings.
  ///
  /// Returns why elements are left out while it is playing, since they cannot be started.
  private func build(
    _ settings: MienLookSettings, isPlaying: Bool
  ) throws(EffectError) -> [String] {
    var built: [Child] = []
    var problems: [String] = []
    for setup in try settings.chain().elements {
      if let known = children.first(where: { setup.isReached(from: $0.setup) }) {
        if known.setup != setup { setup.setProperties(of: known.element, isFilm: true) }
        if known.threads != settings.threads { known.element.setThreads(settings.threads) }
        built.append(Child(element: known.element, setup: setup, threads: settings.threads))
        continue
      }
      guard let element = Element(factory: setup.factory) else {
        throw EffectError("GStreamer has no element \(setup.factory) here")
      }
      try setup.apply(to: element, threads: settings.threads, isFilm: true)
      if isPlaying, let problem = problem(starting: element) {
        problems.append(problem)
      } else {
        built.append(Child(element: element, setup: setup, threads: settings.threads))
      }
    }
    children = built
    chain?.link(built.map(\.element))
    return problems
  }

  /// Starts an element on its own, where an error does not end the application's pipeline; returns the
  /// error.
  private func problem(starting element: Element) -> String? {
    guard let raw = gst_pipeline_new(nil) else { return nil }
    let trial = Element(raw)
    defer { trial.setState(GST_STATE_NULL) }
    gst_bin_add(trial.cast(to: GstBin.self), element.raw)
    let isStarted = trial.setState(GST_STATE_PAUSED)
    defer { trial.remove(element) }
    guard !isStarted else { return nil }
    element.setState(GST_STATE_NULL)
    if case .error(let report)? = trial.nextMessage(milliseconds: 0) { return report.text }
    return "\(element.factoryName) cannot be started."
  }
}

extension EffectError {
  fileprivate var sentence: String { "An effect cannot be made: \(text)." }
}

/// Applies the controllers of the bin's properties at a frame's stream time.
private func syncControllers(
  _ pad: UnsafeMutablePointer<GstPad>, _ info: UnsafeMutablePointer<GstPadProbeInfo>
) {
  guard
    let valve = gst_object_get_parent(pad.withMemoryRebound(to: GstObject.self, capacity: 1) { $0 })
  else { return }
  defer { gst_object_unref(valve) }
  guard let bin = gst_object_get_parent(valve) else { return }
  defer { gst_object_unref(bin) }
  guard gst_object_has_active_control_bindings(bin) != 0, let buffer = info.buffer,
    let event = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0)
  else { return }
  defer { gst_mini_object_unref(cgst_mini_object(event)) }
  var segment: UnsafePointer<GstSegment>?
  gst_event_parse_segment(event, &segment)
  let time = gst_segment_to_stream_time(segment, GST_FORMAT_TIME, buffer.pointee.pts)
  if time != cgst_clock_time_none { gst_object_sync_values(bin, time) }
}
