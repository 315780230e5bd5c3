#ifndef MIEN_CTHREADS_H
#define MIEN_CTHREADS_H

/* Threads that help with slices of work; see ThreadPool.swift. */
typedef struct MienCrew MienCrew;

/* Starts up to `helpers` threads; NULL where the system gives none. */
MienCrew *mien_crew_new (unsigned helpers);

/* How many there are. */
unsigned mien_crew_helpers (const MienCrew *crew);

/* Ends the threads and waits for them; nobody may run anything any more. */
void mien_crew_free (MienCrew *crew);
#endif
