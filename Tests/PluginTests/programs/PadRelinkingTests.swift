import CGStreamer
import Client
import Support
import Synchronization
import Testing

/// `Pad.beforeNextBuffer`, with which programs and `mienlook` exchange elements.
@Suite(.timeLimit(.minutes(2))) struct PadRelinkingTests {
  private static func isAtEnd(_ pipeline: Element) -> Bool {
    while let message = pipeline.nextMessage(milliseconds: 20_000) {
      if case .endOfStream = message { return true }
    }
    return false
  }

  /// Exchanges the element between two others, again at each start of a stream that a new one gets.
  ///
  /// On the streaming thread alone.
  private final class Exchange: @unchecked Sendable {
    let (pipeline, head, tail): (Element, Element, Element)
    private var between: Element
    private(set) var count = 0
    private var countAtFrame = 0
    /// Exchanged elements live until the pipeline has ended.
    private var old: [Element] = []

    init(_ pipeline: Element) throws {
      self.pipeline = pipeline
      (head, between, tail) = try (
        #require(pipeline["head"]), #require(pipeline["between"]), #require(pipeline["tail"])
      )
    }

    func nextFrame() {
      countAtFrame = count
      request()
    }

    func request() {
      guard count < countAtFrame + 4 else { return }
      head.pad("src")?.beforeNextBuffer { [self] in
        replace()
        return true
      }
    }

    private func replace() {
      guard let new = Element(factory: "identity") else { return }
      count += 1
      new.pad("sink")?.addProbe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { [weak self] _, info in
        if let event = info.event, cgst_event_type(event) == GST_EVENT_STREAM_START {
          self?.request()
        }
        return GST_PAD_PROBE_OK
      }
      pipeline.add(new)
      head.unlink(between)
      between.unlink(tail)
      head.link(new)
      new.link(tail)
      old.append(between)
      between = new
    }
  }

  /// GStreamer warns, which ends this program, where frames come before the start of a stream.
  @Test func elementsMayBeExchangedBetweenTheEventsThatANewOneGets() throws {
    gst_init(nil, nil)
    let pipeline = try Element(
      launch: "videotestsrc num-buffers=12 ! video/x-raw,width=64,height=48"
        + " ! identity name=head ! identity name=between ! identity name=tail ! fakesink")
    defer { pipeline.setState(GST_STATE_NULL) }
    let exchange = try Exchange(pipeline)
    let frames = Atomic(0)
    exchange.tail.pad("src")?.onBuffer { _ in
      frames.add(1, ordering: .relaxed)
      exchange.nextFrame()
    }
    pipeline.setState(GST_STATE_PLAYING)
    #expect(Self.isAtEnd(pipeline))
    #expect(frames.load(ordering: .relaxed) == 12)
    #expect(exchange.count > 20)
  }

  @Test func aBodyIsCalledAtOnceOnAnIdlePadAndBeforeEachBufferWhileItReturnsFalse() throws {
    gst_init(nil, nil)
    let pipeline = try Element(launch: "videotestsrc num-buffers=9 ! identity name=head ! fakesink")
    defer { pipeline.setState(GST_STATE_NULL) }
    let calls = Atomic(0)
    try #require(pipeline["head"]?.pad("src")).beforeNextBuffer {
      calls.add(1, ordering: .relaxed).newValue == 4
    }
    #expect(calls.load(ordering: .relaxed) == 1)
    pipeline.setState(GST_STATE_PLAYING)
    #expect(Self.isAtEnd(pipeline))
    #expect(calls.load(ordering: .relaxed) == 4)
  }
}
