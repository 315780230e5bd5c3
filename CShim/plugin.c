/* The plugin's description: GST_PLUGIN_DEFINE is a macro that Swift cannot import. */
#include <gst/gst.h>

#define PACKAGE "gst-mien"

/* Swift: Sources/Elements/Plugin.swift */
extern gboolean mien_register_elements (GstPlugin * plugin);

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, mien,
    "Finds faces in video, and retouches, decorates and keys the picture",
    mien_register_elements, "0.1.0", "MIT/X11", PACKAGE, "https://mien.invalid")
