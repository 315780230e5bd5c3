/* Brings MIEN_TROUBLE over the decoder of VP8 in the process that it is preloaded into, once, when the
   first frame leaves it:

   stands    the frame is held back until somebody ends the pipeline
   hangs     the decoder's thread never comes back
   is slow   the thread computes for 2.5 s, while the whole process is stopped for 3 s

   Elements that MIEN_WITHOUT names are not there. With MIEN_DISK=N the disk has room for N bytes of each file
   that is not whole yet. With MIEN_UMASK nobody may set the permissions of all threads' new files. */
#include "Trouble.h"

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
hold (GstPad * pad, GstPadProbeInfo * info, gpointer user)
{
  (void) pad, (void) info, (void) user;
  return GST_PAD_PROBE_OK;
}

static double
computed (void)
{
  struct timespec now;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

static void
be_slow (void)
{
  char *line = g_strdup_printf ("sh -c 'kill -STOP %1$d; sleep 3; kill -CONT %1$d'", getpid ());
  double end = computed () + 2.5;
  g_spawn_command_line_async (line, NULL);
  g_free (line);
  while (computed () < end);
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
  static gint troubled;
  GstFlowReturn (*push) (GstPad *, GstBuffer *) = dlsym (RTLD_NEXT, "gst_pad_push");
  const char *trouble = g_getenv ("MIEN_TROUBLE");
  GstObject *owner = GST_OBJECT_PARENT (pad);

  if (trouble != NULL && owner != NULL && g_str_has_prefix (GST_OBJECT_NAME (owner), "vp8dec")
      && g_atomic_int_compare_and_exchange (&troubled, 0, 1)) {
    if (g_str_equal (trouble, "stands"))
      gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM, hold, NULL, NULL);
    else if (g_str_equal (trouble, "hangs"))
      for (;;)
        pause ();
    else if (g_str_equal (trouble, "is slow"))
      be_slow ();
  }
  return push (pad, buffer);
}

/* How many bytes of so many may be written there; all where it is another file. */
static size_t
room (int descriptor, size_t count)
{
  const char *disk = getenv ("MIEN_DISK");
  char link[64], path[4096] = "";
  off_t place = lseek (descriptor, 0, SEEK_CUR);

  snprintf (link, sizeof link, "/proc/self/fd/%d", descriptor);
  if (disk == NULL || readlink (link, path, sizeof path - 1) < 0 || strstr (path, "/.mien-part-") == NULL)
    return count;
  return MIN (count, (size_t) MAX (0, atol (disk) - place));
}

ssize_t
write (int descriptor, const void *bytes, size_t count)
{
  ssize_t (*real) (int, const void *, size_t) = dlsym (RTLD_NEXT, "write");
  size_t some = room (descriptor, count);

  if (count > 0 && some == 0) {
    errno = ENOSPC;
    return -1;
  }
  return real (descriptor, bytes, some);
}

ssize_t
writev (int descriptor, const struct iovec *parts, int count)
{
  ssize_t (*real) (int, const struct iovec *, int) = dlsym (RTLD_NEXT, "writev");
  size_t all = 0;

  for (int i = 0; i < count; i++)
    all += parts[i].iov_len;
  if (room (descriptor, all) == all)
    return real (descriptor, parts, count);
  /* Of what does not fit the first part is written, as far as it does. */
  while (parts->iov_len == 0)
    parts++;
  return write (descriptor, parts->iov_base, parts->iov_len);
}

mode_t
umask (mode_t mask)
{
  mode_t (*real) (mode_t) = dlsym (RTLD_NEXT, "umask");

  if (getenv ("MIEN_UMASK") != NULL)
    fprintf (stderr, "somebody sets the umask\n");
  return real (mask);
}
