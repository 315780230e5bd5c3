/// Places in the 468-point face mesh that the mask needs.
///
/// Indices are those of MediaPipe's face_mesh_connections.py (FACEMESH_FACE_OVAL, _LIPS,
/// _LEFT_EYE, _RIGHT_EYE, _LEFT_EYEBROW, _RIGHT_EYEBROW), put in order round each feature.
/// Left and right are the image's.
package enum FaceMeshRings {
  /// Round the face, clockwise on the screen from the top of the forehead.
  package static let oval = [
    10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377,
    152, 148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
  ]
  package static let leftEye = [
    33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246,
  ]
  package static let rightEye = [
    263, 249, 390, 373, 374, 380, 381, 382, 362, 398, 384, 385, 386, 387, 388, 466,
  ]
  package static let leftBrow = [70, 63, 105, 66, 107, 55, 65, 52, 53, 46]
  package static let rightBrow = [300, 293, 334, 296, 336, 285, 295, 282, 283, 276]
  package static let lips = [
    61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291, 375, 321, 405, 314, 17, 84, 181, 91, 146,
  ]

  /// What is cut out of the oval.
  package static let holes = [leftEye, rightEye, leftBrow, rightBrow, lips]
}
