import Gst

/// Registers every element; called by the plugin's description in CShim.
@c(mien_register_elements)
package func registerElements(_ plugin: OpaquePointer?) -> Int32 {
  FaceMetadata.register()
  let registered = [
    register(FaceDetect.self, in: plugin),
    register(BeautifyMask.self, in: plugin),
    register(ChromaKeyElement.self, in: plugin),
    register(Sticker.self, in: plugin),
  ]
  return registered.allSatisfy { $0 } ? 1 : 0
}
