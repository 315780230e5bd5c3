package import Pixels

/// The factory details of an element, as gst-inspect shows them, and its formats.
package struct ElementDescription: Sendable {
  package let name: String
  /// The GType's name, with the prefix `Mien`.
  package let typeName: String
  package let longName: String
  package let classification: String
  package let summary: String
  /// The formats of both pad templates.
  package let formats: [PixelFormat]
  /// A second factory name, in case another plugin has registered the first.
  package let alias: String?
  /// Whether QoS drops late frames before the element processes them.
  package let dropsLateFrames: Bool

  package init(
    name: String, typeName: String, longName: String, classification: String, summary: String,
    formats: [PixelFormat], alias: String? = nil, dropsLateFrames: Bool = true
  ) {
    self.name = name
    self.typeName = typeName
    self.longName = longName
    self.classification = classification
    self.summary = summary
    self.formats = formats
    self.alias = alias
    self.dropsLateFrames = dropsLateFrames
  }
}
