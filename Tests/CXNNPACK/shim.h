#ifndef MIEN_CXNNPACK_H
#define MIEN_CXNNPACK_H
#include <pthreadpool.h>
#include <xnnpack.h>
#endif
