import Binding
import Metadata

/// Registers all elements with GStreamer; returns 1 if all were registered, else 0.
package func registerElements(_ plugin: OpaquePointer?) -> Int32 {
  FaceMetadata.register()
  HandMetadata.register()
  MaskMetadata.register()
  let registered = [
    register(FaceDetectElement.self, in: plugin),
    register(BeautifyMaskElement.self, in: plugin),
    register(ChromaKeyElement.self, in: plugin),
    register(PersonKeyElement.self, in: plugin),
    register(StickerElement.self, in: plugin),
    register(PhotoEffectElement.self, in: plugin),
    register(FaceHideElement.self, in: plugin),
    register(FaceReshapeElement.self, in: plugin),
    register(MienLookElement.self, in: plugin),
  ]
  return registered.allSatisfy { $0 } ? 1 : 0
}
