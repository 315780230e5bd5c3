package import CGStreamer

/// A failure an element reports on its bus before it gives up.
///
/// `message` is for the person in front of the application: what is wrong, with which file, and
/// what to do next. `detail` is for the developer.
package struct ElementError: Error, Sendable {
  /// What kind of failure it is; each maps to one GStreamer error domain and code.
  package enum Code: Sendable {
    /// A file is not where it was looked for.
    case notFound
    /// A file is there and cannot be read.
    case openRead
    /// A file was read and is not what it should be.
    case wrongContent
    /// Settings that do not go together.
    case settings
    /// A frame whose memory is not what its caps say.
    case wrongFrame
    /// Anything else.
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
    // GStreamer frees both texts.
    gst_element_message_full(
      element, type, domain, code, g_strdup(message), detail.isEmpty ? nil : g_strdup(detail),
      "", "", 0)
  }
}
