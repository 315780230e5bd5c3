/// The average of each channel of a map, scaled and with a residual.
struct GlobalAverageStep: EngineStep {
  let source: ScaleAndResidual
  let output: MapLayout
  let limits: FusedActivation

  var units: Int { source.input.channels }
  var cost: Int { source.input.vectorCount * Vector.lanes * source.input.channels }
  let scratchFloats = 0

  func run(_ units: Range<Int>, _ memory: Memory) {
    let (input, maps) = (source.input, memory.maps)
    let reciprocal = 1 / Float(input.height * input.width)
    for channel in units {
      var total = Self.channelSum(input, channel, maps)
      if let scale = source.scale { total *= maps[scale.origin + channel] }
      if let residual = source.residual { total += Self.channelSum(residual, channel, maps) }
      maps[output.origin + channel] = limits.clamp(total * reciprocal)
    }
  }

  private static func channelSum(_ map: MapLayout, _ channel: Int, _ maps: FloatView) -> Float {
    var traversal = Traversal(map, 0..<map.vectorCount)
    traversal.channels = 1
    traversal.source.start += channel * map.channelStride
    traversal.destination = traversal.source
    // Two sums by turns: an addition need not wait for the one before.
    var sums = (Vector(0), Vector(0))
    Kernels.channelRows(traversal, from: maps, to: maps).forEachVector { position in
      sums = (sums.1, sums.0 + position[0])
    }
    return (sums.0 + sums.1).sum()
  }
}
