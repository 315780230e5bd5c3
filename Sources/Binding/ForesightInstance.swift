import CGStreamer
import Frames
import Synchronization

/// An element that keeps frames back.
final class ForesightInstance<E: ForesightFilter>: FilterInstance<E> {
  private let frames = HeldFrames()

  override var held: HeldFrames? { frames }

  override var lookahead: Int { E.lookahead(settings.withLock { $0 }) }

  override func configure(_ input: GstVideoInfo, _ output: GstVideoInfo) throws(ElementError) {
    try super.configure(input, output)
    frames.configure(input)
  }

  override func stopElement() {
    frames.drop()
    super.stopElement()
  }

  override func foresee(_ buffer: Buffer, _ segment: Segment) throws(ElementError) {
    try element.foresee(
      FrameHeader(buffer: buffer, segment: segment), settings.withLock { $0 })
  }

  override func release() {
    dropPlan()
    element.release(settings.withLock { $0 })
  }
}
