import Faces
import Inference
import Pixels
import Threads

extension FaceFinder {
  /// A face before its eyes are measured.
  private struct FaceDraft {
    let track: Track
    var face: Face
    var mesh: Mesh?
    var pose: HeadPose?

    var yaw: Double { pose?.yaw ?? 0 }
  }

  /// Smooths the faces, measures pose and expression, and converts them to normalized coordinates
  /// of the stored picture.
  func makeFaces(
    _ tracks: [Track], _ picture: borrowing Picture, _ view: UprightView, _ settings: Settings,
    seconds: Double
  ) throws(ModelError) -> [Face] {
    guard !interruption.isSet else { return [] }
    var drafts = tracks.map { makeDraft($0, view, settings, seconds: seconds) }
    if settings.expressions {
      try measureExpressions(&drafts, picture, view, settings, seconds: seconds)
    }
    return interruption.isSet ? [] : drafts.map(\.face)
  }

  private func makeDraft(
    _ track: Track, _ view: UprightView, _ settings: Settings, seconds: Double
  ) -> FaceDraft {
    let shown = smoothed(track, settings, seconds: seconds)
    var face = Face(
      id: track.id, confidence: track.score, box: view.stored(shown.box),
      keypoints: shown.keypoints.map { view.stored($0) })
    face.velocity = view.stored(track.velocity) - view.stored(.zero)
    if settings.landmarks, let mesh = shown.mesh {
      face.landmarks = mesh.points.map { view.stored($0) }
    }
    return FaceDraft(track: track, face: face, mesh: shown.mesh)
  }

  /// Measures the expressions; the eyes of all faces are measured together.
  private func measureExpressions(
    _ drafts: inout [FaceDraft], _ picture: borrowing Picture, _ view: UprightView,
    _ settings: Settings,
    seconds: Double
  ) throws(ModelError) {
    var (eyes, owners): ([EyeOpennessModel.Eye], [Int]) = ([], [])
    for number in drafts.indices {
      guard let mesh = drafts[number].mesh else { continue }
      drafts[number].pose = HeadPose(mesh)
      drafts[number].face.pose = drafts[number].pose
      let track = drafts[number].track
      for isLeft in eyesToMeasure(track, yaw: drafts[number].yaw) {
        eyes.append(EyeOpennessModel.Eye(mesh: track.observation.mesh ?? mesh, isLeft: isLeft))
        owners.append(number)
      }
    }
    let aspects = try eyeAspects(picture, view, eyes)
    guard !interruption.isSet else { return }
    for (number, aspect) in aspects.enumerated() {
      let track = drafts[owners[number]].track
      if eyes[number].isLeft {
        track.expressionEvents.eyes.left.update(aspect.value, aspect.source, seconds: seconds)
      } else {
        track.expressionEvents.eyes.right.update(aspect.value, aspect.source, seconds: seconds)
      }
    }
    for number in drafts.indices {
      guard let mesh = drafts[number].mesh else { continue }
      let (track, yaw) = (drafts[number].track, drafts[number].yaw)
      let expression = Expression(mesh, eyes: track.expressionEvents.eyes.openness(yaw: yaw))
      drafts[number].face.expression = expression
      guard settings.tracking else { continue }
      for kind in track.expressionEvents.update(expression, yaw: yaw, time: track.lastUpdate) {
        report(kind, track.id)
      }
    }
  }

  private func smoothed(_ track: Track, _ settings: Settings, seconds: Double) -> Observation {
    var shown = track.observation
    if track.isFirstAfterGap { track.smoother.reset() }
    if var mesh = shown.mesh {
      track.smoother.smooth(
        &mesh.points, size: shown.size, seconds: seconds, amount: settings.smoothing)
      return settings.smoothing > 0 ? Observation(mesh) : shown
    }
    // Without a mesh the corners of the box are smoothed with the keypoints.
    var points =
      ([Point(x: shown.box.x, y: shown.box.y), Point(x: shown.box.maxX, y: shown.box.maxY)]
      + shown.keypoints).map { Point3(x: $0.x, y: $0.y, z: 0) }
    track.smoother.smooth(&points, size: shown.size, seconds: seconds, amount: settings.smoothing)
    shown.box = Rectangle(from: points[0].flat, to: points[1].flat)
    shown.keypoints = points.dropFirst(2).map(\.flat)
    return shown
  }

  /// The eyes of a face that are measured in this picture: true for the image's left one.
  ///
  /// The two eyes alternate, because measuring one costs as much as the mesh, and a blink lasts at
  /// least two pictures. The eye on the far side of a turned head is not measured.
  private func eyesToMeasure(_ track: Track, yaw: Double) -> [Bool] {
    let visible = ExpressionState.visibleEyes(yaw: yaw)
    let takesTurns = visible.left && visible.right && hasEyeModel
    track.expressionEvents.isLeftEyeNext.toggle()
    let isLeftEyeNext = track.expressionEvents.isLeftEyeNext
    var eyes: [Bool] = []
    if visible.left
      && !(takesTurns && !isLeftEyeNext && track.expressionEvents.eyes.left.openness != nil)
    {
      eyes.append(true)
    }
    if visible.right
      && !(takesTurns && isLeftEyeNext && track.expressionEvents.eyes.right.openness != nil)
    {
      eyes.append(false)
    }
    return eyes
  }
}
