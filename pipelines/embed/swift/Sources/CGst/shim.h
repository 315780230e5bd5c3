#include <glib-unix.h>
#include <gst/gst.h>

/* Casts, which are macros, and Swift sees no macros with arguments. */
static inline GstBin *cgst_bin (GstElement *element) { return GST_BIN (element); }
static inline GObject *cgst_object (GstElement *element) { return G_OBJECT (element); }
