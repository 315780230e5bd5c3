import Faces
import Inference
import Pixels

extension FaceFinder {
  /// Smooths what was seen of a face, measures pose and expression, and gives it in shares of the
  /// stored picture.
  func describe(
    _ track: Track, _ picture: borrowing Picture, _ view: View, _ settings: Settings,
    seconds: Double
  ) throws(ModelError) -> Face {
    let raw = track.sighting
    let shown = smoothed(track, settings, seconds: seconds)
    var face = Face(
      id: track.id, confidence: track.score, box: view.stored(shown.box),
      keypoints: shown.keypoints.map { view.stored($0) })
    face.velocity = view.stored(track.velocity) - view.stored(.zero)
    guard let mesh = shown.mesh else { return face }
    if settings.landmarks { face.landmarks = mesh.points.map { view.stored($0) } }
    guard settings.expressions else { return face }
    let pose = HeadPose(mesh)
    face.pose = pose
    let eyes = try openness(
      track, picture, view, raw: raw.mesh ?? mesh, yaw: pose?.yaw ?? 0, seconds: seconds)
    let expression = Expression(mesh, eyes: eyes)
    face.expression = expression
    if settings.tracking {
      for kind in track.watch.update(expression, yaw: pose?.yaw ?? 0, time: track.lastSeen) {
        report(kind, track.id)
      }
    }
    return face
  }

  private func smoothed(_ track: Track, _ settings: Settings, seconds: Double) -> Sighting {
    var shown = track.sighting
    if track.isFresh { track.smoother.reset() }
    if var mesh = shown.mesh {
      track.smoother.smooth(
        &mesh.points, size: shown.size, seconds: seconds, amount: settings.smoothing)
      return settings.smoothing > 0 ? Sighting(mesh) : shown
    }
    // Without a mesh the box's corners are points like the others.
    var points =
      ([Point(x: shown.box.x, y: shown.box.y), Point(x: shown.box.maxX, y: shown.box.maxY)]
      + shown.keypoints).map { Point3(x: $0.x, y: $0.y, z: 0) }
    track.smoother.smooth(&points, size: shown.size, seconds: seconds, amount: settings.smoothing)
    shown.box = Rectangle(from: points[0].flat, to: points[1].flat)
    shown.keypoints = points.dropFirst(2).map(\.flat)
    return shown
  }

  /// How far the eyes are open.
  ///
  /// Of a face that is followed the eyes are looked at in turn, for looking at one costs more than
  /// the mesh; lids stay shut for two pictures at least. An eye on the far side of a turned head is
  /// not looked at; it counts as open as the other.
  private func openness(
    _ track: Track, _ picture: borrowing Picture, _ view: View, raw: Mesh, yaw: Double,
    seconds: Double
  ) throws(ModelError) -> (left: Double, right: Double) {
    let visible = FaceMood.visibleEyes(yaw: yaw)
    let takesTurns = visible.left && visible.right && lidsAreAtWork
    track.watch.isLeftsTurn.toggle()
    let isLeftsTurn = track.watch.isLeftsTurn
    if visible.left && !(takesTurns && !isLeftsTurn && track.watch.eyes.left.openness != nil) {
      let aspect = try eyeAspect(picture, view, raw, isLeft: true)
      track.watch.eyes.left.learn(aspect.value, aspect.source, seconds: seconds)
    }
    if visible.right && !(takesTurns && isLeftsTurn && track.watch.eyes.right.openness != nil) {
      let aspect = try eyeAspect(picture, view, raw, isLeft: false)
      track.watch.eyes.right.learn(aspect.value, aspect.source, seconds: seconds)
    }
    return track.watch.eyes.openness(yaw: yaw)
  }
}
