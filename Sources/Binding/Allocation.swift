import CGStreamer
import Frames

/// Proposes to upstream what downstream supports, except for metadata by which a sink shows other
/// pixels than those that elements process.
///
/// Upstream then crops and blends the frames itself.
func proposeAllocation(
  _ transform: UnsafeMutablePointer<GstBaseTransform>,
  _ decided: UnsafeMutablePointer<GstQuery>?, _ query: UnsafeMutablePointer<GstQuery>
) -> gboolean {
  let parent = cgst_base_transform_class()!.pointee.propose_allocation
  guard parent?(transform, decided, query) ?? 0 != 0 else { return 0 }
  for index in (0..<gst_query_get_n_allocation_metas(query)).reversed()
  where !isProposable(gst_query_parse_nth_allocation_meta(query, index, nil)) {
    gst_query_remove_nth_allocation_meta(query, index)
  }
  // Any strides are accepted if they need not be passed downstream, or downstream accepts them.
  let element = instance(of: transform)
  let api = gst_video_meta_api_get_type()
  if let outputStrategy = element.outputStrategy,
    element.keepsMemories || outputStrategy.allocatesFrames,
    gst_query_find_allocation_meta(query, api, nil) == 0
  {
    gst_query_add_allocation_meta(query, api, nil)
  }
  return 1
}

/// Whether an element processes the same pixels of a frame with this metadata as a sink shows.
private func isProposable(_ api: GType) -> Bool {
  if api == gst_video_meta_api_get_type() { return true }
  return api != gst_video_crop_meta_api_get_type()
    && api != gst_video_overlay_composition_meta_api_get_type()
    && api != gst_video_affine_transformation_meta_api_get_type()
    // Metadata about the memory may be wrong after an element has written to it.
    && gst_meta_api_type_has_tag(api, g_quark_from_string("memory")) == 0
}

/// Decides how output frames are allocated.
func decideAllocation(
  _ transform: UnsafeMutablePointer<GstBaseTransform>, _ query: UnsafeMutablePointer<GstQuery>
) -> gboolean {
  let element = instance(of: transform)
  element.keepsMemories =
    gst_query_find_allocation_meta(query, gst_video_meta_api_get_type(), nil) != 0
  if element.outputStrategy?.allocatesFrames == true {
    addBufferPool(to: query, supportsVideoMeta: element.keepsMemories)
  }
  return cgst_base_transform_class()!.pointee.decide_allocation(transform, query)
}

/// Adds a buffer pool if downstream has none; otherwise GstBaseTransform allocates every frame.
private func addBufferPool(to query: UnsafeMutablePointer<GstQuery>, supportsVideoMeta: Bool) {
  var caps: UnsafeMutablePointer<GstCaps>?
  var info = GstVideoInfo()
  gst_query_parse_allocation(query, &caps, nil)
  guard gst_query_get_n_allocation_pools(query) == 0, gst_video_info_from_caps(&info, caps) != 0,
    let pool = gst_video_buffer_pool_new()
  else { return }
  defer { gst_object_unref(pool) }
  let config = gst_buffer_pool_get_config(pool)
  gst_buffer_pool_config_set_params(config, caps, guint(info.size), 0, 0)
  if supportsVideoMeta { gst_buffer_pool_config_add_option(config, "GstBufferPoolOptionVideoMeta") }
  gst_buffer_pool_set_config(pool, config)
  gst_query_add_allocation_pool(query, pool, guint(info.size), 0, 0)
}
