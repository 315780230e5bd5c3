package import CGStreamer

/// What tests do to pipelines again and again.
extension Pipeline {
  /// The error with which a description fails, and nil where it plays to its end.
  package static func failure(of description: String) -> Failure? {
    do {
      try Pipeline(description).run()
      return nil
    } catch {
      return error as? Failure
    }
  }

  /// A property of an element as GStreamer writes it; empty where there is none.
  package func value(_ element: String, _ property: String) -> String {
    guard let named = self.element(element) else { return "" }
    defer { gst_object_unref(named) }
    return Self.value(named, property)
  }

  /// The same of an element in no pipeline.
  package static func value(
    _ element: UnsafeMutablePointer<GstElement>, _ property: String
  ) -> String {
    var value = GValue()
    g_object_get_property(
      UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), property, &value)
    defer { g_value_unset(&value) }
    guard let text = gst_value_serialize(&value) else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// Goes to each state and back to NULL, `rounds` times; returns how many changes failed.
  package func failuresOfStates(rounds: Int, _ between: (_ round: Int) -> Void = { _ in }) -> Int {
    var failures = 0
    for state in [GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING, GST_STATE_NULL] {
      for round in 0..<rounds {
        if setState(state) == GST_STATE_CHANGE_FAILURE { failures += 1 }
        between(round)
        setState(GST_STATE_NULL)
      }
    }
    return failures
  }

  /// Plays to the end while one property after the other of an element is set from this thread:
  /// one of those that `choices` offers for a round, drawn from `random`.
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

  /// Names of the presets of an element of such a kind, which is lent with them.
  package static func presets<R>(
    of kind: String, _ body: (UnsafeMutablePointer<GstElement>, [String]) throws -> R
  ) throws -> R {
    gst_preset_set_app_dir(Photograph.root + "/presets")
    guard let element = gst_element_factory_make(kind, nil) else {
      throw Failure(description: "no element \(kind)", detail: "")
    }
    defer { gst_object_unref(element) }
    let names = gst_preset_get_preset_names(OpaquePointer(element))
    defer { g_strfreev(names) }
    var found: [String] = []
    while let name = names?[found.count] { found.append(String(cString: name)) }
    return try body(element, found.sorted())
  }

  /// Has the sink of a name say that metadata of these kinds may come.
  package func offer(_ apis: [GType], at name: String) throws {
    guard let sink = element(name) else {
      throw Failure(description: "no element \(name)", detail: "")
    }
    defer { gst_object_unref(sink) }
    guard let pad = gst_element_get_static_pad(sink, "sink") else {
      throw Failure(description: "no pad sink", detail: "")
    }
    defer { gst_object_unref(pad) }
    final class Offer {
      let apis: [GType]
      init(_ apis: [GType]) { self.apis = apis }
    }
    gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
      { _, info, user in
        guard let query = gst_pad_probe_info_get_query(info),
          query.pointee.type == GST_QUERY_ALLOCATION
        else { return GST_PAD_PROBE_OK }
        for api in Unmanaged<Offer>.fromOpaque(user!).takeUnretainedValue().apis {
          gst_query_add_allocation_meta(query, api, nil)
        }
        return GST_PAD_PROBE_HANDLED
      }, Unmanaged.passRetained(Offer(apis)).toOpaque(),  // released with the probe
      { Unmanaged<Offer>.fromOpaque($0!).release() })
  }
}
