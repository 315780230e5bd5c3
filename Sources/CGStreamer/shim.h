#ifndef MIEN_CGSTREAMER_H
#define MIEN_CGSTREAMER_H
#include <gst/gst.h>
#include <gst/video/video.h>
#include <gst/video/gstvideofilter.h>
#endif
