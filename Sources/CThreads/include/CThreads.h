#ifndef MIEN_CTHREADS_H
#define MIEN_CTHREADS_H
#include <pthreadpool.h>
#endif
