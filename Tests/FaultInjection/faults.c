/* Preloaded into a process (LD_PRELOAD), injects the faults that its environment names:

   MIEN_FAULT      in the VP8 decoder, once, when it pushes its first frame:
     blocks          its source pad blocks until the pipeline ends
     hangs           its thread never returns
     is slow         its thread computes for 2.5 s while the whole process is stopped for 3 s
   MIEN_WITHOUT    element factories with these names cannot be found
   MIEN_DISK=N     each file that is still being written can hold N bytes (ENOSPC beyond)
   MIEN_UMASK      calls of umask, which changes the permissions of all threads' new files, are reported */
#include "FaultInjection.h"

#include <dlfcn.h>
#include <errno.h>
#include <gst/gst.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static GstPadProbeReturn
keep_blocked (GstPad * pad, GstPadProbeInfo * info, gpointer user)
{
  (void) pad, (void) info, (void) user;
  return GST_PAD_PROBE_OK;
}

static double
thread_cpu_seconds (void)
{
  struct timespec now;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

static void
be_slow (void)
{
  char *line = g_strdup_printf ("sh -c 'kill -STOP %1$d; sleep 3; kill -CONT %1$d'", getpid ());
  double end = thread_cpu_seconds () + 2.5;
  g_spawn_command_line_async (line, NULL);
  g_free (line);
  while (thread_cpu_seconds () < end);
}

GstElementFactory *
gst_element_factory_find (const gchar * name)
{
  GstElementFactory *(*find) (const gchar *) = dlsym (RTLD_NEXT, "gst_element_factory_find");
  const char *without = g_getenv ("MIEN_WITHOUT");

  return without != NULL && strstr (without, name) != NULL ? NULL : find (name);
}

GstFlowReturn
gst_pad_push (GstPad * pad, GstBuffer * buffer)
{
  static gint injected;
  GstFlowReturn (*push) (GstPad *, GstBuffer *) = dlsym (RTLD_NEXT, "gst_pad_push");
  const char *fault = g_getenv ("MIEN_FAULT");
  GstObject *owner = GST_OBJECT_PARENT (pad);

  if (fault != NULL && owner != NULL && g_str_has_prefix (GST_OBJECT_NAME (owner), "vp8dec")
      && g_atomic_int_compare_and_exchange (&injected, 0, 1)) {
    if (g_str_equal (fault, "blocks"))
      gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM, keep_blocked, NULL, NULL);
    else if (g_str_equal (fault, "hangs"))
      for (;;)
        pause ();
    else if (g_str_equal (fault, "is slow"))
      be_slow ();
  }
  return push (pad, buffer);
}

/* How many of `count` bytes fit on the simulated disk; all of them for files that are not on it. */
static size_t
free_space (int descriptor, size_t count)
{
  const char *disk = getenv ("MIEN_DISK");
  char link[64], path[4096] = "";
  off_t offset = lseek (descriptor, 0, SEEK_CUR);

  snprintf (link, sizeof link, "/proc/self/fd/%d", descriptor);
  if (disk == NULL || readlink (link, path, sizeof path - 1) < 0 || strstr (path, "/.mien-part-") == NULL)
    return count;
  return MIN (count, (size_t) MAX (0, atol (disk) - offset));
}

ssize_t
write (int descriptor, const void *bytes, size_t count)
{
  ssize_t (*real) (int, const void *, size_t) = dlsym (RTLD_NEXT, "write");
  size_t allowed = free_space (descriptor, count);

  if (count > 0 && allowed == 0) {
    errno = ENOSPC;
    return -1;
  }
  return real (descriptor, bytes, allowed);
}

ssize_t
writev (int descriptor, const struct iovec *parts, int count)
{
  ssize_t (*real) (int, const struct iovec *, int) = dlsym (RTLD_NEXT, "writev");
  size_t all = 0;

  for (int i = 0; i < count; i++)
    all += parts[i].iov_len;
  if (free_space (descriptor, all) == all)
    return real (descriptor, parts, count);
  /* Not everything fits: write as much of the first part as possible. */
  while (parts->iov_len == 0)
    parts++;
  return write (descriptor, parts->iov_base, parts->iov_len);
}

mode_t
umask (mode_t mask)
{
  mode_t (*real) (mode_t) = dlsym (RTLD_NEXT, "umask");

  if (getenv ("MIEN_UMASK") != NULL)
    fprintf (stderr, "umask is called\n");
  return real (mask);
}
