import Faces
import Pixels
import Support
import Testing

/// The two meshes, blendshapes and the head's transform in the metadata.
@Suite(.timeLimit(.minutes(20))) struct MeshChoiceTests {
  private func face(_ properties: String, width: Int = 320) throws -> CapturedFrame.FaceMeta {
    precondition(Registered.now)
    let frames = try Registered.frames(
      Registered.photograph(.i420, width: width, height: width)
        + " ! facedetect \(properties) ! fakesink name=sink")
    return try #require(frames.first?.faces.first)
  }

  @Test(
    arguments: [
      ("", 478), ("expressions=false", 468), ("mesh=468", 468), ("mesh=478", 478),
      ("mesh=478 expressions=false", 478), ("blendshapes=true expressions=false", 478),
      ("landmarks=false", 0), ("tracking=false", 478),
    ])
  func theMeshIsTheOneThatIsWanted(properties: String, points: Int) throws {
    let face = try face(properties)
    #expect(face.landmarks.count == points)
    #expect(face.blendshapes.count == (properties.contains("blendshapes") ? 52 : 0))
    #expect(face.transform.count == (properties.contains("expressions=false") ? 0 : 16))
    #expect(face.blendshapes.allSatisfy { (0...1).contains($0) })
  }

  @Test func smallFacesHaveTheSmallerMesh() throws {
    #expect(try face("", width: 180).landmarks.count == 468)
  }

  @Test func theAstronautSmilesOnBothMeshes() throws {
    let scores = try face("blendshapes=true").blendshapes
    for (name, score) in zip(Blendshape.names, scores) where name.hasPrefix("mouthSmile") {
      #expect(score > 0.5)
    }
  }

  @Test func withoutItsModelFacesHaveTheSmallerMeshUnlessTheOtherIsRequired() throws {
    let folder = ScratchFolder()
    let missing = "face_landmarks_detector.tflite"
    for name in [
      "face_detection_yunet_2023mar.onnx", "face_detection_short_range.tflite",
      "face_landmark.tflite", "iris_landmark.tflite", "face_blendshapes.tflite",
    ] {
      folder.write(name, ScratchFolder.bytes(Photograph.models + "/" + name))
    }
    #expect(try face("model-dir=\(folder.path)").landmarks.count == 468)
    for properties in ["mesh=478", "blendshapes=true"] {
      let error = #expect(throws: Pipeline.Failure.self) {
        try face("\(properties) model-dir=\(folder.path)")
      }
      #expect(error?.description.contains("\(missing) was not found") == true)
    }
  }

  @Test func coversAreMeasuredWithoutTheModelsOfHandsButNotWithInvalidOnes() throws {
    let folder = ScratchFolder()
    for name in [
      "face_detection_yunet_2023mar.onnx", "face_detection_short_range.tflite",
      "face_landmark.tflite", "iris_landmark.tflite",
    ] {
      folder.write(name, ScratchFolder.bytes(Photograph.models + "/" + name))
    }
    // An effect that reads covers.
    let properties = "model-dir=\(folder.path) ! beautifymask"
    #expect(try face(properties).landmarks.count == 468)
    folder.write("palm_detection_lite.tflite", [1, 2, 3])
    #expect(throws: Pipeline.Failure.self) { try face(properties) }
    // Where covers are not measured no network of hands is read. Effects of other tests, in the same
    // process, ask for covers too.
    #expect(try face("occlusion=none model-dir=\(folder.path)").landmarks.count == 468)
  }

  @Test func blendshapesNeedTheMeshWithIrises() throws {
    let error = #expect(throws: Pipeline.Failure.self) { try face("blendshapes=true mesh=468") }
    #expect(error?.description.contains("mesh=478") == true)
  }
}
