#ifndef MIEN_CHARNESS_H
#define MIEN_CHARNESS_H
/* The parts of the fuzzer and the stress test that need C: code coverage, crash reports, a watchdog. */
/* For malloc_trim, which Swift's own module of the C library leaves out. */
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>

/* coverage.c. Edges of the code compiled with -sanitize-coverage=edge,inline-8bit-counters; 0 without. */
size_t charness_edges (void);
/* Edges covered since the process began. */
size_t charness_edges_covered (void);
/* Whether an edge, or a class of hit counts of one, was covered for the first time since the last call;
   resets all counters. */
int charness_has_new_coverage (void);

/* crash_report.c. Sets the current input, which is not copied; NULL for none. */
void charness_set_input (const uint8_t *bytes, size_t count);
/* Sets what is reported when the process dies or hangs: the input is written to `file`, unless that is
   empty, and `line`, the command that repeats it, is printed. Both are copied. */
void charness_set_crash_report (const char *file, const char *line);
/* Writes the input and prints the report, once. */
void charness_print_report (void);
/* Writes the input to its file only, for a failure that the process survives; whether that succeeded. */
int charness_save_input (void);

/* Whether the process runs under a sanitizer, which keeps freed memory and slows everything down. */
int charness_is_sanitized (void);

/* watchdog.c. Starts a thread that ends the process with status 3 when a call lasts longer than `limit`
   seconds, after printing the call and the stacks of all threads. Called again, changes the limit. */
void charness_start_watchdog (double limit);
/* A call begins or ends on this thread. `name` must stay valid. */
void charness_call_begins (const char *name);
void charness_call_ends (void);
/* Prints the stacks of all threads, if gdb is installed. */
void charness_print_stacks (void);

#endif
