/// The known members of manifests of version 2 and 3.
enum PackKeys {
  static let pack: Set = ["version", "name", "preview", "audio", "items"]

  static let item: Set = [
    "type", "anchor", "alignIndexes", "alignPos", "space", "from", "to", "down", "round", "hidden",
    "body", "profile", "thickness", "bend", "depth",
    "region", "soft", "color", "spare", "shade", "scaleWidth", "offsetX", "offsetY", "width",
    "height",
    "folder", "frames", "file", "frameDuration", "trigger", "triggerType", "loop", "alpha", "blend",
    "rotate", "keep", "hide", "z",
  ]
}
