package import CGStreamer

/// An error or warning that an element posts on the bus.
///
/// `message` is for the user: the problem, the file, and the remedy. `detail` is for developers.
package struct ElementError: Error, Sendable {
  /// The kind of failure; each maps to one GStreamer error domain and code.
  package enum Code: Sendable {
    /// A file does not exist.
    case notFound
    /// A file exists but cannot be read.
    case openRead
    /// A file has invalid content.
    case wrongContent
    /// Settings, or the pipeline, are inconsistent.
    case settings
    /// A frame's memory or metadata does not match its caps.
    case wrongFrame
    /// Any other failure.
    case failed
  }

  package let code: Code
  package let message: String
  package let detail: String

  package init(_ code: Code, _ message: String, detail: String = "") {
    self.code = code
    self.message = message
    self.detail = detail
  }

  private var domainAndCode: (domain: GQuark, code: gint) {
    switch code {
    case .notFound: (gst_resource_error_quark(), gint(GST_RESOURCE_ERROR_NOT_FOUND.rawValue))
    case .openRead: (gst_resource_error_quark(), gint(GST_RESOURCE_ERROR_OPEN_READ.rawValue))
    case .wrongContent: (gst_stream_error_quark(), gint(GST_STREAM_ERROR_WRONG_TYPE.rawValue))
    case .settings: (gst_library_error_quark(), gint(GST_LIBRARY_ERROR_SETTINGS.rawValue))
    case .wrongFrame: (gst_stream_error_quark(), gint(GST_STREAM_ERROR_FORMAT.rawValue))
    case .failed: (gst_stream_error_quark(), gint(GST_STREAM_ERROR_FAILED.rawValue))
    }
  }

  package func post(
    on element: UnsafeMutablePointer<GstElement>,
    as type: GstMessageType = GST_MESSAGE_ERROR
  ) {
    let (domain, code) = domainAndCode
    // Takes ownership of both texts.
    gst_element_message_full(
      element, type, domain, code, g_strdup(message), detail.isEmpty ? nil : g_strdup(detail),
      "", "", 0)
  }
}
