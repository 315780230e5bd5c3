/// Places in the face mesh, by the numbers of MediaPipe's points (face_mesh_connections.py).
///
/// Left and right are the image's: the left eye is the viewer's left.
package enum MeshIndex {
  /// The 16 points round the eye at the image's left: lower lid from the outer corner, then upper.
  package static let leftEye = [
    33, 7, 163, 144, 145, 153, 154, 155, 133, 246, 161, 160, 159, 158, 157, 173,
  ]
  /// The 16 points round the eye at the image's right, mirrored one by one.
  package static let rightEye = [
    263, 249, 390, 373, 374, 380, 381, 382, 362, 466, 388, 387, 386, 385, 384, 398,
  ]
}
