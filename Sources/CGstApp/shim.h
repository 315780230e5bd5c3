#ifndef MIEN_CGSTAPP_H
#define MIEN_CGSTAPP_H
#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#endif
