import CGStreamer
package import CGstApp
package import Client

/// Elements that hand data to the application or get it from there.
extension Element {
  /// The element as an appsink.
  private var sink: UnsafeMutablePointer<GstAppSink> { cast(to: GstAppSink.self) }

  /// The element as an appsrc.
  package var appSource: UnsafeMutablePointer<GstAppSrc> { cast(to: GstAppSrc.self) }

  /// Calls `body` on the streaming thread with each sample that an appsink gets.
  ///
  /// `isPreroll`: the sample is the one at which a paused pipeline stands.
  package func onSample(_ body: @escaping (Sample, _ isPreroll: Bool) -> Void) {
    typealias Body = (Sample, Bool) -> Void
    var callbacks = GstAppSinkCallbacks()
    callbacks.new_sample = { sink, user in
      if let sample = gst_app_sink_try_pull_sample(sink, 0) {
        Box<Body>.content(user)(Sample(adopting: sample), false)
      }
      return GST_FLOW_OK
    }
    callbacks.new_preroll = { sink, user in
      if let sample = gst_app_sink_try_pull_preroll(sink, 0) {
        Box<Body>.content(user)(Sample(adopting: sample), true)
      }
      return GST_FLOW_OK
    }
    gst_app_sink_set_callbacks(sink, &callbacks, Box.retained(body), releaseBox)
  }

  /// The next sample of an appsink; nil after a timeout or at the end.
  package func pullSample(milliseconds: Int) -> Sample? {
    gst_app_sink_try_pull_sample(sink, GstClockTime(milliseconds) * 1_000_000)
      .map { Sample(adopting: $0) }
  }
}
