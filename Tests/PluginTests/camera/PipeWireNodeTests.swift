import Programs
import Testing

/// The output of `pw-dump --monitor`, as PipeWire 0.3 to 1.4 print it.
@Suite struct PipeWireNodeTests {
  private static func object(_ id: Int, _ state: String, process: String) -> String {
    """
      {
        "id": \(id),
        "type": "PipeWire:Interface:Node",
        "version": 3,
        "info": {
          "state": "\(state)",
          "props": {
            "node.name": "mien",
            "mien.process": \(process)
          },
          "params": {
            "EnumFormat": [ { "mediaType": "video" } ]
          }
        }
      }
    """
  }

  private func states(_ text: String) -> [PipeWireNode.State] {
    var node = PipeWireNode(property: "mien.process", value: "77")
    return text.split(separator: "\n", omittingEmptySubsequences: false).compactMap {
      node.take(String($0))
    }
  }

  @Test func changesOfTheNodeOfThisProcessAreItsStates() {
    let first = Self.object(28, "suspended", process: "\"78\"")
    let second = Self.object(36, "suspended", process: "\"77\"")
    let text =
      "[\n\(first),\n\(second)\n]\n[\n\(Self.object(36, "running", process: "77"))\n]\n"
      + "[\n\(Self.object(28, "running", process: "78"))\n]\n"
      + "[\n\(Self.object(36, "idle", process: "77"))\n]\n"
    #expect(states(text) == [.suspended, .running, .idle])
  }

  @Test func brokenAndForeignOutputIsNoState() {
    #expect(states("").isEmpty)
    #expect(states("[\n  {\n    \"mien.process\": 77\n  }\n]").isEmpty)
    #expect(states("[\n  {\n    \"id\": 36,\n    \"info\": null\n  }\n]").isEmpty)
    #expect(states("  }\n  }\n  {\n  \"mien.process\"\n  }").isEmpty)
    #expect(states(Self.object(36, "dancing", process: "77")).isEmpty)
    let whole = Self.object(36, "running", process: "77")
    for count in 0..<whole.count - 1 { #expect(states(String(whole.prefix(count))).isEmpty) }
  }
}
