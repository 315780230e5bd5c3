/// A table of a FlatBuffers file; its position, its vtable and each field are checked when read.
///
/// In the FlatBuffers binary format an i32 at the table is the distance back to its vtable. The
/// vtable's u16 entries are the offsets of the fields in the table; 0 stands for the default value.
struct FlatTable {
  let file: ByteReader
  /// The table's name in error messages, and its number among tables of that name.
  let kind: StaticString
  let index: Int?
  private let position, size, vtable, vtableSize: Int

  /// The table that the file's first four bytes point to.
  init(rootOf file: ByteReader, kind: StaticString) throws(ModelError) {
    guard let offset = file.integer(UInt32.self, at: 0) else {
      throw ModelError("the file is too short to be a model")
    }
    try self.init(file: file, at: Int(offset), kind: kind, index: nil)
  }

  init(file: ByteReader, at position: Int, kind: StaticString, index: Int?) throws(ModelError) {
    self.file = file
    self.kind = kind
    self.index = index
    self.position = position
    let name = Self.name(kind, index)
    guard let back = file.integer(Int32.self, at: position) else {
      throw ModelError("\(name) lies outside the file")
    }
    vtable = position - Int(back)
    guard let vtableSize = file.integer(UInt16.self, at: vtable),
      let size = file.integer(UInt16.self, at: vtable + 2)
    else { throw ModelError("\(name): its field list lies outside the file") }
    guard vtableSize >= 4, vtable + Int(vtableSize) <= file.count else {
      throw ModelError("\(name): its field list has an impossible size of \(vtableSize) bytes")
    }
    guard size >= 4, position + Int(size) <= file.count else {
      throw ModelError("\(name) has an impossible size of \(size) bytes")
    }
    self.vtableSize = Int(vtableSize)
    self.size = Int(size)
  }

  /// An error in a field of this table.
  func error(_ field: StaticString, _ reason: String) -> ModelError {
    ModelError("\(Self.name(kind, index)): \(field) \(reason)")
  }

  private static func name(_ kind: StaticString, _ index: Int?) -> String {
    index.map { "\(kind) \($0)" } ?? "\(kind)"
  }

  /// The position of field `slot` in the file; nil where it is left out.
  private func fieldPosition(_ slot: Int, _ bytes: Int, _ field: StaticString) throws(ModelError)
    -> Int?
  {
    let entry = 4 + 2 * slot
    guard entry + 2 <= vtableSize else { return nil }
    guard let offset = file.integer(UInt16.self, at: vtable + entry), offset != 0 else {
      return nil
    }
    guard offset >= 4, Int(offset) + bytes <= size else {
      throw error(field, "lies outside its table")
    }
    return position + Int(offset)
  }

  /// A number stored in the table itself.
  func scalar<T: FixedWidthInteger>(
    _ slot: Int, _ field: StaticString, default standard: T
  ) throws(ModelError) -> T {
    guard let position = try fieldPosition(slot, MemoryLayout<T>.size, field) else {
      return standard
    }
    return file.integer(T.self, at: position) ?? standard
  }

  func flag(_ slot: Int, _ field: StaticString) throws(ModelError) -> Bool {
    try scalar(slot, field, default: UInt8(0)) != 0
  }

  /// The position that the offset in field `slot` points to; nil where the field is left out.
  private func referencedPosition(_ slot: Int, _ field: StaticString) throws(ModelError) -> Int? {
    guard let position = try fieldPosition(slot, 4, field) else { return nil }
    guard let offset = file.integer(UInt32.self, at: position),
      position + Int(offset) <= file.count - 4
    else { throw error(field, "points outside the file") }
    return position + Int(offset)
  }

  func table(
    _ slot: Int, _ field: StaticString, kind: StaticString
  ) throws(ModelError) -> FlatTable? {
    guard let target = try referencedPosition(slot, field) else { return nil }
    return try FlatTable(file: file, at: target, kind: kind, index: index)
  }

  /// The elements of a vector or the bytes of a string, each `stride` bytes long.
  private func vectorElements(
    _ slot: Int, _ field: StaticString, stride: Int, limit: Int
  ) throws(ModelError) -> (start: Int, count: Int)? {
    guard let target = try referencedPosition(slot, field) else { return nil }
    let count = Int(file.integer(UInt32.self, at: target) ?? 0)
    guard count <= limit else { throw error(field, "has \(count) elements, more than \(limit)") }
    guard count * stride <= file.count - target - 4 else {
      throw error(field, "has \(count) elements and runs past the end of the file")
    }
    return (target + 4, count)
  }

  /// The positions of a byte vector or string; empty where the field is left out.
  func bytes(_ slot: Int, _ field: StaticString) throws(ModelError) -> Range<Int> {
    guard let (start, count) = try vectorElements(slot, field, stride: 1, limit: .max) else {
      return 0..<0
    }
    return start..<start + count
  }

  /// A vector of numbers; nil where the field is left out.
  func integers(
    _ slot: Int, _ field: StaticString, limit: Int, _ width: ByteReader.Width = .signed32
  ) throws(ModelError) -> [Int]? {
    guard let (start, count) = try vectorElements(slot, field, stride: width.rawValue, limit: limit)
    else { return nil }
    return file.integers(width, at: start, count: count)
  }

  /// A vector of tables; empty where the field is left out.
  func tables(
    _ slot: Int, _ field: StaticString, kind: StaticString, limit: Int
  ) throws(ModelError) -> [FlatTable] {
    guard let (start, count) = try vectorElements(slot, field, stride: 4, limit: limit) else {
      return []
    }
    return try (0..<count).map { (element) throws(ModelError) in
      let position = start + element * 4
      let offset = Int(file.integer(UInt32.self, at: position) ?? 0)
      return try FlatTable(file: file, at: position + offset, kind: kind, index: element)
    }
  }
}
