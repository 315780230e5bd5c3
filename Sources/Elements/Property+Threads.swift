import Binding

extension Property {
  /// The property `n-threads` of an element whose threads divide a frame.
  static func threads(_ field: Field<Int>) -> Self {
    .uint(
      "n-threads", field, in: 0...64, atStart: true,
      "Threads that work on a frame; 0 takes one per core. Results are the same for every number.")
  }
}
