import Support

/// .cube files as several makers write them.
enum CubeTexts {
  /// A look that is smooth and takes all components together.
  static func warm(_ r: Double, _ g: Double, _ b: Double) -> [Double] {
    [
      0.05 + 0.9 * r * (1.1 - 0.1 * g), 0.95 * g * (0.8 + 0.2 * b) + 0.02,
      0.08 + 0.8 * b * b + 0.05 * r,
    ]
  }

  typealias Look = @Sendable (Double, Double, Double) -> [Double]

  static func entries(
    _ size: Int, separator: String = " ", number: (Double) -> String = { "\($0)" },
    of look: Look = warm
  ) -> [String] {
    let last = Double(size - 1)
    var lines: [String] = []
    for b in 0..<size {
      for g in 0..<size {
        for r in 0..<size {
          let color = look(Double(r) / last, Double(g) / last, Double(b) / last)
          lines.append(color.map(number).joined(separator: separator))
        }
      }
    }
    return lines
  }

  static func identity(_ size: Int) -> [String] { entries(size, of: { [$0, $1, $2] }) }

  /// With this many decimals.
  static func fixed(_ digits: Int) -> (Double) -> String {
    { value in
      let scale = (0..<digits).reduce(1.0) { product, _ in product * 10 }
      let whole = Int((abs(value) * scale).rounded())
      let fraction = String(whole % Int(scale))
      let zeros = String(repeating: "0", count: digits - fraction.count)
      return (value < 0 ? "-" : "") + "\(whole / Int(scale)).\(zeros)\(fraction)"
    }
  }

  /// As "1.25e-01".
  static func scientific(_ value: Double) -> String {
    value == 0 ? "0.0e+00" : "\(value * 100)e-02"
  }

  struct Dialect: Sendable {
    let name: String
    let text: String

    init(_ name: String, _ header: [String], _ entries: [String], end: String = "\n") {
      self.name = name
      text = (header + entries).joined(separator: end)
    }
  }

  /// All of them can be read by ffmpeg too.
  static let dialects: [Dialect] = [
    Dialect("Adobe", ["TITLE \"Warm, please\"", "LUT_3D_SIZE 33"], entries(33, number: fixed(6))),
    Dialect(
      "Resolve",
      [
        "# Resolve Color Lookup table", "# Creator: a colourist", "",
        "LUT_3D_INPUT_RANGE 0.0000000000 1.0000000000", "LUT_3D_SIZE 33",
      ], entries(33, number: fixed(10)) + [""], end: "\r\n"),
    Dialect(
      "IRIDAS", ["LUT_3D_SIZE 16", "DOMAIN_MIN 0.0 0.0 0.0", "DOMAIN_MAX 1.0 1.0 1.0"],
      entries(16) + [""]),
    Dialect(
      "scientific, tabs", ["LUT_3D_SIZE\t21"],
      entries(21, separator: "\t", number: scientific)),
    Dialect(
      "a domain of 0 to 2", ["LUT_3D_SIZE 33", "DOMAIN_MIN 0 0 0", "DOMAIN_MAX 2 2 2"],
      entries(33, of: { warm(2 * $0, 2 * $1, 2 * $2) })),
    Dialect(
      "values beyond white and black", ["LUT_3D_SIZE 33"],
      entries(33, of: { [1.3 * $0 - 0.1, 1.2 * $1, 1.4 * $2 - 0.3] })),
    Dialect("65 nodes", ["LUT_3D_SIZE 65"], entries(65, number: fixed(5))),
    Dialect(
      "blank lines, comments between",
      ["", "TITLE \"x\"", "#", "LUT_3D_SIZE 17", "# here they come", ""],
      entries(17, number: fixed(7)).flatMap { [$0, ""] }),
    Dialect(
      "spaces round, signs", ["LUT_3D_SIZE 9"],
      entries(9, separator: "   ", number: fixed(4)).map { "  +\($0)  " }),
    Dialect(
      "two nodes", ["LUT_3D_SIZE 2"],
      entries(2, of: { [0.9 * $0 + 0.1 * $1, 0.8 * $1 + 0.1, 1 - $2] })),
  ]
}
