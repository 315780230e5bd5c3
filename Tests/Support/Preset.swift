/// A shipped preset of an element, read from its file.
package struct Preset {
  package let name: String
  /// Properties and values in the order of the file.
  package let values: [(property: String, value: String)]

  /// A preset by its name and the GType name of its element, such as "MienChromaKey"; nil if it
  /// does not exist.
  package init?(_ type: String, _ name: String) {
    let bytes = ScratchFolder.bytes(Photograph.root + "/presets/\(type).prs")
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard let start = lines.firstIndex(of: "[\(name)]") else { return nil }
    self.name = name
    values = lines[(start + 1)...].prefix { !$0.hasPrefix("[") }.compactMap { line in
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, !parts[0].contains("/") else { return nil }
      return (String(parts[0]), String(parts[1]))
    }
  }

  package func number(_ property: String) -> Double? {
    values.first { $0.property == property }.flatMap { Double($0.value) }
  }

  /// The properties in gst-launch syntax.
  package var text: String { values.map { "\($0.property)=\($0.value)" }.joined(separator: " ") }
}
