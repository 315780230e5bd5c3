import CJSONGLib

/// A JSON document as plain values.
///
/// `parse` reads untrusted text by json-glib; the depth of a document is bounded. Safe to call from
/// any thread.
package enum JSONValue: Equatable {
  case object([String: JSONValue])
  case array([JSONValue])
  case string(String)
  case number(Double)
  case bool(Bool)
  case null

  /// Brackets and braces that a document may open; a manifest of 256 items opens some 500.
  ///
  /// The parser recurses for each of them, so they bound its stack. Those in strings count too,
  /// since only the parser knows exactly where strings are.
  package static let maximumBrackets = 1024

  /// Parses a document in UTF-8; the error says what is wrong, with line and column where known.
  package static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
    let brackets = bytes.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
    guard brackets <= maximumBrackets else {
      throw JSONError(
        "has \(brackets) opening brackets and braces, more than \(maximumBrackets)")
    }
    guard !bytes.contains(0) else { throw JSONError("contains a zero byte") }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw JSONError("is not UTF-8 text")
    }
    guard let parser = unsafe json_parser_new() else { throw JSONError("cannot be read") }
    defer { unsafe g_object_unref(parser) }
    var error: UnsafeMutablePointer<GError>?
    let isRead = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: gchar.self) { characters in
        unsafe json_parser_load_from_data(
          parser, characters.baseAddress, gssize(characters.count), &error)
      }
    }
    guard isRead != 0 else {
      let message = unsafe error.map { unsafe String(cString: $0.pointee.message) }
      unsafe g_clear_error(&error)
      throw JSONError("is not valid JSON: \(message ?? "unknown error")")
    }
    // An empty document has no root.
    guard let root = unsafe json_parser_get_root(parser) else { throw JSONError("is empty") }
    return unsafe convert(root)
  }

  /// Copies the tree below a node of json-glib.
  private static func convert(_ node: OpaquePointer) -> JSONValue {
    switch unsafe json_node_get_node_type(node) {
    case JSON_NODE_OBJECT:
      guard let object = unsafe json_node_get_object(node) else { return .null }
      var members: [String: JSONValue] = [:]
      let names = unsafe json_object_get_members(object)
      defer { unsafe g_list_free(names) }
      var link = unsafe names
      while let entry = unsafe link {
        if let data = unsafe entry.pointee.data {
          let name = unsafe data.assumingMemoryBound(to: gchar.self)
          if let member = unsafe json_object_get_member(object, name) {
            unsafe members[String(cString: name)] = unsafe convert(member)
          }
        }
        unsafe link = entry.pointee.next
      }
      return .object(members)
    case JSON_NODE_ARRAY:
      guard let array = unsafe json_node_get_array(node) else { return .null }
      let count = unsafe json_array_get_length(array)
      return .array(
        (0..<count).map { index in
          unsafe json_array_get_element(array, index).map { unsafe convert($0) } ?? .null
        })
    case JSON_NODE_VALUE:
      return unsafe convertScalar(node)
    default: return .null
    }
  }

  private static func convertScalar(_ node: OpaquePointer) -> JSONValue {
    switch unsafe json_node_get_value_type(node) {
    case JSONTypes.string:
      return unsafe json_node_get_string(node).map { unsafe .string(String(cString: $0)) } ?? .null
    case JSONTypes.bool: return unsafe .bool(json_node_get_boolean(node) != 0)
    case JSONTypes.int: return unsafe .number(Double(json_node_get_int(node)))
    case JSONTypes.double: return unsafe .number(json_node_get_double(node))
    default: return .null
    }
  }
}

/// The fundamental types of GLib that json-glib gives its values; macros Swift cannot import.
private enum JSONTypes {
  static let bool = GType(5 << 2)
  static let int = GType(10 << 2)
  static let double = GType(15 << 2)
  static let string = GType(16 << 2)
}

/// Why a document could not be parsed: the rest of a sentence that begins with its name.
package struct JSONError: Error {
  package let reason: String
  fileprivate init(_ reason: String) { self.reason = reason }
}
