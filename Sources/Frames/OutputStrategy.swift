package import Pixels

/// How output frames are made if the output has another format than the input.
package enum OutputStrategy {
  /// The output has the input's planes, in this order, and a memory with an alpha plane is added.
  case appendAlpha(PlaneOrder)
  /// The output has the same bytes as the input, for example RGBx and RGBA.
  case relabel
  /// The output is a new frame.
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

  package var allocatesFrames: Bool { if case .newFrame = self { true } else { false } }
}

/// For each plane of one format, its index in another format with the same planes.
package typealias PlaneOrder = InlineArray<4, Int>

/// The order of the input's planes in the output, for example Cr before Cb in YV12.
///
/// Nil if the components are packed differently.
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
