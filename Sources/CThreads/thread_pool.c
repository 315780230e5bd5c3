/* A thread pool that borrows a Swift closure for each job.

   The caller of a job works on it too and takes slices until none is left. A helper joins only while
   slices remain; then the job is closed, and the caller waits only for helpers that have begun a slice.
   On busy cores a run therefore takes no longer than without helpers, except for a slice whose helper is
   preempted. A waiting thread spins briefly and then sleeps: the next job comes within microseconds, or
   with the next frame. (pthreadpool waits for every thread to arrive and spins a million times: two
   threads on two busy cores took fourteen times as long as one.)

   Swift keeps a non-escaping closure on the stack and copies it to the heap to pass its address to C:
   one allocation per run. This code receives the closure as the two words that Swift passes (clang's
   swiftcall), so it stays on the stack, and the run outlives its use. */
#define _GNU_SOURCE
#include <CThreads.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef __attribute__ ((swiftcall)) void (*SliceBody) (size_t slice,
    __attribute__ ((swift_context)) void *context);

/* A job's gate: the number of active helpers, whether more may join, and whether the caller sleeps until
   none is active. */
enum { OPEN = 1u << 31, CALLER_WAITS = 1u << 30, ACTIVE_MASK = CALLER_WAITS - 1 };

/* How long a thread spins before it sleeps. */
static const int64_t spin_nanoseconds = 30000;

struct MienThreadPool
{
  pthread_t *threads;
  unsigned helpers;
  /* One run after another. */
  pthread_mutex_t run_lock;
  /* The job, written while the gate is closed and no helper is active. */
  SliceBody body;
  void *context;
  size_t count;
  _Atomic size_t next;
  _Atomic uint32_t gate;
  /* The job's serial number; it changes with each job and when the pool stops. */
  _Atomic uint32_t job_number;
  /* Helpers that sleep, or are about to, until `job_number` changes. */
  _Atomic uint32_t sleeping;
  /* Whether another job follows within microseconds. */
  atomic_bool keep_spinning;
  atomic_bool is_stopping;
};

