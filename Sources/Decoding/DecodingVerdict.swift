/// The state of a decoding so far.
///
/// A later case in this list replaces an earlier one; of `enough` and `tooLarge` the first stays.
enum DecodingVerdict {
  case undecided
  /// All streams are known, and none has pictures.
  case noPictures
  /// No more frames are needed.
  case enough
  /// A picture or the file exceeds a limit; the value completes the sentence "is too large: ".
  case tooLarge(String)
  /// The caps name is neither picture nor film.
  case foreign(String)
  /// The file is a vector graphic of this size in pixels.
  case drawing(width: Int, height: Int)

  private var rank: Int {
    switch self {
    case .undecided: 0
    case .noPictures: 1
    case .enough, .tooLarge: 2
    case .foreign: 3
    case .drawing: 4
    }
  }

  mutating func record(_ other: DecodingVerdict) { if other.rank > rank { self = other } }

  /// Whether more frames are needed.
  var wantsFrames: Bool { rank != 2 }

  /// Whether memory for decoded frames would be wasted.
  var refusesMemory: Bool {
    switch self {
    case .undecided, .noPictures, .enough: false
    case .tooLarge, .foreign, .drawing: true
    }
  }
}

/// Caps names and prefixes of them.
enum MediaType {
  static let pictures = ["image/", "video/"]
  /// Streams that accompany pictures: sound, text, data.
  static let accompaniments = [
    "audio/", "text/", "subpicture/", "subtitle/", "closedcaption/", "meta/", "private/",
    "application/x-ssa", "application/x-ass", "application/x-usf", "application/x-subtitle",
    "application/x-teletext", "application/ttml",
  ]
  static let containers = [
    "application/ogg", "application/mxf", "application/x-3gp", "application/x-id3",
    "application/x-apetag", "audio/ogg", "audio/webm", "audio/x-m4a", "audio/x-matroska",
  ]
}
