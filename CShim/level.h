#ifndef MIEN_LEVEL_H
#define MIEN_LEVEL_H
#include <gst/gst.h>

/* Registers every element. Swift: Sources/Elements/Plugin.swift */
typedef gboolean (*MienRegister) (GstPlugin * plugin);

/* The entry point of the best build that this processor runs; `own` is this file's. */
MienRegister mien_best_level (MienRegister own);
#endif