static void
futex_wait (_Atomic uint32_t *word, uint32_t value)
{
  syscall (SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void
futex_wake (_Atomic uint32_t *word, unsigned maximum)
{
  syscall (SYS_futex, word, FUTEX_WAKE_PRIVATE, maximum, NULL, NULL, 0);
}

static int64_t
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C (1000000000) + time.tv_nsec;
}

static inline void
cpu_relax (void)
{
#if defined (__x86_64__) || defined (__i386__)
  __builtin_ia32_pause ();
#elif defined (__aarch64__)
  __asm__ volatile ("isb");
#endif
}

/* Spins until the bits of `mask` in a word equal `bits` (`wanted`) or differ from them, or until
   `spin_nanoseconds` have passed; returns the word. */
static uint32_t
spin_until (_Atomic uint32_t *word, uint32_t mask, uint32_t bits, bool wanted)
{
  int64_t end = now () + spin_nanoseconds;
  uint32_t value;

  for (unsigned times = 1;; times++) {
    value = atomic_load_explicit (word, memory_order_acquire);
    if (((value & mask) == bits) == wanted || (times % 32 == 0 && now () > end))
      return value;
    cpu_relax ();
  }
}

static void
run_remaining_slices (MienThreadPool *pool)
{
  for (;;) {
    size_t slice = atomic_fetch_add_explicit (&pool->next, 1, memory_order_relaxed);

    if (slice >= pool->count)
      return;
    pool->body (slice, pool->context);
  }
}

/* Waits for a job other than `seen`; returns its serial number. */
static uint32_t
wait_for_job (MienThreadPool *pool, uint32_t seen)
{
  uint32_t job_number = seen;

  if (atomic_load_explicit (&pool->keep_spinning, memory_order_relaxed))
    job_number = spin_until (&pool->job_number, UINT32_MAX, seen, false);
  while (job_number == seen) {
    /* The order matters, as in `mien_run_slices`: at least one of both threads sees the other's write. */
    atomic_fetch_add (&pool->sleeping, 1);
    if (atomic_load (&pool->job_number) == seen)
      futex_wait (&pool->job_number, seen);
    atomic_fetch_sub (&pool->sleeping, 1);
    job_number = atomic_load (&pool->job_number);
  }
  return job_number;
}

static void *
helper_main (void *data)
{
  MienThreadPool *pool = data;
  uint32_t seen = 0;

  for (;;) {
    seen = wait_for_job (pool, seen);
    if (atomic_load (&pool->is_stopping))
      return NULL;

    uint32_t gate = atomic_load_explicit (&pool->gate, memory_order_relaxed);
    bool joined = false;

    while ((gate & OPEN) && !joined)
      joined = atomic_compare_exchange_weak_explicit (&pool->gate, &gate, gate + 1,
          memory_order_acquire, memory_order_relaxed);
    if (!joined)
      continue;
    run_remaining_slices (pool);
    gate = atomic_fetch_sub_explicit (&pool->gate, 1, memory_order_acq_rel);
    if ((gate & CALLER_WAITS) && (gate & ACTIVE_MASK) == 1)
      futex_wake (&pool->gate, 1);
  }
}

/* Called by ThreadPool.swift, `runOnPool`. */
__attribute__ ((swiftcall)) void
mien_run_slices (MienThreadPool *pool, size_t count, uint32_t keep_spinning, SliceBody body, void *context)
{
  pthread_mutex_lock (&pool->run_lock);
  pool->body = body;
  pool->context = context;
  pool->count = count;
  atomic_store_explicit (&pool->next, 0, memory_order_relaxed);
  atomic_store_explicit (&pool->keep_spinning, keep_spinning, memory_order_relaxed);
  atomic_store_explicit (&pool->gate, OPEN, memory_order_release);
  atomic_fetch_add (&pool->job_number, 1);

  uint32_t sleeping = atomic_load (&pool->sleeping);

  if (sleeping > 0)
    futex_wake (&pool->job_number, count - 1 < sleeping ? (unsigned) (count - 1) : sleeping);
  run_remaining_slices (pool);

  uint32_t gate = atomic_fetch_and_explicit (&pool->gate, ~OPEN, memory_order_acq_rel);

  if (gate & ACTIVE_MASK)
    gate = spin_until (&pool->gate, ACTIVE_MASK, 0, true);
  while (gate & ACTIVE_MASK) {
    gate = atomic_fetch_or_explicit (&pool->gate, CALLER_WAITS, memory_order_acquire) | CALLER_WAITS;
    if (gate & ACTIVE_MASK) {
      futex_wait (&pool->gate, gate);
      gate = atomic_load_explicit (&pool->gate, memory_order_acquire);
    }
  }
  pthread_mutex_unlock (&pool->run_lock);
}

MienThreadPool *
mien_thread_pool_new (unsigned helpers)
{
  MienThreadPool *pool = calloc (1, sizeof *pool);
  sigset_t all, before;

  if (pool == NULL)
    return NULL;
  pool->threads = calloc (helpers, sizeof *pool->threads);
  pthread_mutex_init (&pool->run_lock, NULL);
  /* The pool's threads block all signals: the application's threads handle them. */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  while (pool->threads != NULL && pool->helpers < helpers
      && pthread_create (&pool->threads[pool->helpers], NULL, helper_main, pool) == 0)
    pool->helpers++;
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  if (pool->helpers > 0)
    return pool;
  mien_thread_pool_free (pool);
  return NULL;
}

unsigned
mien_thread_pool_helpers (const MienThreadPool *pool)
{
  return pool->helpers;
}

void
mien_thread_pool_free (MienThreadPool *pool)
{
  atomic_store (&pool->is_stopping, true);
  atomic_fetch_add (&pool->job_number, 1);
  futex_wake (&pool->job_number, INT_MAX);
  for (unsigned i = 0; i < pool->helpers; i++)
    pthread_join (pool->threads[i], NULL);
  pthread_mutex_destroy (&pool->run_lock);
  free (pool->threads);
  free (pool);
}
