#ifndef MIEN_CXNNPACK_H
#define MIEN_CXNNPACK_H
#include <pthreadpool.h>
#include <stdint.h>
/* Debian 13's version deprecates calls whose successors Debian 12's does not have. */
#define deprecated unused
#include <xnnpack.h>
#undef deprecated

/* Newer versions keep the dimensions that a mean takes out on this word alone, older ones always. */
#ifdef XNN_FLAG_KEEP_DIMS
static const uint32_t cxnn_flag_keep_dims = XNN_FLAG_KEEP_DIMS;
#else
static const uint32_t cxnn_flag_keep_dims = 0;
#endif
#endif
