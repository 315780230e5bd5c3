package import Pixels

/// How the frames of an element whose output has another format than its input are made.
package enum OutputStrategy {
  /// The output has the input's planes, in this order, and one more for alpha: a memory is added
  /// to the frame.
  case appendAlpha(PlaneOrder)
  /// The output is the same bytes under another name, as RGBx and RGBA.
  case relabel
  /// The output is a frame of its own.
  case newFrame

  package init(from input: PixelFormat, to output: PixelFormat, keepsMemories: Bool) {
    let (a, b) = (input.layout, output.layout)
    if a.planeCount == 1 && b.planeCount == 1 && a.components == Array(b.components.prefix(3))
      && a.components.first?.step == b.components.last?.step
    {
      self = .relabel
    } else if keepsMemories && a.planeCount + 1 == b.planeCount,
      let order = planeOrder(of: input, in: output)
    {
      self = .appendAlpha(order)
    } else {
      self = .newFrame
    }
  }

  package var makesFrames: Bool { if case .newFrame = self { true } else { false } }
}

/// For each plane of one format its number in another that has the same planes.
package typealias PlaneOrder = InlineArray<4, Int>

/// YV12 keeps Cr before Cb, and A420 is told where they are.
///
/// Nil when components are packed in another way.
private func planeOrder(of input: PixelFormat, in output: PixelFormat) -> PlaneOrder? {
  let (a, b) = (input.layout, output.layout)
  var order: PlaneOrder = [0, 1, 2, 3]
  for (from, to) in zip(a.components, b.components) {
    guard from.step == to.step, from.offset == to.offset, from.hShift == to.hShift,
      from.vShift == to.vShift, to.plane < a.planeCount
    else { return nil }
    order[to.plane] = from.plane
  }
  return order
}
