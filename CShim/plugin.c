/* The file that GStreamer loads: the plugin's description, which is a macro that Swift cannot
   import. Everything else is in libmien.so, which this file needs and the system's loader finds in
   ../mien, there in glibc-hwcaps the build for this processor. The origin is GStreamer's own text for
   "no address": the project has none yet. */
#include <gst/gst.h>

#define PACKAGE "gst-mien"

/* Swift: Sources/Library/Library.swift */
extern gboolean mien_register_elements (GstPlugin * plugin);

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, mien,
    "Finds faces in video, and retouches, decorates and keys the picture",
    mien_register_elements, MIEN_VERSION, "MIT/X11", PACKAGE, "Unknown package origin")
