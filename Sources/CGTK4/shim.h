#ifndef MIEN_CGTK4_H
#define MIEN_CGTK4_H
#include <gtk/gtk.h>
/* bindtextdomain, which no module of the C library has. */
#include <libintl.h>
#endif
