/// Writes small FlatBuffers files, valid or invalid, from the root table on.
///
/// Each table has its own vtable directly before it; values that a field points to follow the
/// table.
package struct FlatBytes {
  /// A value in a field of a table.
  package indirect enum Field {
    case byte(UInt8)
    case int(Int32)
    case table([Int: Field])
    case tables([[Int: Field]])
    case ints([Int32])
    case bytes([UInt8])
    case text(String)
    /// An offset with any value, which may be invalid.
    case raw(UInt32)
  }

  private var bytes: [UInt8] = []

  /// A model file whose root table has these fields.
  package static func model(_ root: [Int: Field]) -> [UInt8] {
    var file = FlatBytes()
    file.append(UInt32(0))
    file.bytes += Array("TFL3".utf8)
    let place = file.appendTable(root)
    file.patch(UInt32(place), at: 0)
    return file.bytes
  }

  private mutating func append(_ value: UInt32) {
    for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  private mutating func append(_ value: UInt16) {
    bytes += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }

  private mutating func patch(_ value: UInt32, at place: Int) {
    for (index, shift) in [0, 8, 16, 24].enumerated() {
      bytes[place + index] = UInt8(truncatingIfNeeded: value >> shift)
    }
  }

  /// Appends a table and everything that it refers to; returns the table's position.
  private mutating func appendTable(_ fields: [Int: Field]) -> Int {
    while bytes.count % 4 != 0 { bytes.append(0) }
    let slots = (fields.keys.max() ?? -1) + 1
    let vtable = bytes.count
    append(UInt16(4 + 2 * slots))
    append(UInt16(4 + 4 * fields.count))
    var offset: UInt16 = 4
    for slot in 0..<slots {
      append(fields[slot] == nil ? 0 : offset)
      if fields[slot] != nil { offset += 4 }
    }
    while bytes.count % 4 != 0 { bytes.append(0) }
    let table = bytes.count
    append(UInt32(table - vtable))
    for _ in fields { append(UInt32(0)) }
    for (index, slot) in fields.keys.sorted().enumerated() {
      writeField(table + 4 + 4 * index, with: fields[slot]!)
    }
    return table
  }

  private mutating func writeField(_ place: Int, with field: Field) {
    switch field {
    case .byte(let value): bytes[place] = value
    case .int(let value): patch(UInt32(bitPattern: value), at: place)
    case .raw(let value): patch(value, at: place)
    case .table(let fields): patch(UInt32(appendTable(fields) - place), at: place)
    case .tables(let list):
      startVector(place, count: list.count)
      let start = bytes.count
      for _ in list { append(UInt32(0)) }
      for (index, fields) in list.enumerated() {
        let entry = start + 4 * index
        patch(UInt32(appendTable(fields) - entry), at: entry)
      }
    case .ints(let list):
      startVector(place, count: list.count)
      for value in list { append(UInt32(bitPattern: value)) }
    case .bytes(let list):
      startVector(place, count: list.count)
      bytes += list
    case .text(let text):
      startVector(place, count: text.utf8.count)
      bytes += Array(text.utf8) + [0]
    }
  }

  private mutating func startVector(_ place: Int, count: Int) {
    while bytes.count % 4 != 0 { bytes.append(0) }
    patch(UInt32(bytes.count - place), at: place)
    append(UInt32(count))
  }
}
