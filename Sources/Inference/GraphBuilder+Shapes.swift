import CXNNPACK

/// Operators that move values to another place or shape.
extension GraphBuilder {
  func pad(_ step: Step) throws(ModelError) {
    let inputs = try step.inputs(2)
    let shape = model.tensors[inputs[0]].shape
    let paddings = try constants.integers(inputs[1])
    guard model.tensors[inputs[1]].shape == [shape.count, 2] else {
      throw ModelError("paddings of shape \(model.tensors[inputs[1]].shape) do not fit \(shape)")
    }
    var before: [Int] = []
    var after: [Int] = []
    var result: [Int] = []
    for (axis, size) in shape.enumerated() {
      let first = paddings[axis * 2]
      let last = paddings[axis * 2 + 1]
      guard first >= 0, last >= 0 else { throw ModelError("has negative paddings \(paddings)") }
      before.append(first)
      after.append(last)
      result.append(size + first + last)
    }
    let input = try value(inputs[0])
    let output = try define(step.output, shape: result)
    try XNNPACK.check(
      unsafe xnn_define_static_constant_pad(handle, before, after, 0, input, output, 0),
      "xnn_define_static_constant_pad")
  }

  func reshape(_ step: Step, _ option: [Int]) throws(ModelError) {
    guard (1...2).contains(step.inputs.count), step.inputs.allSatisfy({ $0 >= 0 }) else {
      throw ModelError("has inputs \(step.inputs)")
    }
    // First, for it refuses tensors so large that their elements cannot be counted.
    let input = try value(step.inputs[0])
    let old = model.tensors[step.inputs[0]].shape
    var shape = step.inputs.count == 2 ? try constants.integers(step.inputs[1]) : option
    let count = old.reduce(1, *)
    // One dimension may be -1: it takes whatever is left.
    if let free = shape.firstIndex(of: -1) {
      shape[free] = 1
      guard let rest = Ceiling.elements(shape, limit: count), count % rest == 0 else {
        throw ModelError("\(old) cannot become \(shape)")
      }
      shape[free] = count / rest
    }
    guard Ceiling.elements(shape, limit: count) == count else {
      throw ModelError("\(old) cannot become \(shape)")
    }
    let output = try define(step.output, shape: shape)
    try XNNPACK.check(
      unsafe xnn_define_static_reshape(handle, shape.count, shape, input, output, 0),
      "xnn_define_static_reshape")
  }

  func resize(_ step: Step) throws(ModelError) {
    let inputs = try step.inputs(2)
    let map = try map(inputs[0])
    let size = try constants.integers(inputs[1])
    guard size.count == 2, size.allSatisfy({ (1...Ceiling.windowCells).contains($0) }) else {
      throw ModelError("has the size \(size)")
    }
    let input = try value(inputs[0])
    let output = try define(step.output, shape: [1, size[0], size[1], map.channels])
    // Four neighbours for every output pixel.
    try spend(
      outputs: size[0] * size[1] * map.channels, cells: 4, pixels: size[0] * size[1], channels: 1)
    try XNNPACK.check(
      unsafe xnn_define_static_resize_bilinear_2d(handle, size[0], size[1], input, output, 0),
      "xnn_define_static_resize_bilinear_2d")
  }

  func depthToSpace(_ step: Step, block: Int) throws(ModelError) {
    let inputs = try step.inputs(1)
    let map = try map(inputs[0])
    guard block >= 2, map.channels % (block * block) == 0 else {
      throw ModelError("a block of \(block) does not fit \(map.channels) channels")
    }
    let input = try value(inputs[0])
    let output = try define(
      step.output,
      shape: [1, map.height * block, map.width * block, map.channels / (block * block)])
    try XNNPACK.check(
      unsafe xnn_define_depth_to_space(handle, input, output, UInt32(block), 0),
      "xnn_define_depth_to_space")
  }
}
