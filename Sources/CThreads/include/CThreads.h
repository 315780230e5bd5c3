#ifndef MIEN_CTHREADS_H
#define MIEN_CTHREADS_H

/* Threads that helper_main with slices of work; see ThreadPool.swift. */
typedef struct MienThreadPool MienThreadPool;

/* Starts up to `helpers` threads; NULL if none can be started. */
MienThreadPool *mien_thread_pool_new (unsigned helpers);

/* The number of helper threads. */
unsigned mien_thread_pool_helpers (const MienThreadPool *pool);

/* Stops and joins the threads; no run may be in progress. */
void mien_thread_pool_free (MienThreadPool *pool);
#endif
