/// The state of parsing a .cube file line by line.
struct CubeParser {
  private var curveSize: Int?
  private var cubeSize: Int?
  private var curve = CubeTable()
  private var cube = CubeTable()
  private var domain: (low: SIMD3<Double>, high: SIMD3<Double>)?
  private var readsVideoRange = false
  private var writesVideoRange = false

  /// The numbers of entries read and announced.
  private var entries: (count: Int, expected: Int) {
    (
      curve.values.count + cube.values.count,
      (curveSize ?? 0) + (cubeSize.map { $0 * $0 * $0 } ?? 0)
    )
  }

  /// Parses a line of a file of `size` bytes.
  mutating func parse(_ line: CubeLine, size: Int) throws(CubeLineError) {
    var line = line
    let start = line
    guard let word = line.nextWord() else { return }
    if Self.beginsNumber(word[word.startIndex]) {
      line = start
      return try addEntry(line.remainingNumbers(3), size: size)
    }
    guard entries.count == 0 else {
      let shown = String(decoding: word.prefix(20), as: UTF8.self)
      throw CubeLineError(reason: "\"\(shown)\" is not allowed among the entries")
    }
    switch String(decoding: word.prefix(32), as: UTF8.self).uppercased() {
    case "LUT_3D_SIZE":
      cubeSize = try Self.parseSize(&line, in: 2...256, after: cubeSize)
    case "LUT_1D_SIZE":
      curveSize = try Self.parseSize(&line, in: 2...65536, after: curveSize)
    case "DOMAIN_MIN": domain = (try line.remainingNumbers(3), domain?.high ?? .one)
    case "DOMAIN_MAX": domain = (domain?.low ?? .zero, try line.remainingNumbers(3))
    case "LUT_1D_INPUT_RANGE": try Self.parseRange(&line, of: &curve)
    case "LUT_3D_INPUT_RANGE": try Self.parseRange(&line, of: &cube)
    case "LUT_IN_VIDEO_RANGE": readsVideoRange = true
    case "LUT_OUT_VIDEO_RANGE": writesVideoRange = true
    default: break
    }
  }

  private static func beginsNumber(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || "+-.".utf8.contains(byte)
  }

  private static func parseSize(
    _ line: inout CubeLine, in range: ClosedRange<Int>, after old: Int?
  ) throws(CubeLineError) -> Int {
    guard old == nil else { throw CubeLineError(reason: "the size is given twice") }
    let number = try line.remainingNumbers(1).x
    guard number == number.rounded(), range.contains(Int(number)) else {
      throw CubeLineError(
        reason: "the size must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return Int(number)
  }

  private static func parseRange(_ line: inout CubeLine, of table: inout CubeTable)
    throws(CubeLineError)
  {
    let ends = try line.remainingNumbers(2)
    (table.low, table.high) = (SIMD3(repeating: ends.x), SIMD3(repeating: ends.y))
    try table.checkDomain()
  }

  private mutating func addEntry(_ numbers: SIMD3<Double>, size: Int) throws(CubeLineError) {
    let (count, expected) = entries
    if count == 0 { try beginTable(size) }
    guard count < expected else {
      throw CubeLineError(reason: "there are more than \(expected) entries")
    }
    // Floats halve the memory and are accurate enough.
    let entry = SIMD3<Float>(numbers)
    if count < curveSize ?? 0 { curve.values.append(entry) } else { cube.values.append(entry) }
  }

  /// Checks the header before the first entry and reserves memory.
  private mutating func beginTable(_ size: Int) throws(CubeLineError) {
    guard curveSize != nil || cubeSize != nil else {
      throw CubeLineError(reason: "an entry comes before LUT_1D_SIZE or LUT_3D_SIZE")
    }
    // "0 0 0" and the end of the line.
    guard entries.expected <= (size + 1) / 6 else {
      throw CubeLineError(
        reason: "\(entries.expected) entries are declared, too many for a file of \(size) bytes"
      )
    }
    if let domain {
      // The domain applies to the first table.
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

  /// The file's contents after its last line, number `lines`.
  func makeFile(lines: Int) throws(CubeError) -> CubeFile {
    let (count, expected) = entries
    guard expected > 0 else {
      throw CubeError(
        line: max(lines, 1),
        reason: "the file ends without LUT_1D_SIZE or LUT_3D_SIZE: not a .cube file")
    }
    guard count == expected else {
      throw CubeError(
        line: max(lines, 1), reason: "the file ends after \(count) of \(expected) entries")
    }
    return CubeFile(
      curve: curveSize == nil ? nil : curve, cube: cubeSize == nil ? nil : cube,
      readsVideoRange: readsVideoRange, writesVideoRange: writesVideoRange)
  }
}
