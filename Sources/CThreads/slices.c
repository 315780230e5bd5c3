/* Lends a Swift closure to the threads of a pool.

   Swift puts a closure that does not escape on the stack, and must copy it to the heap before it can
   give its address to C: an allocation for every run. Here the closure comes as its two words, as
   Swift passes it (clang's swiftcall), and stays on the stack, where the run outlives its use. */
#include <CThreads.h>

typedef __attribute__ ((swiftcall)) void (*SliceBody) (size_t slice,
    __attribute__ ((swift_context)) void *context);

typedef struct
{
  SliceBody body;
  void *context;
} Closure;

/* pthreadpool hands over by atomics that are not instrumented. */
#if defined (__has_feature)
#if __has_feature (thread_sanitizer)
extern void __tsan_acquire (void *place);
extern void __tsan_release (void *place);
#define HANDED_OUT(place) __tsan_release (place)
#define TAKEN(place) __tsan_acquire (place)
#endif
#endif
#ifndef TAKEN
#define HANDED_OUT(place)
#define TAKEN(place)
#endif

static void
run_slice (void *closure, size_t slice)
{
  const Closure *c = closure;

  TAKEN (closure);
  c->body (slice, c->context);
  HANDED_OUT (closure);
}

/* Swift: ThreadPool.swift, runSlices. */
__attribute__ ((swiftcall)) void
mien_run_slices (pthreadpool_t pool, size_t count, uint32_t goes_on, SliceBody body, void *context)
{
  Closure closure = { body, context };

  HANDED_OUT (&closure);
  /* Idle threads sleep between frames; spinning would cost other elements their cores. Between the
     steps of one network they would wake up later than they are needed. */
  pthreadpool_parallelize_1d (pool, run_slice, &closure, count,
      goes_on ? 0 : PTHREADPOOL_FLAG_YIELD_WORKERS);
  TAKEN (&closure);
}
