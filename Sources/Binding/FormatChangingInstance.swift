import CGStreamer
import Frames
import Pixels
import Synchronization

/// An element whose output may have another format than its input.
final class FormatChangingInstance<E: FormatChangingFilter>: ElementInstance<E> {
  /// The plan of the current frame.
  private var plan: E.Plan?
  private var output: (info: GstVideoInfo, format: VideoFormat)?
  /// Whether the current output frame shares memory with the input.
  private var sharesMemory = false
  let frames = SharedFrames()

  override func setProperty(_ index: Int, _ value: UnsafePointer<GValue>) {
    // Under one lock, so that no change of another thread is missed.
    let isOther = settings.withLock { settings in
      let before = E.changesFormat(settings)
      properties[index].write(&settings, value)
      return E.changesFormat(settings) != before
    }
    if isOther { host.renegotiate() }
  }

  override func formatsAcross(from side: GstPadDirection) -> ((PixelFormat) -> [PixelFormat])? {
    let changesFormat = settings.withLock { E.changesFormat($0) }
    let taken = E.description.formats
    func output(_ format: PixelFormat) -> PixelFormat? {
      guard taken.contains(format) else { return nil }
      return changesFormat ? E.outputFormat(for: format) : format
    }
    if side == GST_PAD_SINK { return { output($0).map { [$0] } ?? [] } }
    return { format in PixelFormat.allCases.filter { output($0) == format } }
  }

  override var keepsMemories: Bool { didSet { chooseOutputStrategy() } }

  override func configure(_ input: GstVideoInfo, _ output: GstVideoInfo) throws(ElementError) {
    try super.configure(input, output)
    self.output = VideoFormat(output).map { (output, $0) }
    chooseOutputStrategy()
  }

  override func configure(_ format: VideoFormat, output: VideoFormat) throws(ElementError) {
    try element.configure(format, output: output.format)
  }

  override func stopElement() {
    plan = nil
    output = nil
    outputStrategy = nil
    frames.freeSpares()
    super.stopElement()
  }

  /// Chooses how output frames are made; called once per format.
  private func chooseOutputStrategy() {
    frames.freeSpares()
    guard let from = input?.format.format, let to = output?.format.format, from != to else {
      outputStrategy = nil
      return
    }
    outputStrategy = OutputStrategy(from: from, to: to, keepsMemories: keepsMemories)
  }

  override func prepare(_ buffer: Buffer, _ segment: Segment) throws(ElementError) -> Buffer? {
    plan = nil
    plan = try element.prepare(FrameHeader(buffer: buffer, segment: segment), current)
    guard let input, let output, let outputStrategy else { return try makeWritable(buffer) }
    try VisiblePixels.requireProcessedPixels(buffer, input.info)
    let reused: Buffer? =
      switch outputStrategy {
      case .newFrame: nil
      case .relabel: frames.relabel(buffer, as: output.info)
      case .appendAlpha(let order):
        frames.appendAlpha(to: buffer, input.info, output.info, planes: order)
      }
    sharesMemory = reused != nil
    return reused
  }

  override func process(_ buffer: Buffer, _ segment: Segment) throws(ElementError) {
    guard let plan else { return }
    try withMappedFrame(buffer, segment, writable: true) { (frame) throws(ElementError) in
      try element.process(frame, into: frame.picture, plan)
    }
    element.attachMetadata(to: FrameHeader(buffer: buffer, segment: segment))
  }

  override func fill(
    _ buffer: Buffer, from source: Buffer, _ segment: Segment
  ) throws(ElementError) {
    guard let plan, let input, let output else { return }
    let target = try MappedFrame(buffer, output.info, writable: true)
    let picture = try target.picture(output.format)
    if sharesMemory {
      // The input is the output without its alpha plane.
      var order: PlaneOrder = [0, 1, 2, 3]
      if case .appendAlpha(let found) = outputStrategy { order = found }
      let frame = Frame(
        header: FrameHeader(buffer: buffer, segment: segment),
        picture: picture.reinterpreted(as: input.format, order))
      try element.process(frame, into: picture, plan)
    } else {
      // Not by `withMappedFrame`: a closure would move the picture to the heap.
      let mapped = try MappedFrame(source, input.info, writable: false)
      let frame = Frame(
        header: FrameHeader(buffer: source, segment: segment),
        picture: try mapped.picture(input.format))
      try element.process(frame, into: picture, plan)
      extendLifetime(mapped)
    }
    extendLifetime(target)
    element.attachMetadata(to: FrameHeader(buffer: buffer, segment: segment))
  }
}

extension Picture {
  /// A picture of `format` on the same memory; its plane i is plane `order[i]` of this picture.
  fileprivate borrowing func reinterpreted(as format: VideoFormat, _ order: PlaneOrder) -> Picture {
    var planes = InlineArray<4, Plane?>(repeating: nil)
    for index in 0..<format.format.layout.planeCount { planes[order[index]] = plane(index) }
    return Picture(format, planes: planes)
  }
}
