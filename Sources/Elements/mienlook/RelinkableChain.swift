import Binding
import CGStreamer
import Client
import Synchronization

/// The elements in a bin between its two pads, which can be exchanged while frames pass.
///
/// A valve, which is open, stands at either end, with the ghost pads. The elements between them are exchanged while no
/// frame is between them, and while no event passes that does not queue behind frames (seeks, flushes,
/// QoS): an event that met a gap in the chain would be lost, and half a flush stops a stream for ever.
///
/// For any thread.
final class RelinkableChain: @unchecked Sendable {
  private let host: ElementHost
  private let head: Element
  private let tail: Element
  /// Recursive, since a pad that is linked sends events.
  private let lock = RecursiveLock()
  /// The elements between the ends, in order.
  private var linked: [Element] = []
  /// Those that are to be there; nil where they are.
  private var requested: [Element]?
  /// The number of events that pass.
  private var passing = 0

  /// Nil where GStreamer has no valve.
  init?(_ host: ElementHost) {
    // Not identity, which computes a running time that some segments do not have.
    guard let head = Element(factory: "valve"), let tail = Element(factory: "valve") else {
      return nil
    }
    (self.host, self.head, self.tail) = (host, head, tail)
    for end in [head, tail] { gst_bin_add(bin, end.raw) }
    head.link(tail)
    addGhostPad("sink", head.pad("sink"))
    addGhostPad("src", tail.pad("src"))
  }

  private var bin: UnsafeMutablePointer<GstBin> {
    UnsafeMutableRawPointer(host.element).assumingMemoryBound(to: GstBin.self)
  }

  /// The first element's sink pad, where frames enter.
  var entry: Pad? { head.pad("sink") }

  private func addGhostPad(_ name: String, _ target: Pad?) {
    guard let target,
      let template = gst_element_get_pad_template(host.element, name),
      let pad = gst_ghost_pad_new_from_template(name, target.raw, template)
    else { return }
    pad.pointee.eventdata = Box.retained(WeakChain(self))
    pad.pointee.eventnotify = releaseBox
    pad.pointee.eventfunc = { pad, parent, event in
      guard let chain = Box<WeakChain>.content(pad!.pointee.eventdata).chain else {
        return gst_pad_event_default(pad, parent, event)
      }
      return chain.pass(event!) { gst_pad_event_default(pad, parent, event) }
    }
    gst_element_add_pad(host.element, pad)
  }

  // MARK: Events

  /// Lets an event pass; one that does not queue behind frames keeps the chain as it is meanwhile.
  private func pass(
    _ event: UnsafeMutablePointer<GstEvent>, _ forward: () -> gboolean
  ) -> gboolean {
    let type = cgst_event_type(event)
    let flags = gst_event_type_get_flags(type).rawValue
    let isQueued =
      flags & GST_EVENT_TYPE_SERIALIZED.rawValue != 0 && type != GST_EVENT_FLUSH_STOP
    guard !isQueued else { return forward() }
    lock.withLock { passing += 1 }
    defer {
      let isRelinkDue = lock.withLock {
        passing -= 1
        return passing == 0 && requested != nil
      }
      if isRelinkDue { relinkWhenIdle() }
    }
    return forward()
  }

  // MARK: Linking

  /// Links these elements of the bin before the next frame; removes the others from the bin then.
  func link(_ elements: [Element]) {
    lock.withLock { requested = elements }
    relinkWhenIdle()
  }

  private func relinkWhenIdle() {
    let calls = CallCount()
    // The probe runs at once where the pad is idle, else on the streaming thread after the frame; or on both
    // threads, where the pad becomes idle at that moment. GStreamer warns if a probe is removed twice.
    head.pad("src")?.addProbe(GST_PAD_PROBE_TYPE_IDLE) { [weak self] _, _ in
      self?.relink()
      return calls.isFirst ? GST_PAD_PROBE_REMOVE : GST_PAD_PROBE_PASS
    }
  }

  private func relink() {
    let removed = lock.withLock { () -> [Element] in
      guard passing == 0, let wanted = requested else { return [] }
      requested = nil
      let (old, new) = ([head] + linked + [tail], [head] + wanted + [tail])
      let known = Set(zip(new, new.dropFirst()).map(Link.init))
      let gone = zip(old, old.dropFirst()).filter { !known.contains(Link($0)) }
      let kept = Set(zip(old, old.dropFirst()).map(Link.init))
      for (one, next) in gone { one.unlink(next) }
      for (one, next) in zip(new, new.dropFirst()) where !kept.contains(Link((one, next))) {
        one.link(next)
      }
      let left = linked.filter { old in !wanted.contains { $0.raw == old.raw } }
      linked = wanted
      return left
    }
    for element in removed {
      element.setState(GST_STATE_NULL)
      gst_bin_remove(bin, element.raw)
    }
  }

  /// Two elements of which one is linked to the other.
  private struct Link: Hashable {
    let from: UnsafeMutablePointer<GstElement>
    let to: UnsafeMutablePointer<GstElement>

    init(_ pair: (Element, Element)) { (from, to) = (pair.0.raw, pair.1.raw) }
  }
}

/// Counts the calls of a probe, for any thread.
private final class CallCount: Sendable {
  private let count = Atomic(0)

  /// Whether this is the first call.
  var isFirst: Bool { count.add(1, ordering: .relaxed).oldValue == 0 }
}

/// A pad outlives its bin where an application holds it.
private final class WeakChain: @unchecked Sendable {
  weak var chain: RelinkableChain?
  init(_ chain: RelinkableChain) { self.chain = chain }
}
