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
    _ tracks: [Track], _ picture: borrowing Picture, _ context: Context
  ) throws(ModelError) -> [Face] {
    guard !cancellation.isSet else { return [] }
    var drafts = tracks.map { makeDraft($0, context) }
    if context.settings.expressions { try measureExpressions(&drafts, picture, context) }
    if context.settings.blendshapes { measureBlendshapes(&drafts, context) }
    return cancellation.isSet ? [] : drafts.map(\.face)
  }

  /// Appends the heads of people without a face, as faces with a box alone.
  func appendHeads(
    to faces: inout [Face], _ picture: borrowing Picture, _ context: Context
  ) throws(ModelError) {
    guard context.settings.heads, let headFinder, !cancellation.isSet else { return }
    let view = context.view
    let heads = try headFinder.heads(
      in: picture, view, faces: faces.map { view.upright($0.box) }, gain: context.gain
    ) { tracker.newID() }
    faces += heads.prefix(max(0, context.settings.maxFaces - faces.count)).map {
      Face(id: $0.id, confidence: $0.probability, box: view.stored($0.box))
    }
  }

  private func makeDraft(_ track: Track, _ context: Context) -> FaceDraft {
    let (shown, view) = (smoothed(track, context), context.view)
    var face = Face(
      id: track.id, confidence: track.score, box: view.stored(shown.box),
      keypoints: shown.keypoints.map { view.stored($0) })
    face.velocity = view.stored(track.velocity) - view.stored(.zero)
    if context.settings.landmarks, let mesh = shown.mesh {
      face.landmarks = mesh.points.map { view.stored($0) }
    }
    return FaceDraft(track: track, face: face, mesh: shown.mesh)
  }

  /// Measures the expressions; the eyes of all faces are measured together.
  private func measureExpressions(
    _ drafts: inout [FaceDraft], _ picture: borrowing Picture, _ context: Context
  ) throws(ModelError) {
    var (eyes, owners): ([EyeOpennessModel.Eye], [Int]) = ([], [])
    for number in drafts.indices {
      guard let mesh = drafts[number].mesh else { continue }
      drafts[number].pose = HeadPose(mesh)
      drafts[number].face.pose = drafts[number].pose
      let frame = context.view.frame
      drafts[number].face.transform =
        HeadTransform.matrix(mesh, width: frame.width, height: frame.height) ?? []
      let track = drafts[number].track
      for isLeft in eyesToMeasure(track, mesh, yaw: drafts[number].yaw) {
        eyes.append(EyeOpennessModel.Eye(mesh: track.observation.mesh ?? mesh, isLeft: isLeft))
        owners.append(number)
      }
    }
    let aspects = try eyeAspects(picture, context, eyes)
    guard !cancellation.isSet else { return }
    for (number, aspect) in aspects.enumerated() {
      let track = drafts[owners[number]].track
      if eyes[number].isLeft {
        track.expressionEvents.eyes.left.update(
          aspect.value, aspect.source, seconds: context.seconds)
      } else {
        track.expressionEvents.eyes.right.update(
          aspect.value, aspect.source, seconds: context.seconds)
      }
    }
    for number in drafts.indices {
      guard let mesh = drafts[number].mesh else { continue }
      let (track, yaw) = (drafts[number].track, drafts[number].yaw)
      let expression = Expression(mesh, eyes: track.expressionEvents.eyes.openness(yaw: yaw))
      drafts[number].face.expression = expression
      guard context.settings.tracking else { continue }
      for kind in track.expressionEvents.update(expression, yaw: yaw, time: track.lastUpdate) {
        report(kind, track.id)
      }
    }
  }

  /// The time constant of the filter of blendshapes at a smoothing of 1, in seconds.
  ///
  /// It is short, since the points that the scores are computed from are smoothed already.
  private static let blendshapeTime = 0.06

  private func measureBlendshapes(_ drafts: inout [FaceDraft], _ context: Context) {
    for number in drafts.indices where !cancellation.isSet {
      guard let mesh = drafts[number].mesh, let scores = blendshapeModel?.scores(of: mesh) else {
        continue
      }
      let time = Self.blendshapeTime * context.settings.smoothing
      let weight = Float(context.seconds > 0 ? context.seconds / (context.seconds + time) : 1)
      let track = drafts[number].track
      if track.blendshapes.count != scores.count || track.isFirstAfterGap {
        track.blendshapes = scores
      } else {
        for index in scores.indices {
          track.blendshapes[index] += weight * (scores[index] - track.blendshapes[index])
        }
      }
      drafts[number].face.blendshapes = track.blendshapes
    }
  }

  private func smoothed(_ track: Track, _ context: Context) -> Observation {
    let (amount, seconds) = (context.settings.smoothing, context.seconds)
    var shown = track.observation
    if track.isFirstAfterGap { track.smoother.reset() }
    if var mesh = shown.mesh {
      track.smoother.smooth(&mesh.points, size: shown.size, seconds: seconds, amount: amount)
      return amount > 0 ? Observation(mesh) : shown
    }
    // Without a mesh the corners of the box are smoothed with the keypoints.
    var points =
      ([Point(x: shown.box.x, y: shown.box.y), Point(x: shown.box.maxX, y: shown.box.maxY)]
      + shown.keypoints).map { Point3(x: $0.x, y: $0.y, z: 0) }
    track.smoother.smooth(&points, size: shown.size, seconds: seconds, amount: amount)
    shown.box = Rectangle(from: points[0].xy, to: points[1].xy)
    shown.keypoints = points.dropFirst(2).map(\.xy)
    return shown
  }

  /// The eyes of a face that are measured in this picture: true for the image's left one.
  ///
  /// Without irises in the mesh the two eyes alternate, because measuring one costs as much as the mesh, and a blink lasts at
  /// least two pictures. The eye on the far side of a turned head is not measured.
  private func eyesToMeasure(_ track: Track, _ mesh: Mesh, yaw: Double) -> [Bool] {
    let visible = ExpressionState.visibleEyes(yaw: yaw)
    let alternates = visible.left && visible.right && eyeModel != nil && !mesh.hasIrises
    track.expressionEvents.isLeftEyeNext.toggle()
    let (events, eyes) = (track.expressionEvents, track.expressionEvents.eyes)
    let skipsLeft = alternates && !events.isLeftEyeNext && eyes.left.openness != nil
    let skipsRight = alternates && events.isLeftEyeNext && eyes.right.openness != nil
    return (visible.left && !skipsLeft ? [true] : [])
      + (visible.right && !skipsRight ? [false] : [])
  }
}
