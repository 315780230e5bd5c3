/* Counts the allocations of the process it is preloaded into, and says how many at the end.

   It stands before glibc's functions of the same names, which are there under names of their own. */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t count, size_t size);
extern void *__libc_realloc (void *block, size_t size);
extern void *__libc_memalign (size_t alignment, size_t size);

static atomic_ulong allocations;

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

static void __attribute__ ((destructor))
report (void)
{
  fprintf (stderr, "allocations: %lu\n", atomic_load (&allocations));
}
