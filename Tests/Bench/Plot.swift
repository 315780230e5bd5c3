import Glibc

/// A chart of costs relative to their limits, on a logarithmic scale.
struct Plot {
  let bars: [Bar]
  let note: String

  // Units of the drawing.
  private let width = 900.0
  private let names = 430.0
  private let top = 64.0
  private let rowHeight = 30.0
  /// Left and right end of the scale, in limits.
  private let scale = (minimum: 1.0 / 16, maximum: 2.0)

  var svg: String {
    let height = top + rowHeight * Double(bars.count) + 50
    var parts = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(width)) \(Int(height))\""
        + " font-family=\"sans-serif\" font-size=\"13\">",
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
      text(16, 26, "What each job costs, in parts of what it may cost", size: 16),
      text(16, 46, note, color: "#666666", size: 11),
    ]
    for (share, label) in [
      (1.0 / 16, "1/16"), (1.0 / 8, "1/8"), (1.0 / 4, "1/4"), (1.0 / 2, "1/2"), (1, "the bar"),
      (2, "twice"),
    ] {
      let x = position(share)
      parts.append(
        "<line x1=\"\(short(x))\" x2=\"\(short(x))\" y1=\"\(short(top))\""
          + " y2=\"\(short(height - 34))\" stroke=\"\(share == 1 ? "#222222" : "#dddddd")\"/>")
      parts.append(text(x, height - 16, label, anchor: "middle", color: "#444444", size: 11))
    }
    for (index, bar) in bars.enumerated() {
      parts.append(row(bar, y: top + rowHeight * Double(index)))
    }
    return (parts + ["</svg>", ""]).joined(separator: "\n")
  }

  /// The name, a bar up to the median, a whisker from minimum to maximum, and the figure.
  private func row(_ bar: Bar, y: Double) -> String {
    let parts = bar.figures.map { $0 / bar.limit }
    let middle = position(median(parts))
    let color = bar.isMet ? "#2a7f62" : "#c8553d"
    let figure = median(bar.figures)
    let shown =
      switch bar.unit {
      case .share where figure < 0.5: "1/" + rounded(1 / figure)
      case .share, .wall: "\(Int((figure * 100).rounded())) %"
      case .milliseconds, .each, .megabytes: rounded(figure) + " " + bar.unit.text
      }
    return [
      text(names - 10, y + 19, bar.job, anchor: "end"),
      "<rect x=\"\(short(names))\" y=\"\(short(y + 6))\" width=\"\(short(middle - names))\""
        + " height=\"18\" fill=\"\(color)\"/>",
      "<line x1=\"\(short(position(parts.min() ?? 0)))\" x2=\"\(short(position(parts.max() ?? 0)))\""
        + " y1=\"\(short(y + 15))\" y2=\"\(short(y + 15))\" stroke=\"#222222\"/>",
      text(names + 6, y + 19, shown, color: "#ffffff", size: 11),
    ].joined(separator: "\n")
  }

  private func position(_ share: Double) -> Double {
    // Subtracting start-up may leave zero or less.
    let t = log(max(share, scale.minimum) / scale.minimum) / log(scale.maximum / scale.minimum)
    return names + min(max(t, 0), 1) * (width - names - 30)
  }

  private func text(
    _ x: Double, _ y: Double, _ text: String, anchor: String = "start", color: String = "#222222",
    size: Int = 13
  ) -> String {
    let escaped = text.map { $0 == "&" ? "&amp;" : $0 == "<" ? "&lt;" : String($0) }.joined()
    return "<text x=\"\(short(x))\" y=\"\(short(y))\" text-anchor=\"\(anchor)\" fill=\"\(color)\""
      + " font-size=\"\(size)\">\(escaped)</text>"
  }

  private func short(_ value: Double) -> String { String(Int(value.rounded())) }

  /// One decimal under ten, none above.
  private func rounded(_ value: Double) -> String {
    value >= 10 ? String(Int(value.rounded())) : String((value * 10).rounded() / 10)
  }
}
