import CGStreamer
import Frames
import Synchronization

/// An element that delays frames.
final class LookaheadInstance<E: LookaheadFilter>: FilterInstance<E> {
  private let frames = LookaheadQueue()

  override var queue: LookaheadQueue? { frames }

  override var lookahead: Int { E.lookahead(settings.withLock { $0 }) }

  override func configure(_ input: GstVideoInfo, _ output: GstVideoInfo) throws(ElementError) {
    try super.configure(input, output)
    frames.configure(input)
  }

  override func stopElement() {
    frames.clear()
    super.stopElement()
  }

  override func enqueue(_ buffer: Buffer, _ segment: Segment) throws(ElementError) {
    try element.enqueue(
      FrameHeader(buffer: buffer, segment: segment), settings.withLock { $0 })
  }

  override func dequeue() {
    dropPlan()
    element.dequeue(settings.withLock { $0 })
  }
}
