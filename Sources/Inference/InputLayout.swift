/// Where the numbers of a network's input lie: each back end reads them in an order of its own.
package struct InputLayout: Equatable, Sendable {
  package let height: Int
  package let width: Int
  package let channels: Int
  /// How far it is from a row to the next, from a pixel to the next in its row, and from a channel of
  /// a pixel to the next.
  package let row: Int
  package let column: Int
  package let channel: Int

  init(height: Int, width: Int, channels: Int, row: Int, column: Int, channel: Int) {
    (self.height, self.width, self.channels) = (height, width, channels)
    (self.row, self.column, self.channel) = (row, column, channel)
  }

  /// Row by row, all channels of a pixel together.
  package init(height: Int, width: Int, channels: Int) {
    self.init(
      height: height, width: width, channels: channels, row: width * channels, column: channels,
      channel: 1)
  }

  /// Numbers from the first to the last.
  package var count: Int {
    (height - 1) * row + (width - 1) * column + (channels - 1) * channel + 1
  }
}
