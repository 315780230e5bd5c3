import Faces

/// What `SkinRetouch` keeps of one face from frame to frame.
final class FaceTrack {
  /// Where the face is now, or was when it was last seen.
  var outline = FaceOutline()
  let mask = FaceMask()
  var skin = SkinModel()
  var glasses = GlassesPresence()
  /// What is in front of the face.
  var cover = CoverMap()
  /// How far the effect is faded in, 0...1.
  var opacity: Float = 0
  /// The face width from which radii and cell sizes are derived; updated only when the face's
  /// changes by more than noise.
  private(set) var settledWidth = 0.0

  private static let settling = 0.08

  func reset() {
    mask.reset()
    skin.reset()
    glasses.reset()
    settledWidth = 0
  }

  func updateSettledWidth() {
    let width = outline.faceWidth
    if abs(width - settledWidth) > Self.settling * settledWidth { settledWidth = width }
  }
}

/// Sizes that follow from the width of a face, in pixels.
enum FaceScale {
  /// Side of a cell: 2, and doubled each time the face is twice as wide as 320 pixels.
  static func cellSize(_ faceWidth: Double) -> Int {
    var step = 2
    while step < 64, faceWidth >= 160 * Double(step) { step *= 2 }
    return step
  }

  /// The minimum margin in pixels between a feature and cells with a weight: interpolation extends
  /// 1.8 cells horizontally and 1.5 vertically, so cells 2.5 away do not change the feature.
  static func minimumFeatureMargin(_ faceWidth: Double) -> Double {
    2.5 * Double(cellSize(faceWidth * 1.1))
  }
}
