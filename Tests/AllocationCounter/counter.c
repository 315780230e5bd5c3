/* Preloaded into a process (LD_PRELOAD), counts its allocations while it writes frames, and prints at
   exit the number from frame ALLOCATION_COUNTER_FIRST to the last one.

   The functions here override those of glibc, which are called by their internal names. A frame is one
   call of writev, as an unbuffered filesink makes it. */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t count, size_t size);
extern void *__libc_realloc (void *block, size_t size);
extern void *__libc_memalign (size_t alignment, size_t size);

static atomic_ulong allocations;
/* The number of written frames; the number of allocations up to the first counted frame, and up to the last. */
static unsigned long frames, at_first, at_last;

static void
count (void)
{
  atomic_fetch_add_explicit (&allocations, 1, memory_order_relaxed);
}

void *
malloc (size_t size)
{
  count ();
  return __libc_malloc (size);
}

void *
calloc (size_t number, size_t size)
{
  count ();
  return __libc_calloc (number, size);
}

void *
realloc (void *block, size_t size)
{
  count ();
  return __libc_realloc (block, size);
}

void *
memalign (size_t alignment, size_t size)
{
  count ();
  return __libc_memalign (alignment, size);
}

void *
aligned_alloc (size_t alignment, size_t size)
{
  return memalign (alignment, size);
}

int
posix_memalign (void **block, size_t alignment, size_t size)
{
  *block = memalign (alignment, size);
  return *block == NULL ? ENOMEM : 0;
}

ssize_t
writev (int file, const struct iovec *parts, int number)
{
  const char *first = getenv ("ALLOCATION_COUNTER_FIRST");

  frames++;
  at_last = atomic_load (&allocations);
  if (first != NULL && frames == strtoul (first, NULL, 10))
    at_first = at_last;
  return syscall (SYS_writev, file, parts, number);
}

static void __attribute__ ((destructor))
report (void)
{
  fprintf (stderr, "allocations: %lu in %lu frames\n", at_last - at_first, frames);
}
