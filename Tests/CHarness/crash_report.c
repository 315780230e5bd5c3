/* Reports the current input when the process dies. Uses only async-signal-safe calls. */
#define _GNU_SOURCE
#include <CHarness.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const uint8_t *volatile input;
static volatile size_t input_size;
static char input_file[512], command[1024];
static volatile sig_atomic_t is_reported;

/* From the address sanitizer's runtime, if linked: it handles SIGSEGV, SIGBUS and SIGFPE itself and
   prints the faulty memory access. */
extern void __sanitizer_set_death_callback (void (*callback) (void)) __attribute__ ((weak));

int
charness_is_sanitized (void)
{
  return __sanitizer_set_death_callback != NULL;
}

void
charness_set_input (const uint8_t *bytes, size_t size)
{
  input = bytes;
  input_size = size;
}

int
charness_save_input (void)
{
  size_t done = 0;
  int file;

  if (input_file[0] == 0 || input == NULL)
    return 0;
  file = open (input_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0)
    return 0;
  while (done < input_size) {
    ssize_t step = write (file, (const uint8_t *) input + done, input_size - done);
    if (step <= 0)
      break;
    done += (size_t) step;
  }
  close (file);
  return done == input_size;
}

static void
print_error (const char *text)
{
  ssize_t ignored = write (2, text, strlen (text));
  (void) ignored;
}

void
charness_print_report (void)
{
  if (is_reported)
    return;
  is_reported = 1;
  charness_save_input ();
  print_error ("\nmien: FOUND, to repeat:  ");
  print_error (command);
  print_error ("\n");
}

static void
handle (int number)
{
  const char *names[] = { [SIGILL] = "SIGILL (a trap)", [SIGTRAP] = "SIGTRAP (a trap)",
    [SIGABRT] = "SIGABRT", [SIGFPE] = "SIGFPE", [SIGSEGV] = "SIGSEGV", [SIGBUS] = "SIGBUS" };

  signal (number, SIG_DFL);
  print_error ("\nmien: died of ");
  print_error (names[number]);
  print_error ("\n");
  charness_print_stacks ();
  charness_print_report ();
  raise (number);
}

void
charness_set_crash_report (const char *file, const char *line)
{
  static const int signals[] = { SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSEGV, SIGBUS };
  static uint8_t stack[1 << 16];
  static int is_set;
  size_t i;

  snprintf (input_file, sizeof input_file, "%s", file);
  snprintf (command, sizeof command, "%s", line);
  is_reported = 0;
  if (is_set)
    return;
  is_set = 1;
  /* After a stack overflow the handler needs a stack of its own. */
  sigaltstack (&(stack_t) { .ss_sp = stack, .ss_size = sizeof stack }, NULL);
  if (__sanitizer_set_death_callback != NULL)
    __sanitizer_set_death_callback (charness_print_report);
  for (i = 0; i < sizeof signals / sizeof signals[0]; i++) {
    struct sigaction action = { .sa_handler = handle, .sa_flags = SA_ONSTACK };
    if (__sanitizer_set_death_callback != NULL && i >= 3)
      break;
    sigaction (signals[i], &action, NULL);
  }
}
