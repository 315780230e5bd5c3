package import CGStreamer
import Client

/// Operations on pipelines that several tests need.
extension Pipeline {
  /// Runs a pipeline and returns its error; nil if it plays to its end.
  package static func failure(of description: String) -> Failure? {
    do {
      try Pipeline(description).run()
      return nil
    } catch {
      return error as? Failure
    }
  }

  /// A property of an element, serialised by GStreamer; empty if the property does not exist.
  package static func value(
    _ element: UnsafeMutablePointer<GstElement>, _ property: String
  ) -> String {
    Element(element).text(property)
  }

  /// Changes to each of the states and back to NULL, `rounds` times; returns the number of failed
  /// changes.
  package func countFailedStateChanges(rounds: Int, _ between: (_ round: Int) -> Void = { _ in })
    -> Int
  {
    var failures = 0
    for (state, round) in product(
      [GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING, GST_STATE_NULL], 0..<rounds)
    {
      if setState(state) == GST_STATE_CHANGE_FAILURE { failures += 1 }
      between(round)
      setState(GST_STATE_NULL)
    }
    return failures
  }

  /// Plays to the end, while this thread sets one property of an element in each round, drawn by
  /// `random` from the `choices` for that round.
  package func play(
    changing element: String, rounds: Int, pause microseconds: gulong = 0,
    _ random: inout SplitMix,
    _ choices: (_ round: Int, _ random: inout SplitMix) -> [(property: String, value: String)]
  ) throws {
    setState(GST_STATE_PLAYING)
    defer { setState(GST_STATE_NULL) }
    for round in 0..<rounds {
      let offered = choices(round, &random)
      let chosen = offered[random.below(offered.count)]
      set(element, chosen.property, chosen.value)
      if microseconds > 0 { g_usleep(microseconds) }
    }
    try wait()
  }

  /// Calls `body` with a new element and the sorted names of its presets.
  package static func presets<R>(
    of factory: String, _ body: (UnsafeMutablePointer<GstElement>, [String]) throws -> R
  ) throws -> R {
    gst_preset_set_app_dir(Photograph.root + "/presets")
    guard let element = Element(factory: factory) else {
      throw Failure(description: "no element \(factory)")
    }
    return try withExtendedLifetime(element) { try body(element.raw, element.presets.sorted()) }
  }

  /// Makes a sink answer allocation queries with these metadata APIs.
  package func announceMetadata(_ apis: [GType], at name: String) throws {
    try pad(name, "sink").addProbe(GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM) { _, info in
      guard let query = gst_pad_probe_info_get_query(info),
        query.pointee.type == GST_QUERY_ALLOCATION
      else { return GST_PAD_PROBE_OK }
      for api in apis { gst_query_add_allocation_meta(query, api, nil) }
      return GST_PAD_PROBE_HANDLED
    }
  }
}
