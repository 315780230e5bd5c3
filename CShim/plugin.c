/* The plugin's description: GST_PLUGIN_DEFINE is a macro that Swift cannot import. */
#include "level.h"

#define PACKAGE "gst-mien"

extern gboolean mien_register_elements (GstPlugin * plugin);

static gboolean
plugin_init (GstPlugin * plugin)
{
  return mien_best_level (mien_register_elements) (plugin);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, mien,
    "Finds faces in video, and retouches, decorates and keys the picture",
    plugin_init, "0.1.0", "MIT/X11", PACKAGE, "https://mien.invalid")
