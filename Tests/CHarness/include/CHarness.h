#ifndef MIEN_CHARNESS_H
#define MIEN_CHARNESS_H
/* What a program that attacks the elements needs and only C can do: to notice which code ran, to say
   what it was doing when it is ended by a signal, and to notice calls that do not return. */
/* For malloc_trim, which Swift's own module of the C library leaves out. */
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>

/* coverage.c. Counters of the code compiled with -sanitize-coverage=edge,inline-8bit-counters; 0
   where none was. */
size_t charness_edges (void);
/* Of them those met since the process began. */
size_t charness_edges_met (void);
/* Whether an edge, or a number of times it was taken, was met for the first time since the last
   call; sets all counters back. */
int charness_is_novel (void);

/* witness.c. What is being tried: these bytes. Kept, not copied; NULL for nothing. */
void charness_trying (const uint8_t *bytes, size_t count);
/* From now on a process that dies or hangs writes what it tried into the file `keep`, unless that is
   empty, and says `line`, by which it is tried again; both are copied. Called again for other words. */
void charness_witness (const char *keep, const char *line);
/* What is done and said then. */
void charness_ended (void);
/* The same for something that is wrong and leaves the process alive: writes the file alone. */
int charness_keep (void);

/* Whether a sanitizer is at work, which keeps freed memory and slows all down. */
int charness_is_sanitized (void);

/* watch.c. Has a thread watch from now on that no call lasts longer: it prints the call and the
   stacks of all threads, and ends the process with status 3. Seconds. */
void charness_watch (double limit);
/* A call begins or ends, on this thread. `name` must stay. */
void charness_enter (const char *name);
void charness_leave (void);
/* Prints the stacks of all threads where there is a gdb. */
void charness_stacks (void);

#endif
