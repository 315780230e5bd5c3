/* The threads of a pool, to which a Swift closure is lent.

   Whoever runs a job works at it too, and takes slices until none is left. A helper takes part only if
   it comes while some are; then the job is closed, and only who is at work on a slice is waited for. So
   where the processor is busy with other things a run takes no longer than without helpers, save for a
   slice whose helper is not let on. Who waits looks for a moment, and sleeps then: a job follows a job
   within microseconds, or within a frame. (pthreadpool waits for every thread to have come, looking a
   million times: two threads on two busy cores took fourteen times as long as one.)

   Swift puts a closure that does not escape on the stack, and must copy it to the heap before it can
   give its address to C: an allocation for every run. Here the closure comes as its two words, as
   Swift passes it (clang's swiftcall), and stays on the stack, where the run outlives its use. */
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

/* A job's gate: how many helpers are at work, whether more may join, and whether somebody sleeps until
   none is. */
enum { OPEN = 1u << 31, AWAITED = 1u << 30, AT_WORK = AWAITED - 1 };

/* How long is looked for what is about to come. */
static const int64_t patience = 30000;

struct MienCrew
{
  pthread_t *threads;
  unsigned helpers;
  /* One run after another. */
  pthread_mutex_t callers;
  /* The job, written while the gate is shut and nobody is at work. */
  SliceBody body;
  void *context;
  size_t count;
  _Atomic size_t next;
  _Atomic uint32_t gate;
  /* Of the job; it changes when there is one, or when the crew ends. */
  _Atomic uint32_t number;
  /* Helpers that sleep, or are about to, until the number changes. */
  _Atomic uint32_t asleep;
  /* Whether another job follows at once. */
  atomic_bool goes_on;
  atomic_bool ends;
};

static void
sleep_while (_Atomic uint32_t *word, uint32_t value)
{
  syscall (SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void
wake (_Atomic uint32_t *word, unsigned most)
{
  syscall (SYS_futex, word, FUTEX_WAKE_PRIVATE, most, NULL, NULL, 0);
}

static int64_t
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C (1000000000) + time.tv_nsec;
}

static inline void
rest (void)
{
#if defined (__x86_64__) || defined (__i386__)
  __builtin_ia32_pause ();
#elif defined (__aarch64__)
  __asm__ volatile ("isb");
#endif
}

/* Looks at a word until the bits of `mask` are (`wanted`), or are not, `bits`, or patience ends; returns
   the word. */
static uint32_t
look (_Atomic uint32_t *word, uint32_t mask, uint32_t bits, bool wanted)
{
  int64_t end = now () + patience;
  uint32_t value;

  for (unsigned times = 1;; times++) {
    value = atomic_load_explicit (word, memory_order_acquire);
    if (((value & mask) == bits) == wanted || (times % 32 == 0 && now () > end))
      return value;
    rest ();
  }
}

static void
work (MienCrew *crew)
{
  for (;;) {
    size_t slice = atomic_fetch_add_explicit (&crew->next, 1, memory_order_relaxed);

    if (slice >= crew->count)
      return;
    crew->body (slice, crew->context);
  }
}

/* Waits for another job than `seen`. */
static uint32_t
await (MienCrew *crew, uint32_t seen)
{
  uint32_t number = seen;

  if (atomic_load_explicit (&crew->goes_on, memory_order_relaxed))
    number = look (&crew->number, UINT32_MAX, seen, false);
  while (number == seen) {
    /* In this order, as the other in `mien_run_slices`: one of both sees what the other did. */
    atomic_fetch_add (&crew->asleep, 1);
    if (atomic_load (&crew->number) == seen)
      sleep_while (&crew->number, seen);
    atomic_fetch_sub (&crew->asleep, 1);
    number = atomic_load (&crew->number);
  }
  return number;
}

static void *
help (void *data)
{
  MienCrew *crew = data;
  uint32_t seen = 0;

  for (;;) {
    seen = await (crew, seen);
    if (atomic_load (&crew->ends))
      return NULL;

    uint32_t gate = atomic_load_explicit (&crew->gate, memory_order_relaxed);
    bool joined = false;

    while ((gate & OPEN) && !joined)
      joined = atomic_compare_exchange_weak_explicit (&crew->gate, &gate, gate + 1,
          memory_order_acquire, memory_order_relaxed);
    if (!joined)
      continue;
    work (crew);
    gate = atomic_fetch_sub_explicit (&crew->gate, 1, memory_order_acq_rel);
    if ((gate & AWAITED) && (gate & AT_WORK) == 1)
      wake (&crew->gate, 1);
  }
}

/* Swift: ThreadPool.swift, runSlices. */
__attribute__ ((swiftcall)) void
mien_run_slices (MienCrew *crew, size_t count, uint32_t goes_on, SliceBody body, void *context)
{
  pthread_mutex_lock (&crew->callers);
  crew->body = body;
  crew->context = context;
  crew->count = count;
  atomic_store_explicit (&crew->next, 0, memory_order_relaxed);
  atomic_store_explicit (&crew->goes_on, goes_on, memory_order_relaxed);
  atomic_store_explicit (&crew->gate, OPEN, memory_order_release);
  atomic_fetch_add (&crew->number, 1);

  uint32_t asleep = atomic_load (&crew->asleep);

  if (asleep > 0)
    wake (&crew->number, count - 1 < asleep ? (unsigned) (count - 1) : asleep);
  work (crew);

  uint32_t gate = atomic_fetch_and_explicit (&crew->gate, ~OPEN, memory_order_acq_rel);

  if (gate & AT_WORK)
    gate = look (&crew->gate, AT_WORK, 0, true);
  while (gate & AT_WORK) {
    gate = atomic_fetch_or_explicit (&crew->gate, AWAITED, memory_order_acquire) | AWAITED;
    if (gate & AT_WORK) {
      sleep_while (&crew->gate, gate);
      gate = atomic_load_explicit (&crew->gate, memory_order_acquire);
    }
  }
  pthread_mutex_unlock (&crew->callers);
}

MienCrew *
mien_crew_new (unsigned helpers)
{
  MienCrew *crew = calloc (1, sizeof *crew);
  sigset_t all, before;

  if (crew == NULL)
    return NULL;
  crew->threads = calloc (helpers, sizeof *crew->threads);
  pthread_mutex_init (&crew->callers, NULL);
  /* Signals are for the threads of whoever expects them. */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  while (crew->threads != NULL && crew->helpers < helpers
      && pthread_create (&crew->threads[crew->helpers], NULL, help, crew) == 0)
    crew->helpers++;
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  if (crew->helpers > 0)
    return crew;
  mien_crew_free (crew);
  return NULL;
}

unsigned
mien_crew_helpers (const MienCrew *crew)
{
  return crew->helpers;
}

void
mien_crew_free (MienCrew *crew)
{
  atomic_store (&crew->ends, true);
  atomic_fetch_add (&crew->number, 1);
  wake (&crew->number, INT_MAX);
  for (unsigned i = 0; i < crew->helpers; i++)
    pthread_join (crew->threads[i], NULL);
  pthread_mutex_destroy (&crew->callers);
  free (crew->threads);
  free (crew);
}
