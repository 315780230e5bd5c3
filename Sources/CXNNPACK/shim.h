#ifndef MIEN_CXNNPACK_H
#define MIEN_CXNNPACK_H
#include <cpuinfo.h>
#include <pthreadpool.h>
#include <xnnpack.h>
#ifdef __x86_64__
#include <cpuid.h>

/* What the processor itself says it has, as long as the system keeps the registers; a macro with
   output operands and an instruction that Swift has no word for. Bits: 1 FMA, 2 AVX2, 4 AVX-512F. */
static inline unsigned int
cxnn_processor (void)
{
  unsigned int a, b, c, d, low, high, found = 0;

  if (!__get_cpuid (1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
    return 0;
  __asm__ ("xgetbv" : "=a" (low), "=d" (high) : "c" (0));
  /* Without the upper halves of the registers, XMM and YMM, none of it can be used. */
  if ((low & 0x06) != 0x06)
    return 0;
  if (c & bit_FMA)
    found |= 1;
  if (__get_cpuid_count (7, 0, &a, &b, &c, &d)) {
    if (b & bit_AVX2)
      found |= 2;
    if ((b & bit_AVX512F) && (low & 0xe0) == 0xe0)
      found |= 4;
  }
  return found;
}
#endif
#endif
