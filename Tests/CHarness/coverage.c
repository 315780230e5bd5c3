/* Code coverage from clang's counters, one byte per edge, of every module compiled with
   -sanitize-coverage=edge,inline-8bit-counters (clang.llvm.org/docs/SanitizerCoverage.html). */
#include <CHarness.h>
#include <string.h>

#define MAXIMUM_MODULES 64
#define MAXIMUM_EDGES (1 << 20)

static struct { uint8_t *start, *stop; } modules[MAXIMUM_MODULES];
static size_t count;
/* For each edge a bit per class of hit counts seen so far. */
static uint8_t covered[MAXIMUM_EDGES];

/* Called by each module's initialisation code; overrides the weak definition in the sanitizer's runtime. */
void
__sanitizer_cov_8bit_counters_init (uint8_t *start, uint8_t *stop)
{
  size_t i;

  for (i = 0; i < count; i++)
    if (modules[i].start == start)
      return;
  if (start == stop || count == MAXIMUM_MODULES
      || charness_edges () + (size_t) (stop - start) > MAXIMUM_EDGES)
    return;
  modules[count].start = start;
  modules[count++].stop = stop;
}

size_t
charness_edges (void)
{
  size_t i, sum = 0;

  for (i = 0; i < count; i++)
    sum += (size_t) (modules[i].stop - modules[i].start);
  return sum;
}

size_t
charness_edges_covered (void)
{
  size_t i, sum = 0, all = charness_edges ();

  for (i = 0; i < all; i++)
    sum += covered[i] != 0;
  return sum;
}

/* Classes of hit counts as in AFL, a bit each: 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more. */
static uint8_t
class_of (uint8_t times)
{
  return times < 4 ? 1 << (times - 1) : times < 8 ? 8 : times < 16 ? 16 : times < 32 ? 32
      : times < 128 ? 64 : 128;
}

int
charness_has_new_coverage (void)
{
  size_t i;
  int novel = 0;
  uint8_t *known = covered;

  for (i = 0; i < count; i++) {
    uint8_t *place = modules[i].start, *stop = modules[i].stop;
    while (place < stop) {
      uint64_t eight;
      /* Nearly all counters are 0: skip eight at once. */
      if (stop - place >= 8 && (memcpy (&eight, place, 8), eight == 0)) {
        place += 8;
        known += 8;
        continue;
      }
      if (*place != 0) {
        uint8_t bit = class_of (*place);
        novel |= !(*known & bit);
        *known |= bit;
        *place = 0;
      }
      place++;
      known++;
    }
  }
  return novel;
}
