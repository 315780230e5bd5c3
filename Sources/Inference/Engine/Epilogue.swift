/// What follows the sums of a step: residual, activation, and where the results go.
struct Epilogue {
  let output: MapLayout
  let activation: Activation
  let slopes: FloatBuffer
  /// The map that is added to the first channels.
  let residual: MapLayout?
  /// Whether the residual is added after the activation, not before.
  let addsAfterActivation: Bool
  /// Whether `runSeparatePass` adds and activates, not the tiles.
  private(set) var isSeparatePass: Bool
  /// The offsets of a band's vectors in the output and in the residual, in bytes.
  let outputOffsets: AlignedBuffer<Int32>
  let residualOffsets: AlignedBuffer<Int32>

  init(
    _ output: MapLayout, vectors: Int, _ activation: Activation, residual: MapLayout? = nil,
    addsAfterActivation: Bool = false
  ) {
    (self.output, self.activation, self.residual) = (output, activation, residual)
    self.addsAfterActivation = addsAfterActivation
    isSeparatePass = activation.needsSeparatePass || addsAfterActivation
    slopes = activation.slopes ?? FloatBuffer(count: output.channels)
    func offsets(_ map: MapLayout) -> AlignedBuffer<Int32> {
      AlignedBuffer((0..<vectors).map { Int32((map.index(ofVector: $0) - map.origin) * 4) })
    }
    outputOffsets = offsets(output)
    residualOffsets = residual.map { offsets($0) } ?? outputOffsets
  }

  /// The same for steps without tiles.
  func withoutTiles() -> Epilogue {
    var own = self
    own.isSeparatePass = isSeparatePass || !activation.isIdentity
    return own
  }

  /// Adds and activates what the tiles did not.
  func runSeparatePass(_ band: Range<Int>, _ maps: FloatView) {
    guard isSeparatePass else { return }
    var traversal = Traversal(output, band)
    let offset = addsAfterActivation ? residual.map { ($0.origin - output.origin) * 4 } ?? 0 : 0
    traversal.readRange = min(0, offset)..<max(0, offset) + 1
    let pass = ActivationPass(
      activation: activation, residualOffset: addsAfterActivation ? offset : nil,
      mask: output.mask.map { FloatView($0) }, maskStart: band.lowerBound * Vector.lanes)
    pass.apply(to: Kernels.channelRows(traversal, from: maps, to: maps))
  }
}
