/// What is known of a file that is being decoded; a later case in this list replaces an earlier one, and of
/// `enough` and `tooLarge` the first one stays.
enum DecodingVerdict {
  case undecided
  /// All of its streams are known, and none of them has pictures.
  case noPictures
  /// No more frames are wanted.
  case enough
  /// The rest of a sentence that says so.
  case tooLarge(String)
  /// Caps of something that is neither picture nor film.
  case foreign(String)
  /// The file describes its picture, which is so large.
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

  mutating func become(_ other: DecodingVerdict) { if other.rank > rank { self = other } }

  /// Whether frames are still wanted, as far as is known.
  var wantsFrames: Bool { rank != 2 }

  /// Whether memory for decoded frames would be wasted.
  var refusesMemory: Bool {
    switch self {
    case .undecided, .noPictures, .enough: false
    case .tooLarge, .foreign, .drawing: true
    }
  }
}

/// Names of caps, or how they begin.
enum MediaType {
  static let pictures = ["image/", "video/"]
  /// What goes with pictures: sound, text, data.
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
