/// Layers that treat numbers one by one.
extension EnginePlanner {
  func bend(_ layer: Layer, _ curve: Curve) throws(Declined) {
    if var own = open[layer.input], readers[layer.input] == 1, own.curve.isNone, !own.addsLast,
      curve.code != .logistic, own.block == (1, 1)
    {
      own.curve = curve
      (open[layer.input], open[layer.output]) = (nil, own)
      return
    }
    let view = try close(layer.input)
    guard view.isWhole, !view.isReshaped,
      curve.code != .slopes || view.isPlain && !isVector(view.map)
    else { throw Declined(reason: "its input is of another layout") }
    let to = try keep(maps[view.map].shape)
    add(layer, to, [view.map]) {
      PointwiseStep(
        input: $0.rows(view.map), operand: .none, isProduct: false, output: $0.rows(to),
        curve: curve)
    }
    views[layer.output]?.block = view.block
  }

  func combine(_ layer: Layer, _ limits: Activation, isProduct: Bool) throws(Declined) {
    let shape = try map(layer.output)
    var curve = Curve(limits)
    var tensors: [Int] = []
    for case .value(let tensor) in layer.inputs { tensors.append(tensor) }
    if !isProduct, tensors.count == 2 {
      // The later one, for the other is more likely to be of use elsewhere.
      for (own, other) in [(tensors[1], tensors[0]), (tensors[0], tensors[1])] where own != other {
        guard var sum = open[own], readers[own] == 1, sum.added == nil, sum.shape == shape,
          sum.block == (1, 1), !sum.isVector, !sum.isDepthwise, sum.curve.isNone || curve.isNone,
          plan.shapes[other] == shape.shape
        else { continue }
        let view = try close(other)
        guard view.top + view.bottom + view.left + view.right == 0, view.block == (1, 1),
          !view.isReshaped
        else { throw Declined(reason: "its input is of another layout") }
        sum.added = view
        sum.addsLast = !sum.curve.isNone
        if sum.addsLast { curve = sum.curve }
        sum.curve = curve
        (open[own], open[layer.output]) = (nil, sum)
        return
      }
    }
    var views: [View] = []
    for tensor in tensors { views.append(try close(tensor)) }
    // The one that is as large as the result comes first.
    guard let main = views.first(where: { maps[$0.map].shape == shape && $0.isPlain }),
      !isVector(main.map)
    else { throw Declined(reason: "its inputs") }
    var operand = PointwiseStep.Operand.none
    var second: View?
    if tensors.count == 2 {
      let isFirst = views[0].map == main.map && views[0].isPlain
      let other = isFirst ? views[1] : views[0]
      second = other
      let own = maps[other.map].shape
      guard other.top + other.bottom + other.left + other.right == 0, other.block == (1, 1),
        !other.isReshaped, !isProduct || other.channels == 0,
        own.channels + other.channels == shape.channels
      else { throw Declined(reason: "its inputs") }
      guard
        isVector(other.map) && other.channels == 0
          || (own.height, own.width) == (shape.height, shape.width)
      else { throw Declined(reason: "its inputs") }
    } else {
      for case .constant(let constant) in layer.inputs {
        let numbers = Numbers(constant.buffer)
        guard
          numbers.count == 1
            || numbers.count == shape.channels && constant.shape.last == numbers.count
        else { throw Declined(reason: "its constant") }
        operand = .constant(
          (0..<shape.channels).map { numbers[numbers.count == 1 ? 0 : $0] })
      }
    }
    let to = try keep(shape)
    add(layer, to, [main.map] + (second.map { [$0.map] } ?? [])) { [curve] planner in
      if let second {
        let rows = planner.rows(second.map)
        operand = rows.isVector ? .vector(rows) : .map(rows)
      }
      return PointwiseStep(
        input: planner.rows(main.map), operand: operand, isProduct: isProduct,
        output: planner.rows(to), curve: curve)
    }
  }
}
