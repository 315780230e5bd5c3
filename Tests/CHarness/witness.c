/* Says what was being tried when the process dies. Only calls that a signal handler may make. */
#define _GNU_SOURCE
#include <CHarness.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const uint8_t *volatile tried;
static volatile size_t tried_count;
static char keep[512], line[1024];
static volatile sig_atomic_t has_spoken;

/* Of the address sanitizer's runtime, where there is one: it handles SIGSEGV, SIGBUS and SIGFPE
   itself, and prints where memory was misused. */
extern void __sanitizer_set_death_callback (void (*callback) (void)) __attribute__ ((weak));

int
charness_is_sanitized (void)
{
  return __sanitizer_set_death_callback != NULL;
}

void
charness_trying (const uint8_t *bytes, size_t size)
{
  tried = bytes;
  tried_count = size;
}

int
charness_keep (void)
{
  size_t done = 0;
  int file;

  if (keep[0] == 0 || tried == NULL)
    return 0;
  file = open (keep, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0)
    return 0;
  while (done < tried_count) {
    ssize_t step = write (file, (const uint8_t *) tried + done, tried_count - done);
    if (step <= 0)
      break;
    done += (size_t) step;
  }
  close (file);
  return done == tried_count;
}

static void
say (const char *text)
{
  ssize_t ignored = write (2, text, strlen (text));
  (void) ignored;
}

void
charness_ended (void)
{
  if (has_spoken)
    return;
  has_spoken = 1;
  charness_keep ();
  say ("\nmien: FOUND, to repeat:  ");
  say (line);
  say ("\n");
}

static void
handle (int number)
{
  const char *names[] = { [SIGILL] = "SIGILL (a trap)", [SIGTRAP] = "SIGTRAP (a trap)",
    [SIGABRT] = "SIGABRT", [SIGFPE] = "SIGFPE", [SIGSEGV] = "SIGSEGV", [SIGBUS] = "SIGBUS" };

  signal (number, SIG_DFL);
  say ("\nmien: died of ");
  say (names[number]);
  say ("\n");
  charness_stacks ();
  charness_ended ();
  raise (number);
}

void
charness_witness (const char *file, const char *words)
{
  static const int ours[] = { SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSEGV, SIGBUS };
  static uint8_t stack[1 << 16];
  static int is_set;
  size_t i;

  snprintf (keep, sizeof keep, "%s", file);
  snprintf (line, sizeof line, "%s", words);
  has_spoken = 0;
  if (is_set)
    return;
  is_set = 1;
  /* A stack that overflowed cannot be stood on. */
  sigaltstack (&(stack_t) { .ss_sp = stack, .ss_size = sizeof stack }, NULL);
  if (__sanitizer_set_death_callback != NULL)
    __sanitizer_set_death_callback (charness_ended);
  for (i = 0; i < sizeof ours / sizeof ours[0]; i++) {
    struct sigaction action = { .sa_handler = handle, .sa_flags = SA_ONSTACK };
    if (__sanitizer_set_death_callback != NULL && i >= 3)
      break;
    sigaction (ours[i], &action, NULL);
  }
}
