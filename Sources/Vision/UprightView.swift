import Faces
import Pixels

/// The geometry of the upright picture, in which faces are measured, relative to the stored one.
///
/// The upright picture has square pixels as high as the stored ones, so that faces in anamorphic
/// video have their displayed shape.
struct UprightView: Equatable {
  let orientation: Orientation
  /// The size of the stored picture in square pixels.
  let storedWidth, storedHeight: Double
  private let pixelAspect: Double
  private let toStored: Affine

  init(_ picture: borrowing Picture, _ orientation: Orientation) {
    self.orientation = orientation
    pixelAspect = picture.video.pixelAspect
    storedWidth = Double(picture.width) * pixelAspect
    storedHeight = Double(picture.height)
    let swaps = orientation.swapsAxes
    let normalize = Affine(
      a: 1 / (swaps ? storedHeight : storedWidth), b: 0, c: 0,
      d: 1 / (swaps ? storedWidth : storedHeight), tx: 0, ty: 0)
    toStored = normalize.then(orientation.uprightToStored)
  }

  /// The upright picture.
  var frame: Rectangle {
    let swaps = orientation.swapsAxes
    return Rectangle(
      x: 0, y: 0, width: swaps ? storedHeight : storedWidth,
      height: swaps ? storedWidth : storedHeight)
  }

  /// From the upright picture to the stored one, in pixels whose centres have integer coordinates;
  /// exact where pixels are square.
  var toStoredPixels: Affine {
    var map = orientation.uprightToStored
    map.tx *= storedWidth - 1
    map.ty *= storedHeight - 1
    guard pixelAspect != 1 else { return map }
    return map.then(
      Affine(a: 1 / pixelAspect, b: 0, c: 0, d: 1, tx: (1 / pixelAspect - 1) / 2, ty: 0))
  }

  var shorterSide: Double { min(storedWidth, storedHeight) }
  var longerSide: Double { max(storedWidth, storedHeight) }

  /// From normalized coordinates of the upright picture to its pixels.
  var normalizedToPixels: Affine {
    Affine(a: frame.width, b: 0, c: 0, d: frame.height, tx: 0, ty: 0)
  }

  /// From pixels of the upright picture to normalized coordinates of the stored one.
  func stored(_ point: Point) -> Point { toStored(point) }

  func stored(_ box: Rectangle) -> Rectangle {
    let a = toStored(Point(x: box.x, y: box.y))
    let b = toStored(Point(x: box.maxX, y: box.maxY))
    return Rectangle(
      x: min(a.x, b.x), y: min(a.y, b.y), width: abs(b.x - a.x), height: abs(b.y - a.y))
  }

  func stored(_ point: Point3) -> Landmark {
    let position = toStored(point.xy)
    return Landmark(x: Float(position.x), y: Float(position.y), z: Float(point.z / storedWidth))
  }

  /// From normalized coordinates of the stored picture to pixels of the upright one.
  func upright(_ box: Rectangle) -> Rectangle {
    guard let back = toStored.inverse else { return .zero }
    let (a, b) = (back(Point(x: box.x, y: box.y)), back(Point(x: box.maxX, y: box.maxY)))
    return Rectangle(
      x: min(a.x, b.x), y: min(a.y, b.y), width: abs(b.x - a.x), height: abs(b.y - a.y))
  }

  /// Normalized coordinates of a point in pixels of the stored picture, whose centres have integer
  /// coordinates; its depth is in pixels of the upright picture.
  func normalizedStored(_ point: Point3) -> Landmark {
    Landmark(
      x: Float((point.x + 0.5) * pixelAspect / storedWidth),
      y: Float((point.y + 0.5) / storedHeight), z: Float(point.z / storedWidth))
  }
}
