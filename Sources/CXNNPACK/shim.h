#ifndef MIEN_CXNNPACK_H
#define MIEN_CXNNPACK_H
#include <cpuinfo.h>
#include <pthreadpool.h>
#include <xnnpack.h>
#endif
