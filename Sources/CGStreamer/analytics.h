#ifndef MIEN_ANALYTICS_H
#define MIEN_ANALYTICS_H
#include <dlfcn.h>
#include <gst/gst.h>
#include <string.h>

/* GstAnalytics, GStreamer's library of analysis results, as far as faces and people need it. It is
   found at run time and never linked, so that one plugin file serves GStreamer 1.22, which has none,
   and the versions after it: the library came with 1.24, segmentations with 1.26, groups of key
   points as they are used here with 1.30. */

/* GstAnalyticsMtd and its like, GstAnalyticsRelationMetaInitParams. */
typedef struct
{
  guint id;
  gpointer meta;
} CgstAnalyticsEntry;

typedef struct
{
  gsize relation_order;
  gsize buffer_size;
} CgstAnalyticsCapacity;

/* Functions of the library, in the order of `symbols` below. `meta` is a GstAnalyticsRelationMeta,
   `type` a GstAnalyticsMtdType. */
typedef struct
{
  gpointer (*add) (GstBuffer * buffer, CgstAnalyticsCapacity * capacity);
  gboolean (*add_detection) (gpointer meta, GQuark label, gint x, gint y, gint width, gint height,
      gfloat confidence, CgstAnalyticsEntry * entry);
  gboolean (*add_tracking) (gpointer meta, guint64 id, GstClockTime first,
      CgstAnalyticsEntry * entry);
  gboolean (*update_last_seen) (CgstAnalyticsEntry * entry, GstClockTime last);
  gboolean (*add_classes) (gpointer meta, gsize count, const gfloat * levels,
      const GQuark * classes, CgstAnalyticsEntry * entry);
  gboolean (*set_relation) (gpointer meta, gint relation, guint from, guint to);
  gboolean (*iterate) (gpointer meta, gpointer * state, guintptr type, CgstAnalyticsEntry * entry);
  gboolean (*related) (gpointer meta, guint from, gint relation, guintptr type, gpointer * state,
      CgstAnalyticsEntry * entry);
  GQuark (*label) (const CgstAnalyticsEntry * detection);
  gboolean (*location) (const CgstAnalyticsEntry * detection, gint * x, gint * y, gint * width,
      gint * height, gfloat * confidence);
  gboolean (*tracking) (const CgstAnalyticsEntry * track, guint64 * id, GstClockTime * first,
      GstClockTime * last, gboolean * lost);
  gsize (*class_count) (const CgstAnalyticsEntry * classes);
  GQuark (*class_name) (const CgstAnalyticsEntry * classes, gsize index);
  guintptr (*type) (const CgstAnalyticsEntry * entry);
  guint (*identifier) (const CgstAnalyticsEntry * entry);
  guintptr (*detection_type) (void);
  guintptr (*tracking_type) (void);
  guintptr (*classes_type) (void);
  /* From 1.26 on; else all of them are NULL. The mask is given away. */
  gboolean (*add_segmentation) (gpointer meta, GstBuffer * mask, guint kind, gsize count,
      const guint * regions, gint x, gint y, guint width, guint height,
      CgstAnalyticsEntry * entry);
  GstBuffer *(*mask) (const CgstAnalyticsEntry * segmentation, gint * x, gint * y, guint * width,
      guint * height);
  gsize (*region_count) (const CgstAnalyticsEntry * segmentation);
  guint (*region) (const CgstAnalyticsEntry * segmentation, gsize index);
  guintptr (*segmentation_type) (void);
  /* From 1.30 on; else NULL. */
  gboolean (*add_keypoints) (gpointer meta, const char *tag, gint dimensions, gsize place_count,
      const gint * places, gsize count, const gfloat * confidences, const guint8 * visibilities,
      gsize pair_count, const gint * pairs, CgstAnalyticsEntry * entry);
} CgstAnalytics;

enum
{
  CGST_ANALYTICS_REQUIRED = 18,
  CGST_ANALYTICS_SEGMENTATION = 5,
};

/* Finds the functions; FALSE where the library is not installed, or lacks one that is required. */
static inline gboolean
cgst_analytics_load (CgstAnalytics * functions)
{
  static const char *const symbols[] = {
    "gst_buffer_add_analytics_relation_meta_full",
    "gst_analytics_relation_meta_add_od_mtd",
    "gst_analytics_relation_meta_add_tracking_mtd",
    "gst_analytics_tracking_mtd_update_last_seen",
    "gst_analytics_relation_meta_add_cls_mtd",
    "gst_analytics_relation_meta_set_relation",
    "gst_analytics_relation_meta_iterate",
    "gst_analytics_relation_meta_get_direct_related",
    "gst_analytics_od_mtd_get_obj_type",
    "gst_analytics_od_mtd_get_location",
    "gst_analytics_tracking_mtd_get_info",
    "gst_analytics_cls_mtd_get_length",
    "gst_analytics_cls_mtd_get_quark",
    "gst_analytics_mtd_get_mtd_type",
    "gst_analytics_mtd_get_id",
    "gst_analytics_od_mtd_get_mtd_type",
    "gst_analytics_tracking_mtd_get_mtd_type",
    "gst_analytics_cls_mtd_get_mtd_type",
    "gst_analytics_relation_meta_add_segmentation_mtd",
    "gst_analytics_segmentation_mtd_get_mask",
    "gst_analytics_segmentation_mtd_get_region_count",
    "gst_analytics_segmentation_mtd_get_region_id",
    "gst_analytics_segmentation_mtd_get_mtd_type",
    "gst_analytics_relation_meta_add_keypoints_group",
  };
  const guint segmentation = CGST_ANALYTICS_REQUIRED;
  const guint keypoints = segmentation + CGST_ANALYTICS_SEGMENTATION;
  void *found[G_N_ELEMENTS (symbols)];
  guint i, major, minor, micro, nano;
  /* Never closed: GStreamer keeps what the library registers. */
  void *file = dlopen ("libgstanalytics-1.0.so.0", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);

  G_STATIC_ASSERT (sizeof (CgstAnalytics) == sizeof (found));
  if (file == NULL)
    return FALSE;
  for (i = 0; i < G_N_ELEMENTS (symbols); i++) {
    found[i] = dlsym (file, symbols[i]);
    if (found[i] == NULL && i < segmentation)
      return FALSE;
  }
  for (i = segmentation; i < keypoints; i++) {
    if (found[i] == NULL)
      memset (found + segmentation, 0, CGST_ANALYTICS_SEGMENTATION * sizeof (void *));
  }
  gst_version (&major, &minor, &micro, &nano);
  if (major == 1 && minor < 30)
    found[keypoints] = NULL;
  memcpy (functions, found, sizeof (found));
  return TRUE;
}
#endif
