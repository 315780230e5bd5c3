/// An operator's number in the TFLite schema, or the name of a custom one.
struct OperatorCode {
  var builtin: Int
  var custom: String

  /// MediaPipe's custom operator.
  static let transposeConvolution = "Convolution2DTransposeBias"

  /// Its name in the TFLite schema.
  var title: String {
    guard builtin == 32 else { return Self.titles[builtin] ?? "builtin operator \(builtin)" }
    return custom == Self.transposeConvolution ? custom : "custom operator '\(custom)'"
  }

  private static let titles = [
    0: "ADD", 1: "AVERAGE_POOL_2D", 2: "CONCATENATION", 3: "CONV_2D", 4: "DEPTHWISE_CONV_2D",
    5: "DEPTH_TO_SPACE", 6: "DEQUANTIZE", 9: "FULLY_CONNECTED", 14: "LOGISTIC", 17: "MAX_POOL_2D",
    18: "MUL", 19: "RELU", 22: "RESHAPE", 23: "RESIZE_BILINEAR", 34: "PAD", 40: "MEAN", 54: "PRELU",
    117: "HARD_SWISH", 124: "DENSIFY",
  ]
}

/// TensorFlow's padding schemes: `same` pads so that windows cover the whole input, `valid` does
/// not pad.
enum Padding {
  case same, valid
}

/// The range that an operator clamps its results to.
package struct FusedActivation: Equatable {
  package var minimum = -Float.infinity, maximum = Float.infinity

  func clamp(_ x: Float) -> Float { x < minimum ? minimum : x > maximum ? maximum : x }

  static let none = FusedActivation()

  /// The ranges by the numbers of the schema's ActivationFunctionType.
  static let all = [
    none, FusedActivation(minimum: 0), FusedActivation(minimum: -1, maximum: 1),
    FusedActivation(minimum: 0, maximum: 6),
  ]
}

/// The options of a convolution or pooling.
struct WindowOptions: Equatable {
  var padding: Padding
  var strideHeight, strideWidth: Int
  var activation = FusedActivation.none
  /// The window of a pooling; that of a convolution is its filter's.
  var height = 0, width = 0
}

/// An operator's kind and options.
enum OperatorKind: Equatable {
  case add(FusedActivation)
  case averagePool(WindowOptions)
  case concatenation(axis: Int)
  case convolution(WindowOptions)
  case depthwiseConvolution(WindowOptions)
  case depthToSpace(block: Int)
  case dequantize
  case fullyConnected(FusedActivation, keepsDimensions: Bool)
  case logistic
  case maxPool(WindowOptions)
  case multiply(FusedActivation)
  case relu
  case reshape([Int])
  case resizeBilinear
  case pad
  case mean(keepsDimensions: Bool)
  case prelu
  case hardSwish
  case densify
  case transposeConvolution(WindowOptions)
  /// Kept: an operator that no output needs may be of any kind.
  case unsupported

  /// Reads the options of the operator in `table`; the numbers are those of TFLite's schema.fbs.
  init(_ table: FlatTable, code: OperatorCode) throws(ModelError) {
    switch code.builtin {
    case 0: self = .add(try table.options(11).fusedActivation(0))
    case 1, 17:
      let options = try table.options(5)
      var window = try options.windowOptions(activationSlot: 5)
      window.height = try options.checkedSize(4, "filter_height")
      window.width = try options.checkedSize(3, "filter_width")
      self = code.builtin == 1 ? .averagePool(window) : .maxPool(window)
    case 2:
      let options = try table.options(10)
      guard try options.fusedActivation(1) == .none else {
        throw table.error("options", "fuse an activation into CONCATENATION, not supported")
      }
      self = .concatenation(axis: Int(try options.scalar(0, "axis", default: Int32(0))))
    case 3: self = .convolution(try Self.readConvolutionOptions(table.options(1), activation: 3))
    case 4:
      self = .depthwiseConvolution(try Self.readConvolutionOptions(table.options(2), activation: 4))
    case 5: self = .depthToSpace(block: try table.options(94).checkedSize(0, "block_size"))
    case 6: self = .dequantize
    case 9:
      let options = try table.options(8)
      guard try options.scalar(1, "weights_format", default: Int8(0)) == 0 else {
        throw table.error("options", "ask for shuffled weights, not supported")
      }
      self = .fullyConnected(
        try options.fusedActivation(0), keepsDimensions: try options.flag(2, "keep_num_dims"))
    case 14: self = .logistic
    case 18: self = .multiply(try table.options(21).fusedActivation(0))
    case 19: self = .relu
    case 22:
      let options = try table.options(ifPresent: 17)
      let shape = try options?.integers(0, "new_shape", limit: 8)
      self = .reshape(shape ?? [])
    case 23:
      let options = try table.options(15)
      let alignCorners = try options.flag(2, "align_corners")
      let halfPixelCentres = try options.flag(3, "half_pixel_centers")
      guard halfPixelCentres, !alignCorners else {
        throw table.error("options", "ask for a resize other than by half-pixel centres")
      }
      self = .resizeBilinear
    case 32: self = try Self.readCustomOperator(table, name: code.custom)
    case 34: self = .pad
    case 40:
      self = .mean(keepsDimensions: try table.options(27).flag(0, "keep_dims"))
    case 54: self = .prelu
    case 117: self = .hardSwish
    case 124: self = .densify
    default: self = .unsupported
    }
  }

