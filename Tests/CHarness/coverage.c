/* Which code was met: clang's counters, one byte an edge, of every module that was compiled with
   -sanitize-coverage=edge,inline-8bit-counters (clang.llvm.org/docs/SanitizerCoverage.html). */
#include <CHarness.h>
#include <string.h>

#define MOST_MODULES 64
#define MOST_EDGES (1 << 20)

static struct { uint8_t *start, *stop; } modules[MOST_MODULES];
static size_t count;
/* Of each edge the classes of counts that were met. */
static uint8_t met[MOST_EDGES];

/* Called by each module's own start-up code; a sanitizer's runtime has a weak one of this name. */
void
__sanitizer_cov_8bit_counters_init (uint8_t *start, uint8_t *stop)
{
  size_t i;

  for (i = 0; i < count; i++)
    if (modules[i].start == start)
      return;
  if (start == stop || count == MOST_MODULES
      || charness_edges () + (size_t) (stop - start) > MOST_EDGES)
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
charness_edges_met (void)
{
  size_t i, sum = 0, all = charness_edges ();

  for (i = 0; i < all; i++)
    sum += met[i] != 0;
  return sum;
}

/* 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127 and more times: a bit each, as AFL has them. */
static uint8_t
class_of (uint8_t times)
{
  return times < 4 ? 1 << (times - 1) : times < 8 ? 8 : times < 16 ? 16 : times < 32 ? 32
      : times < 128 ? 64 : 128;
}

int
charness_is_novel (void)
{
  size_t i;
  int novel = 0;
  uint8_t *known = met;

  for (i = 0; i < count; i++) {
    uint8_t *place = modules[i].start, *stop = modules[i].stop;
    while (place < stop) {
      uint64_t eight;
      /* Nearly all of them are 0. */
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
