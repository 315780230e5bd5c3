import Glibc
import Hiding
import Pixels
import Support

/// A picture of noise before and after parts of it were hidden.
struct HiddenPicture {
  let before: OwnedPicture
  let after: OwnedPicture

  init(
    _ format: PixelFormat, _ width: Int, _ height: Int, _ areas: [HiddenArea],
    _ settings: HideSettings = HideSettings()
  ) {
    before = .noise(
      VideoFormat(
        format: format, width: width, height: height, colorimetry: format.colorimetry(.bt601)),
      seed: UInt64(width + 7 * height))
    after = before.copy()
    after.withPicture { FaceHider().hide(areas, in: $0, settings) }
  }

  /// Calls `body` with each sample of each component, before and after, and the pixel it begins at.
  func forEachSample(
    _ body: (_ component: Int, _ x: Int, _ y: Int, _ before: UInt8, _ after: UInt8) -> Void
  ) {
    let layout = before.format.layout
    for (index, (before, after)) in zip(before.samples, after.samples).enumerated() {
      let place = layout[index]
      let columns = PixelLayout.subsampled(self.before.width, by: place.hShift)
      for (at, (a, b)) in zip(before, after).enumerated() {
        body(index, (at % columns) << place.hShift, (at / columns) << place.vShift, a, b)
      }
    }
  }

  /// Bytes that belong to no component, or to no pixel, and were changed all the same.
  var foreignChanges: Int {
    var used: [Set<Int>] = []
    let layout = before.format.layout
    for plane in 0..<layout.planeCount {
      var bytes = Set<Int>()
      for place in layout.components where place.plane == plane {
        for x in 0..<PixelLayout.subsampled(before.width, by: place.hShift) {
          bytes.insert(place.offset + x * place.step)
        }
      }
      used.append(bytes)
    }
    var changes = 0
    before.withPicture { before in
      after.withPicture { after in
        for plane in 0..<layout.planeCount {
          for y in 0..<before.plane(plane).height {
            let (a, b) = (before.plane(plane).row(y), after.plane(plane).row(y))
            for x in 0..<a.count where a[x] != b[x] && !used[plane].contains(x) { changes += 1 }
          }
        }
      }
    }
    return changes
  }
}

/// A face in the middle of nowhere in particular.
func face(
  _ x: Double, _ y: Double, _ width: Double, _ height: Double, angle: Double = 0,
  errorBound: Double = 0
) -> HiddenArea {
  HiddenArea(
    face: Region(center: Point(x: x, y: y), width: width, height: height, angle: angle),
    errorBound: errorBound)
}

func cosine(_ angle: Double) -> Double { cos(angle) }
func sine(_ angle: Double) -> Double { sin(angle) }
