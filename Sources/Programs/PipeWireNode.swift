import JSON

/// The state of one node of PipeWire, from the output of `pw-dump --monitor`.
///
/// The tool prints an array of objects whenever something changes: first of all objects, later of
/// those that changed. Each object begins and ends on a line of its own, indented by two blanks.
package struct PipeWireNode {
  /// The states in which consumers are connected to the node, or not.
  package enum State: String {
    case creating, suspended, idle, running, error
  }

  private let property: String
  private let value: String
  private var lines: [String] = []
  private var isOurs = false

  /// The node whose `property` has this value, written as a text or a number.
  package init(property: String, value: String) {
    self.property = property
    self.value = value
  }

  /// Takes a line of the tool's output; returns the node's state where an object of it ends here.
  package mutating func take(_ line: String) -> State? {
    if line == "  {" {
      (lines, isOurs) = ([], false)
    }
    if line.contains("\"\(property)\"") { isOurs = true }
    lines.append(line == "  }," ? "  }" : line)
    guard line == "  }" || line == "  }," else { return nil }
    defer { (lines, isOurs) = ([], false) }
    return isOurs ? state(of: lines.joined(separator: "\n")) : nil
  }

  private func state(of object: String) -> State? {
    guard case .object(let fields)? = try? JSONValue.parse(Array(object.utf8)),
      case .object(let info)? = fields["info"], case .object(let properties)? = info["props"],
      case .string(let state)? = info["state"]
    else { return nil }
    switch properties[property] {
    case .string(value): return State(rawValue: state)
    case .number(let number) where Int(exactly: number).map(String.init) == value:
      return State(rawValue: state)
    default: return nil
    }
  }
}
