/* Annotates for the thread sanitizer the synchronisation inside GLib, GStreamer and Swift's library,
   which are not instrumented; without this each hand-over between threads would be reported as a race.
   The executable's definitions take precedence over the libraries' own.

   Each change of a reference count counts as acquire and release. That can hide a race and cannot
   invent one. */
#if defined (__has_feature)
#if __has_feature (thread_sanitizer)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

/* The wrappers themselves are not instrumented either. */
#pragma clang attribute push (__attribute__ ((no_sanitize ("thread"))), apply_to = function)

extern void __tsan_acquire (void *place);
extern void __tsan_release (void *place);

#define REAL(name) \
  static __typeof__ (&name) real; \
  if (real == NULL) \
    real = (__typeof__ (&name)) dlsym (RTLD_NEXT, #name)

/* Represents all buffer pools: recycled buffers are synchronised through it. */
static int pools;

/* GMutex is a futex in GLib 2.74; recursive and reader-writer locks use pthread, which is known. */
void
g_mutex_lock (void *mutex)
{
  REAL (g_mutex_lock);
  real (mutex);
  __tsan_acquire (mutex);
}

int
g_mutex_trylock (void *mutex)
{
  REAL (g_mutex_trylock);
  int locked = real (mutex);
  if (locked)
    __tsan_acquire (mutex);
  return locked;
}

void
g_mutex_unlock (void *mutex)
{
  REAL (g_mutex_unlock);
  __tsan_release (mutex);
  real (mutex);
}

void
g_cond_wait (void *condition, void *mutex)
{
  REAL (g_cond_wait);
  __tsan_release (mutex);
  real (condition, mutex);
  __tsan_acquire (mutex);
}

int
g_cond_wait_until (void *condition, void *mutex, int64_t end)
{
  REAL (g_cond_wait_until);
  __tsan_release (mutex);
  int result = real (condition, mutex, end);
  __tsan_acquire (mutex);
  return result;
}

void
gst_mini_object_unref (void *object)
{
  REAL (gst_mini_object_unref);
  __tsan_acquire (object);
  __tsan_release (object);
  __tsan_release (&pools);
  real (object);
}

int
gst_buffer_pool_acquire_buffer (void *pool, void **buffer, void *parameters)
{
  REAL (gst_buffer_pool_acquire_buffer);
  int result = real (pool, buffer, parameters);
  __tsan_acquire (&pools);
  return result;
}

void
g_object_unref (void *object)
{
  REAL (g_object_unref);
  __tsan_acquire (object);
  __tsan_release (object);
  real (object);
}

void
gst_object_unref (void *object)
{
  REAL (gst_object_unref);
  __tsan_acquire (object);
  __tsan_release (object);
  real (object);
}

/* The contended paths of Synchronization.Mutex, where the kernel hands the lock over. The uncontended
   path is an atomic operation in instrumented code. */
__attribute__ ((swiftcall)) void
lock_contended (uint32_t thread, __attribute__ ((swift_context)) void *handle)
    __asm__ ("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
__attribute__ ((swiftcall)) void
unlock_contended (__attribute__ ((swift_context)) void *handle)
    __asm__ ("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

__attribute__ ((swiftcall)) void
lock_contended (uint32_t thread, __attribute__ ((swift_context)) void *handle)
{
  static __typeof__ (&lock_contended) real;
  if (real == NULL)
    real = (__typeof__ (&lock_contended)) dlsym (RTLD_NEXT,
        "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
  real (thread, handle);
  __tsan_acquire (handle);
}

__attribute__ ((swiftcall)) void
unlock_contended (__attribute__ ((swift_context)) void *handle)
{
  static __typeof__ (&unlock_contended) real;
  if (real == NULL)
    real = (__typeof__ (&unlock_contended)) dlsym (RTLD_NEXT,
        "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
  __tsan_release (handle);
  real (handle);
}

#pragma clang attribute pop
#endif
#endif