  private static func readConvolutionOptions(
    _ options: FlatTable, activation slot: Int
  ) throws(ModelError) -> WindowOptions {
    for next in 1...2 {
      let dilation = try options.scalar(slot + next, "dilation", default: Int32(1))
      guard dilation == 1 else { throw options.error("dilation", "is \(dilation), not 1") }
    }
    return try options.windowOptions(activationSlot: slot)
  }

  /// MediaPipe's custom operator: its options are three little-endian 32-bit numbers, the padding
  /// as in TFLite's C header (1 SAME, 2 VALID), the horizontal and the vertical stride.
  private static func readCustomOperator(_ table: FlatTable, name: String) throws(ModelError)
    -> OperatorKind
  {
    guard name == OperatorCode.transposeConvolution else { return .unsupported }
    let bytes = try table.bytes(5, "custom_options")
    guard bytes.count == 12 else {
      throw table.error("custom_options", "has \(bytes.count) bytes, not 12")
    }
    let numbers = table.file.integers(.signed32, at: bytes.lowerBound, count: 3)
    guard numbers[0] == 1 || numbers[0] == 2 else {
      throw table.error("custom_options", "has padding \(numbers[0]), not 1 or 2")
    }
    guard numbers[1...].allSatisfy((1...FlatTable.sizeLimit).contains) else {
      throw table.error("custom_options", "has strides \(numbers[1]) and \(numbers[2])")
    }
    return .transposeConvolution(
      WindowOptions(
        padding: numbers[0] == 1 ? .same : .valid, strideHeight: numbers[2],
        strideWidth: numbers[1]))
  }
}

// The options of an operator.
extension FlatTable {
  /// The largest window, stride or block.
  fileprivate static let sizeLimit = 1024

  /// The options of the operator in this table, which must be of `type`.
  fileprivate func options(_ type: UInt8) throws(ModelError) -> FlatTable {
    guard let options = try options(ifPresent: type) else {
      throw error("builtin_options", "is missing")
    }
    return options
  }

  fileprivate func options(ifPresent type: UInt8) throws(ModelError) -> FlatTable? {
    let found = try scalar(3, "builtin_options_type", default: UInt8(0))
    guard found != 0 else { return nil }
    guard found == type else { throw error("builtin_options_type", "is \(found), not \(type)") }
    return try table(4, "builtin_options", kind: "options of operator")
  }

  /// The options that all windows have: padding and strides in the first slots, an activation in
  /// `slot`.
  fileprivate func windowOptions(activationSlot slot: Int) throws(ModelError) -> WindowOptions {
    let code = try scalar(0, "padding", default: Int8(0))
    guard code == 0 || code == 1 else { throw error("padding", "is \(code), not 0 or 1") }
    return WindowOptions(
      padding: code == 0 ? .same : .valid, strideHeight: try checkedSize(2, "stride_h"),
      strideWidth: try checkedSize(1, "stride_w"), activation: try fusedActivation(slot))
  }

  fileprivate func fusedActivation(_ slot: Int) throws(ModelError) -> FusedActivation {
    let code = Int(try scalar(slot, "fused_activation_function", default: Int8(0)))
    guard FusedActivation.all.indices.contains(code) else {
      throw error("fused_activation_function", "is \(code), not supported")
    }
    return FusedActivation.all[code]
  }

  /// A stride, or the side of a window or block.
  fileprivate func checkedSize(_ slot: Int, _ field: StaticString) throws(ModelError) -> Int {
    let value = Int(try scalar(slot, field, default: Int32(0)))
    guard (1...Self.sizeLimit).contains(value) else {
      throw error(field, "is \(value), not 1 to \(Self.sizeLimit)")
    }
    return value
  }
}
