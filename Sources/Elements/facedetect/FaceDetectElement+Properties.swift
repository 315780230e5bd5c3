import Binding
import Vision

extension FaceDetectElement {
  static let properties: [Property<FaceDetectSettings>] = [
    .choice(
      "accuracy", \.finder.accuracy,
      "Detectors: low is one network for faces near the camera, at half the cost; high also finds "
        + "groups, and distant and turned faces."),
    .double(
      "min-confidence", \.finder.minConfidence, in: 0...1,
      "Minimum confidence of a face. Lower values find more faces and more false positives. A face "
        + "with a mesh needs half of it. In video a face is reported at once if its confidence is "
        + "higher by 0.15, otherwise after it was detected in four of seven searches."),
    .uint(
      "max-faces", \.finder.maxFaces, in: 1...64,
      "Maximum number of faces per frame. Tracked faces have priority over new ones, and new ones "
        + "with a higher confidence over others."),
    .double(
      "min-face-size", \.finder.minFaceSize, in: 0...1,
      "Size of the smallest face reported, as a fraction of the frame's shorter side; 0 reports "
        + "all."),
    .bool(
      "tracking", \.finder.tracking,
      "Track faces from frame to frame: a face keeps its id while it is in view. If off, frames "
        + "are independent, every face has a new id, and no face-event messages are posted."),
    .uint(
      "detect-interval", \.finder.detectInterval, in: 1...300,
      "Frames between searches for new faces. Higher values cost less and find new faces later. "
        + "Known faces are tracked by their landmarks, or without those by their picture, which "
        + "needs no search. While a face is lost or not confirmed yet, and while more than four small faces "
        + "are known, every frame is searched; while no face is in view, most, or every "
        + "one if this is 1; while max-faces faces are tracked, none."),
    .choice(
      "tiles", \.finder.tiles,
      "Tiles of the frame that are searched separately to find smaller faces, for example in "
        + "groups and crowds. In a 16:9 frame halves cost four more searches, thirds nine."),
    .bool(
      "landmarks", \.finder.landmarks,
      "Report the mesh points of each face, 468 or 478. If this and expressions are off, the mesh network "
        + "only verifies new faces and weak detections, if its model is there."),
    .bool(
      "expressions", \.finder.expressions,
      "Measure eye and mouth opening, smile and head pose of each face. If off, they are not "
        + "computed and the eye model is not loaded."),
    .choice(
      "mesh", \.finder.mesh,
      "Network of the face mesh. That of 478 points has the irises, and lids that close; it takes "
        + "half as long again as that of 468 points and its eye model. A face keeps its mesh."),
    .bool(
      "blendshapes", \.finder.blendshapes,
      "Measure 52 blendshapes of each face, as puppets and avatars use them, from the mesh of 478 "
        + "points, which every face then has."),
    .choice(
      "hands", \.hands,
      "When hands are searched for and reported (MienHands): 21 points, left or right, and the gesture of each. A "
        + "search takes a few milliseconds, in every third frame while no hand is known and in every sixth "
        + "while some are missing; a known hand is measured in every frame."),
    .uint(
      "max-hands", \.maxHands, in: 1...4,
      "Maximum number of hands per frame. Known hands have priority over new ones."),
    .choice(
      "occlusion", \.occlusion,
      "When what covers a face, such as a hand, is measured, so that sticker, beautifymask, "
        + "facereshape and photoeffect leave it alone. Only in videos, since what covers a face is "
        + "told from it by the memory of the face; for up to four tracked faces with landmarks."),
    .bool(
      "heads", \.finder.heads,
      "Report the head of a person without a face, such as one in profile or seen from behind, as a face that has a box "
        + "alone, so that facehide hides it. Heads come from a mask of people: in every frame "
        + "without a face, in every fifth one else. Other effects would be drawn at their boxes too."
    ),
    .double(
      "smoothing", \.finder.smoothing, in: 0...1,
      "Strength of the filter against jitter of boxes and points: 0 reports raw values, 1 filters "
        + "most and lags behind fast faces. Nothing is filtered if tracking is off."),
    .videoDirection(\.direction),
    .bool(
      "async", \.async,
      "Detect faces on another thread, always in the newest frame. Frames never wait; each carries "
        + "the newest result, which is at least one frame old, with the motion of its faces "
        + "extrapolated."),
    .bool(
      "display", \.display,
      "Draw the box, points, id and pose of each face into the picture. Frames with other "
        + "references are copied for this."),
    .choice("updates", \.updates, "When facedetect messages are posted on the bus."),
    .choice(
      "analytics", \.analytics,
      "When faces are also written as GstAnalytics metadata, which other analytics elements read: "
        + "object detections \"face\" with tracks and expressions. Needs GStreamer 1.24 or newer."),
    .path(
      "model-dir", \.modelDirectory, atStart: true,
      "Folder of the model files. If unset, $MIEN_MODEL_PATH, the plugin's folder and the data "
        + "folders are searched."),
    .uint(
      "n-threads", \.threads, in: 0...64, atStart: true,
      "Threads of the networks; 0 uses one per core. The output is the same for every number."),
  ]
}
