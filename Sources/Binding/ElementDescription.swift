package import Pixels

/// What gst-inspect shows of an element, and the formats it takes.
package struct ElementDescription: Sendable {
  package let name: String
  /// The GType's name, with the prefix `Mien`.
  package let typeName: String
  package let longName: String
  package let classification: String
  package let summary: String
  /// The formats that frames come and leave in.
  package let formats: [PixelFormat]
  /// A second factory name, for when another plugin has taken the first.
  package let alias: String?
  /// Whether late frames may be dropped before the element sees them.
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
