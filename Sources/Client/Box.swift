package import CGStreamer
import CJSONGLib

/// A Swift value that C code holds by reference, as the user data of a callback.
package final class Box<Content> {
  package let content: Content
  package init(_ content: Content) { self.content = content }

  /// User data with a reference, which `releaseBox` gives back.
  package static func retained(_ content: Content) -> gpointer {
    Unmanaged.passRetained(Box(content)).toOpaque()
  }

  /// The value behind user data made by `retained`.
  package static func content(_ user: gpointer?) -> Content {
    Unmanaged<Box>.fromOpaque(user!).takeUnretainedValue().content
  }
}

/// Gives back the reference that user data holds: a `GDestroyNotify`.
package func releaseBox(_ user: gpointer?) { Unmanaged<AnyObject>.fromOpaque(user!).release() }

/// What GStreamer says of a description or a call that fails.
package struct ClientError: Error {
  package let text: String
  package init(text: String) { self.text = text }

  /// Takes over `error`; `text` is used where it is nil.
  package init(_ error: UnsafeMutablePointer<GError>?, or text: String) {
    self.text = error.map { String(cString: $0.pointee.message) } ?? text
    if let error { g_error_free(error) }
  }
}
