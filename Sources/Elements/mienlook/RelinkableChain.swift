import Binding
import CGStreamer
import Client

/// The elements in a bin between its two pads, which can be exchanged while frames pass.
///
/// A valve, which is open, stands at either end, with the ghost pads. The elements between them are exchanged while no
/// frame is between them, and while no event passes that does not queue behind frames (seeks, flushes,
/// QoS), nor a query: an event that met a gap in the chain would be lost, half a flush stops a stream for ever,
/// and a source that is told of no caps ends with "not-negotiated".
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
  /// The elements that were added to the bin and not removed.
  private var members: [Element] = []
  /// The queries, and the events that do not queue behind frames, between the ends.
  private var passing: [Passage] = []
  /// Whether a probe waits for the next frame to link what is requested.
  private var isProbePending = false

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
    endPassages(at: head.pad("sink"), GST_PAD_PROBE_TYPE_EVENT_UPSTREAM)
    endPassages(at: tail.pad("src"), GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM)
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
    pad.pointee.querydata = Box.retained(WeakChain(self))
    pad.pointee.querynotify = releaseBox
    pad.pointee.queryfunc = { pad, parent, query in
      guard let chain = Box<WeakChain>.content(pad!.pointee.querydata).chain else {
        return gst_pad_query_default(pad, parent, query)
      }
      return chain.pass(Passage(nil)) { gst_pad_query_default(pad, parent, query) }
    }
    gst_element_add_pad(host.element, pad)
  }

  // MARK: Events and queries

  /// An event or query that passes from one end to the other on its thread.
  private struct Passage: Equatable {
    let thread: UnsafeMutablePointer<GThread>?
    /// Nil for a query.
    let event: GstEventType?

    /// A passage on this thread.
    init(_ event: GstEventType?) { (thread, self.event) = (g_thread_self(), event) }
  }

  /// Lets an event pass.
  private func pass(
    _ event: UnsafeMutablePointer<GstEvent>, _ forward: () -> gboolean
  ) -> gboolean {
    let type = cgst_event_type(event)
    let flags = gst_event_type_get_flags(type).rawValue
    let isQueued =
      flags & GST_EVENT_TYPE_SERIALIZED.rawValue != 0 && type != GST_EVENT_FLUSH_STOP
    return isQueued ? forward() : pass(Passage(type), forward)
  }

  /// Keeps the chain as it is during `forward`, or until the event leaves it.
  private func pass(_ passage: Passage, _ forward: () -> gboolean) -> gboolean {
    lock.withLock { passing.append(passage) }
    defer { end(passage) }
    return forward()
  }

  /// Ends the passage of events at the pad by which they leave the chain.
  ///
  /// A seek returns only after its source has begun to push frames, which a change made before the seek applies
  /// to.
  private func endPassages(at pad: Pad?, _ direction: GstPadProbeType) {
    pad?.addRawProbe(direction, GST_PAD_PROBE_TYPE_EVENT_FLUSH) { [weak self] _, info in
      if let event = info.event { self?.end(Passage(cgst_event_type(event))) }
      return GST_PAD_PROBE_OK
    }
  }

  private func end(_ passage: Passage) {
    let isRelinkDue = lock.withLock {
      guard let index = passing.lastIndex(of: passage) else { return false }
      passing.remove(at: index)
      return passing.isEmpty && requested != nil
    }
    if isRelinkDue { relinkWhenIdle() }
  }

  // MARK: Linking

  /// Adds those of these elements that are new to the bin, and links them all before the next frame.
  ///
  /// Removes the others from the bin. Not for several threads at once.
  func link(_ elements: [Element]) {
    let new = lock.withLock { elements.filter { !members.contains($0) } }
    let bin = Element(host.element)
    for element in new { bin.add(element) }
    let unused = lock.withLock {
      requested = elements
      members += new
      // Replaced before they were linked.
      return takeMembers { !elements.contains($0) && !linked.contains($0) }
    }
    remove(unused)
    relinkWhenIdle()
  }

  /// Stops the elements: one that was added while the bin stopped may have missed that.
  func stop() {
    for element in lock.withLock({ members }) { element.setState(GST_STATE_READY) }
    // There may be no next frame.
    let isRelinkDue = lock.withLock {
      isProbePending = false
      return requested != nil
    }
    if isRelinkDue { relinkWhenIdle() }
  }

  /// Links what is requested at once where nothing passes the first element, else before its next frame.
  private func relinkWhenIdle() {
    let isPending = lock.withLock {
      defer { isProbePending = true }
      return isProbePending
    }
    if isPending { return }
    head.pad("src")?.beforeNextBuffer { [weak self] in
      self?.relink()
      return true
    }
  }

  private func relink() {
    let removed = lock.withLock { () -> [Element] in
      isProbePending = false
      guard passing.isEmpty, let wanted = requested else { return [] }
      requested = nil
      let (old, new) = ([head] + linked + [tail], [head] + wanted + [tail])
      let known = Set(zip(new, new.dropFirst()).map(Link.init))
      let gone = zip(old, old.dropFirst()).filter { !known.contains(Link($0)) }
      let kept = Set(zip(old, old.dropFirst()).map(Link.init))
      for (one, next) in gone { one.unlink(next) }
      for (one, next) in zip(new, new.dropFirst()) where !kept.contains(Link((one, next))) {
        one.link(next)
      }
      linked = wanted
      return takeMembers { !wanted.contains($0) }
    }
    remove(removed)
  }

  /// Takes the members that satisfy a condition; the lock is held.
  private func takeMembers(_ isTaken: (Element) -> Bool) -> [Element] {
    defer { members.removeAll(where: isTaken) }
    return members.filter(isTaken)
  }

  /// Stops elements and removes them from the bin.
  private func remove(_ elements: [Element]) {
    for element in elements {
      // A state change of the bin, on another thread, would start it again before it is removed.
      gst_element_set_locked_state(element.raw, 1)
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

/// A pad outlives its bin where an application holds it.
private final class WeakChain: @unchecked Sendable {
  weak var chain: RelinkableChain?
  init(_ chain: RelinkableChain) { self.chain = chain }
}

extension [Element] {
  /// Whether it has this GStreamer element.
  fileprivate func contains(_ element: Element) -> Bool { contains { $0.raw == element.raw } }
}
