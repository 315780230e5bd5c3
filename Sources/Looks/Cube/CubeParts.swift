/// What the lines of a .cube file have said so far.
struct CubeParts {
  private var curveSize: Int?
  private var cubeSize: Int?
  private var curve = CubeTable()
  private var cube = CubeTable()
  private var domain: (low: SIMD3<Double>, high: SIMD3<Double>)?
  private var readsVideoRange = false
  private var writesVideoRange = false

  /// Entries that are there and that there will be.
  private var entries: (got: Int, wanted: Int) {
    (
      curve.values.count + cube.values.count,
      (curveSize ?? 0) + (cubeSize.map { $0 * $0 * $0 } ?? 0)
    )
  }

  /// Takes a line of a file of `size` bytes.
  mutating func take(_ line: CubeLine, size: Int) throws(CubeFault) {
    var line = line
    let start = line
    guard let word = line.word() else { return }
    if Self.beginsNumber(word[word.startIndex]) {
      line = start
      return try takeEntry(line.numbers(3), size: size)
    }
    guard entries.got == 0 else {
      let shown = String(decoding: word.prefix(20), as: UTF8.self)
      throw CubeFault(reason: "\"\(shown)\" stands among the entries")
    }
    switch String(decoding: word.prefix(32), as: UTF8.self).uppercased() {
    case "LUT_3D_SIZE":
      cubeSize = try Self.count(&line, in: 2...256, after: cubeSize)
    case "LUT_1D_SIZE":
      curveSize = try Self.count(&line, in: 2...65536, after: curveSize)
    case "DOMAIN_MIN": domain = (try line.numbers(3), domain?.high ?? .one)
    case "DOMAIN_MAX": domain = (domain?.low ?? .zero, try line.numbers(3))
    case "LUT_1D_INPUT_RANGE": try Self.range(&line, of: &curve)
    case "LUT_3D_INPUT_RANGE": try Self.range(&line, of: &cube)
    case "LUT_IN_VIDEO_RANGE": readsVideoRange = true
    case "LUT_OUT_VIDEO_RANGE": writesVideoRange = true
    default: break
    }
  }

  private static func beginsNumber(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || "+-.".utf8.contains(byte)
  }

  private static func count(
    _ line: inout CubeLine, in range: ClosedRange<Int>, after old: Int?
  ) throws(CubeFault) -> Int {
    guard old == nil else { throw CubeFault(reason: "the size stands here a second time") }
    let number = try line.numbers(1).x
    guard number == number.rounded(), range.contains(Int(number)) else {
      throw CubeFault(
        reason: "the size must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return Int(number)
  }

  private static func range(_ line: inout CubeLine, of table: inout CubeTable) throws(CubeFault) {
    let ends = try line.numbers(2)
    (table.low, table.high) = (SIMD3(repeating: ends.x), SIMD3(repeating: ends.y))
    try table.checkDomain()
  }

  private mutating func takeEntry(_ numbers: SIMD3<Double>, size: Int) throws(CubeFault) {
    let (got, wanted) = entries
    if got == 0 { try begin(size) }
    guard got < wanted else { throw CubeFault(reason: "there are more than \(wanted) entries") }
    // Halves the memory that doubles would take; nobody sees the 24th bit.
    let entry = SIMD3<Float>(numbers)
    if got < curveSize ?? 0 { curve.values.append(entry) } else { cube.values.append(entry) }
  }

  /// Before the first entry: all that entries need is known.
  private mutating func begin(_ size: Int) throws(CubeFault) {
    guard curveSize != nil || cubeSize != nil else {
      throw CubeFault(reason: "an entry comes before LUT_1D_SIZE or LUT_3D_SIZE")
    }
    // "0 0 0" and the end of the line.
    guard entries.wanted <= (size + 1) / 6 else {
      throw CubeFault(
        reason: "\(entries.wanted) entries are announced, more than a file of \(size) bytes holds")
    }
    if let domain {
      // Of what comes first.
      if curveSize != nil {
        (curve.low, curve.high) = domain
      } else {
        (cube.low, cube.high) = domain
      }
      try curve.checkDomain()
      try cube.checkDomain()
    }
    curve.size = curveSize ?? 0
    cube.size = cubeSize ?? 0
    curve.values.reserveCapacity(curveSize ?? 0)
    cube.values.reserveCapacity(cube.size * cube.size * cube.size)
  }

  /// The tables, after the last of `lines` lines.
  func file(lines: Int) throws(CubeProblem) -> CubeFile {
    let (got, wanted) = entries
    guard wanted > 0 else {
      throw CubeProblem(
        line: max(lines, 1), reason: "it ends without LUT_1D_SIZE or LUT_3D_SIZE: no .cube file")
    }
    guard got == wanted else {
      throw CubeProblem(
        line: max(lines, 1), reason: "it ends after \(got) of \(wanted) entries")
    }
    return CubeFile(
      curve: curveSize == nil ? nil : curve, cube: cubeSize == nil ? nil : cube,
      readsVideoRange: readsVideoRange, writesVideoRange: writesVideoRange)
  }
}
