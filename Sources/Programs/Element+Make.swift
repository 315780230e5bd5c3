import CGStreamer
package import Client

/// Elements of the programs: what cannot be made is an error for the user.
extension Element {
  package static func make(_ factory: String) throws(ProgramError) -> Element {
    guard let element = Element(factory: factory) else {
      throw .failure(
        "GStreamer has no element \(factory) here; install its plugins: good, bad, libav")
    }
    return element
  }

  /// A bin described in gst-launch syntax, with a ghost pad at either end.
  ///
  /// Not for descriptions with `decodebin`: the element behind it, which is linked only when the
  /// stream is known, would get a ghost pad. See `pipeline(_:)`.
  package static func bin(_ description: String) throws(ProgramError) -> Element {
    do throws(ClientError) {
      return try Element(bin: description)
    } catch {
      throw .failure(error.text)
    }
  }

  /// A pipeline described in gst-launch syntax.
  package static func pipeline(_ description: String) throws(ProgramError) -> Element {
    do throws(ClientError) {
      return try Element(launch: description)
    } catch {
      throw .failure(error.text)
    }
  }

  /// A new empty pipeline.
  package static func pipeline() throws(ProgramError) -> Element {
    guard let raw = gst_pipeline_new(nil) else { throw .failure("GStreamer makes no pipeline") }
    return Element(raw)
  }
}
