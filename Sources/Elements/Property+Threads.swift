import Binding

extension Property {
  /// The property `n-threads` of an element whose threads divide a frame.
  static func threads(_ field: Field<Int>) -> Self {
    .uint(
      "n-threads", field, in: 0...64, atStart: true,
      "Threads per frame; 0 uses one per core. The output is the same for every number.")
  }
}
