#ifndef MIEN_CPTHREADPOOL_H
#define MIEN_CPTHREADPOOL_H
#include <pthreadpool.h>
#endif
