/* A watchdog: ends the process when a call does not return in time. */
#define _GNU_SOURCE
#include <CHarness.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAXIMUM_THREADS 64

static struct {
  _Atomic (const char *) call;
  _Atomic int64_t start;
} threads[MAXIMUM_THREADS];
static atomic_int used;
static _Thread_local int own = -1;
static int64_t limit;

static int64_t
now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C (1000000000) + t.tv_nsec;
}

void
charness_call_begins (const char *name)
{
  if (own < 0)
    own = atomic_fetch_add (&used, 1) % MAXIMUM_THREADS;
  atomic_store (&threads[own].start, now ());
  atomic_store (&threads[own].call, name);
}

void
charness_call_ends (void)
{
  if (own >= 0)
    atomic_store (&threads[own].call, NULL);
}

void
charness_print_stacks (void)
{
  char self[16];
  pid_t child;

  if (access ("/usr/bin/gdb", X_OK) != 0)
    return;
  snprintf (self, sizeof self, "%d", (int) getpid ());
  prctl (PR_SET_PTRACER, PR_SET_PTRACER_ANY);
  child = fork ();
  if (child == 0) {
    /* Discard gdb's messages about debug information. */
    dup2 (2, 1);
    dup2 (open ("/dev/null", O_WRONLY), 2);
    execl ("/usr/bin/gdb", "gdb", "-q", "-nx", "-batch", "-iex", "set debuginfod enabled off",
        "-iex", "set complaints 0",
        "-ex", "set width 160", "-ex", "thread apply all bt 24", "-p", self, (char *) NULL);
    _exit (127);
  }
  if (child > 0)
    waitpid (child, NULL, 0);
}

static void *
watch (void *unused)
{
  (void) unused;
  for (;;) {
    struct timespec pause = { 0, 50000000 };
    int i;
    nanosleep (&pause, NULL);
    for (i = 0; i < MAXIMUM_THREADS; i++) {
      const char *call = atomic_load (&threads[i].call);
      int64_t start = atomic_load (&threads[i].start);
      if (call == NULL || now () - start <= limit || atomic_load (&threads[i].call) != call
          || atomic_load (&threads[i].start) != start)
        continue;
      fprintf (stderr, "\nmien: hangs: %s has not returned for %.1f s\n", call,
          (double) (now () - start) / 1e9);
      charness_print_stacks ();
      charness_print_report ();
      _exit (3);
    }
  }
  return NULL;
}

void
charness_start_watchdog (double seconds)
{
  pthread_t thread;
  int64_t before = limit;

  limit = (int64_t) (seconds * 1e9);
  if (before == 0 && pthread_create (&thread, NULL, watch, NULL) == 0)
    pthread_detach (thread);
}
