/* Which build of the elements this process runs.

   The plugin file holds the elements as every x86-64 processor can run them. Beside it may lie the
   same library built for newer ones, ../mien/LEVEL/libgstmien.so, of which the best that this
   processor runs is taken when the plugin is loaded: one decision for a process, none for a frame.
   The levels are those of the x86-64 psABI. Elsewhere, on arm64 say, there is one build. */
#define _GNU_SOURCE
#include "level.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <sys/stat.h>

/* The highest level to use, for tests and comparisons: "baseline" or a level's name. */
#define CEILING_VARIABLE "MIEN_CPU_LEVEL"

typedef struct
{
  const gchar *name;
  gboolean runs_here;
} Level;

/* Whether nothing is missing at the end of a library; the system's loader would map what is not
   there, and the process would end of a bus error. Linkers write the section headers last. */
static gboolean
is_whole (const gchar * path)
{
  GMappedFile *file = g_mapped_file_new (path, FALSE, NULL);
  gsize size = file != NULL ? g_mapped_file_get_length (file) : 0;
  gboolean whole = FALSE;

  if (size >= sizeof (ElfW (Ehdr))) {
    const ElfW (Ehdr) * header = (const void *) g_mapped_file_get_contents (file);
    gsize table = (gsize) header->e_shnum * header->e_shentsize;
    whole = header->e_shoff <= size && table <= size - header->e_shoff;
  }
  g_clear_pointer (&file, g_mapped_file_unref);
  return whole;
}

/* The best entry point that lies beside `file`, or NULL; `*used` becomes its path. */
static MienRegister
find_level (GstDebugCategory * log, const gchar * file, const Level * levels, gchar ** used)
{
  gchar *folder = g_path_get_dirname (file);
  const gchar *ceiling = g_getenv (CEILING_VARIABLE);
  gboolean is_allowed = ceiling == NULL || *ceiling == '\0';
  MienRegister entry = NULL;

  for (; levels->name != NULL && entry == NULL; levels++) {
    gchar *path = g_build_filename (folder, "..", "mien", levels->name, "libgstmien.so", NULL);
    struct stat own, other;
    void *library;

    is_allowed = is_allowed || g_strcmp0 (ceiling, levels->name) == 0;
    if (!levels->runs_here || !is_allowed || stat (path, &other) != 0) {
      GST_CAT_DEBUG (log, "not %s: %s", levels->name, !levels->runs_here
          ? "this processor lacks it" : !is_allowed ? CEILING_VARIABLE " forbids it" : "not built");
    } else if (stat (file, &own) == 0 && other.st_mtime < own.st_mtime) {
      GST_CAT_WARNING (log, "%s is older than %s and is not used; build and install both", path,
          file);
    } else if (!is_whole (path)) {
      GST_CAT_WARNING (log, "%s cannot be loaded: its end is missing; install it again", path);
    } else if ((library = dlopen (path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) == NULL) {
      GST_CAT_WARNING (log, "%s cannot be loaded: %s", path, dlerror ());
    } else if ((entry = (MienRegister) dlsym (library, "mien_register_elements")) == NULL) {
      GST_CAT_WARNING (log, "%s cannot be loaded: it is not a build of mien", path);
    } else {
      *used = g_strdup_printf ("%s (%s)", levels->name, path);
    }
    g_free (path);
  }
  g_free (folder);
  return entry;
}

MienRegister
mien_best_level (MienRegister own)
{
  const Level levels[] = {
#ifdef __x86_64__
    {"x86-64-v4", __builtin_cpu_supports ("x86-64-v4")},
    {"x86-64-v3", __builtin_cpu_supports ("x86-64-v3")},
#endif
    {NULL, FALSE}
  };
  GstDebugCategory *log = _gst_debug_category_new ("mien", 0, "Which build of mien runs");
  gchar *used = NULL;
  gchar *file = NULL;
  Dl_info info;
  MienRegister best = NULL;

  if (dladdr ((const void *) own, &info) != 0 && info.dli_fname != NULL)
    file = realpath (info.dli_fname, NULL);
  if (file != NULL)
    best = find_level (log, file, levels, &used);
  GST_CAT_INFO (log, "running the build for %s", used != NULL ? used : "any processor");
  g_free (used);
  free (file);
  return best != NULL ? best : own;
}
