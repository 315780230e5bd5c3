import Faces
import Inference
import Pixels
import Threads

extension FaceFinder {
  /// What is known of a face before its eyes were looked at.
  private struct Draft {
    let track: Track
    var face: Face
    var mesh: Mesh?
    var pose: HeadPose?

    var yaw: Double { pose?.yaw ?? 0 }
  }

  /// Smooths what was seen of faces, measures pose and expression, and gives it in shares of the
  /// stored picture.
  func describe(
    _ tracks: [Track], _ picture: borrowing Picture, _ view: View, _ settings: Settings,
    seconds: Double
  ) throws(ModelError) -> [Face] {
    guard !interruption.isSet else { return [] }
    var drafts = tracks.map { draft($0, view, settings, seconds: seconds) }
    if settings.expressions { try express(&drafts, picture, view, settings, seconds: seconds) }
    return interruption.isSet ? [] : drafts.map(\.face)
  }

  private func draft(
    _ track: Track, _ view: View, _ settings: Settings, seconds: Double
  ) -> Draft {
    let shown = smoothed(track, settings, seconds: seconds)
    var face = Face(
      id: track.id, confidence: track.score, box: view.stored(shown.box),
      keypoints: shown.keypoints.map { view.stored($0) })
    face.velocity = view.stored(track.velocity) - view.stored(.zero)
    if settings.landmarks, let mesh = shown.mesh {
      face.landmarks = mesh.points.map { view.stored($0) }
    }
    return Draft(track: track, face: face, mesh: shown.mesh)
  }

  /// Measures what faces do, the eyes of all of them together.
  private func express(
    _ drafts: inout [Draft], _ picture: borrowing Picture, _ view: View, _ settings: Settings,
    seconds: Double
  ) throws(ModelError) {
    var (eyes, owners): ([EyeLids.Eye], [Int]) = ([], [])
    for number in drafts.indices {
      guard let mesh = drafts[number].mesh else { continue }
      drafts[number].pose = HeadPose(mesh)
      drafts[number].face.pose = drafts[number].pose
      let track = drafts[number].track
      for isLeft in eyesToLookAt(track, yaw: drafts[number].yaw) {
        eyes.append(EyeLids.Eye(mesh: track.sighting.mesh ?? mesh, isLeft: isLeft))
        owners.append(number)
      }
    }
    let aspects = try eyeAspects(picture, view, eyes)
    guard !interruption.isSet else { return }
    for (number, aspect) in aspects.enumerated() {
      let track = drafts[owners[number]].track
      if eyes[number].isLeft {
        track.watch.eyes.left.learn(aspect.value, aspect.source, seconds: seconds)
      } else {
        track.watch.eyes.right.learn(aspect.value, aspect.source, seconds: seconds)
      }
    }
    for number in drafts.indices {
      guard let mesh = drafts[number].mesh else { continue }
      let (track, yaw) = (drafts[number].track, drafts[number].yaw)
      let expression = Expression(mesh, eyes: track.watch.eyes.openness(yaw: yaw))
      drafts[number].face.expression = expression
      guard settings.tracking else { continue }
      for kind in track.watch.update(expression, yaw: yaw, time: track.lastSeen) {
        report(kind, track.id)
      }
    }
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

  /// Which eyes of a face are looked at in this picture: whether the image's left one, or both.
  ///
  /// Of a face that is followed the eyes are looked at in turn, for looking at one costs as much as
  /// the mesh; lids stay shut for two pictures at least. An eye on the far side of a turned head is
  /// not looked at; it counts as open as the other.
  private func eyesToLookAt(_ track: Track, yaw: Double) -> [Bool] {
    let visible = ExpressionState.visibleEyes(yaw: yaw)
    let takesTurns = visible.left && visible.right && lidsAreAtWork
    track.watch.isLeftsTurn.toggle()
    let isLeftsTurn = track.watch.isLeftsTurn
    var eyes: [Bool] = []
    if visible.left && !(takesTurns && !isLeftsTurn && track.watch.eyes.left.openness != nil) {
      eyes.append(true)
    }
    if visible.right && !(takesTurns && isLeftsTurn && track.watch.eyes.right.openness != nil) {
      eyes.append(false)
    }
    return eyes
  }
}
