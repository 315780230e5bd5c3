#ifndef MIEN_CGTK4_H
#define MIEN_CGTK4_H
/* Newer versions deprecate what Debian 12's 4.8 has no successor of; warnings are errors here. */
#define GDK_DISABLE_DEPRECATION_WARNINGS
#include <gtk/gtk.h>

/* Flags of GLib's, which Swift knows by other names from 2.88 on. */
static const guint cgtk_file_monitor_watch_moves = G_FILE_MONITOR_WATCH_MOVES;
static const guint cgtk_application_non_unique = G_APPLICATION_NON_UNIQUE;

/* bindtextdomain, which no module of the C library has. */
#include <libintl.h>
#endif
