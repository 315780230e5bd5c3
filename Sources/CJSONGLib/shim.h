#ifndef MIEN_CJSONGLIB_H
#define MIEN_CJSONGLIB_H
#include <json-glib/json-glib.h>
#endif
