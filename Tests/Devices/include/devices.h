/* Nothing is called in here: GStreamer loads it. */
