#ifndef MIEN_CGSTREAMER_H
#define MIEN_CGSTREAMER_H
#include <gst/base/gstbasetransform.h>
#include <gst/gst.h>
#include <gst/video/video.h>
#include "analytics.h"

/* What the clang importer leaves out: function-like macros and casts in constants. Each entry
   says which macro it stands for. Prefix: cgst_. */

/* G_TYPE_* and GST_TYPE_* are casts or calls. */
static const GType cgst_type_int = G_TYPE_INT;
static const GType cgst_type_uint = G_TYPE_UINT;
static const GType cgst_type_long = G_TYPE_LONG;
static const GType cgst_type_ulong = G_TYPE_ULONG;
static const GType cgst_type_int64 = G_TYPE_INT64;
static const GType cgst_type_uint64 = G_TYPE_UINT64;
static const GType cgst_type_float = G_TYPE_FLOAT;
static const GType cgst_type_double = G_TYPE_DOUBLE;
static const GType cgst_type_string = G_TYPE_STRING;
static const GType cgst_type_variant = G_TYPE_VARIANT;
static inline GType cgst_type_bytes (void) { return G_TYPE_BYTES; }
static inline GType cgst_type_structure (void) { return GST_TYPE_STRUCTURE; }
static inline GType cgst_type_list (void) { return GST_TYPE_LIST; }
static inline GType cgst_type_array (void) { return GST_TYPE_ARRAY; }
static inline GType cgst_type_preset (void) { return GST_TYPE_PRESET; }
static inline GType cgst_type_video_direction (void) { return GST_TYPE_VIDEO_DIRECTION; }

/* GST_PARAM_* are enum casts. Readable, writable. */
static const guint cgst_param_readwrite = G_PARAM_READWRITE;
/* ... may be animated by a GstController and changed while playing. */
static const guint cgst_param_controllable = GST_PARAM_CONTROLLABLE | GST_PARAM_MUTABLE_PLAYING;
static const guint cgst_param_mutable_playing = GST_PARAM_MUTABLE_PLAYING;
/* ... takes effect when the element next goes from READY to PAUSED. */
static const guint cgst_param_mutable_ready = GST_PARAM_MUTABLE_READY;

/* GLib marks its flags as such from 2.88 on, and Swift knows those by other names: here they have
   one name on every version. */
static const guint cgst_spawn_search_path = G_SPAWN_SEARCH_PATH;
static const guint cgst_spawn_do_not_reap_child = G_SPAWN_DO_NOT_REAP_CHILD;
static const guint cgst_spawn_stderr_to_dev_null = G_SPAWN_STDERR_TO_DEV_NULL;
static const guint cgst_spawn_leave_descriptors_open = G_SPAWN_LEAVE_DESCRIPTORS_OPEN;
static const gint cgst_option_flag_filename = G_OPTION_FLAG_FILENAME;
static const gint cgst_option_flag_no_arg = G_OPTION_FLAG_NO_ARG;
static const gint cgst_option_flag_optional_arg = G_OPTION_FLAG_OPTIONAL_ARG;
static const gint cgst_log_level_warning = G_LOG_LEVEL_WARNING;

/* GST_CLOCK_TIME_NONE is a cast. */
static const GstClockTime cgst_clock_time_none = GST_CLOCK_TIME_NONE;

/* GST_DEBUG_CATEGORY_INIT and GST_CAT_LEVEL_LOG. */
static inline GstDebugCategory *
cgst_category_new (const char *name, const char *description)
{
  return _gst_debug_category_new (name, 0, description);
}

static inline gboolean
cgst_log_enabled (GstDebugCategory * category, GstDebugLevel level)
{
  return G_UNLIKELY (level <= _gst_debug_min
      && level <= gst_debug_category_get_threshold (category));
}

/* g_value_steal_boxed, which GLib has from 2.80 on; a value's data is an array of unions, which are
   not imported. */
static inline gpointer
cgst_value_steal_boxed (GValue * value)
{
  gpointer boxed = value->data[0].v_pointer;

  value->data[0].v_pointer = NULL;
  return boxed;
}

/* GST_META_TRANSFORM_IS_COPY and GST_VIDEO_META_TRANSFORM_IS_SCALE. */
static inline gboolean
cgst_meta_transform_is_copy (GQuark type)
{
  return GST_META_TRANSFORM_IS_COPY (type);
}

static inline gboolean
cgst_meta_transform_is_scale (GQuark type)
{
  return GST_VIDEO_META_TRANSFORM_IS_SCALE (type);
}

/* GST_VIDEO_FRAME_PLANE_DATA and GST_VIDEO_FRAME_PLANE_STRIDE index C arrays, and the bytes that
   follow a plane's first are known from the map that holds it. */
static inline guint8 *
cgst_frame_plane (const GstVideoFrame * frame, guint plane, gsize * available)
{
  guint8 *data = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, plane);
  guint i;

  *available = 0;
  for (i = 0; i < GST_VIDEO_MAX_PLANES; i++) {
    const GstMapInfo *map = &frame->map[i];
    if (map->data != NULL && data >= map->data && data < map->data + map->size) {
      *available = map->data + map->size - data;
      break;
    }
  }
  return data;
}

static inline gint
cgst_frame_stride (const GstVideoFrame * frame, guint plane)
{
  return GST_VIDEO_FRAME_PLANE_STRIDE (frame, plane);
}

/* GST_QUERY_TYPE, GST_EVENT_TYPE, GST_MESSAGE_TYPE, G_OBJECT_TYPE and GST_MINI_OBJECT_CAST
   are casts. */
static inline GstEventType cgst_event_type (GstEvent * event) { return GST_EVENT_TYPE (event); }
static inline GstQueryType cgst_query_type (GstQuery * query) { return GST_QUERY_TYPE (query); }
static inline GstMessageType cgst_message_type (GstMessage * m) { return GST_MESSAGE_TYPE (m); }

static inline GstMiniObject * cgst_mini_object (gpointer o) { return GST_MINI_OBJECT_CAST (o); }

/* GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY is a macro for a variable. */
static inline gboolean
cgst_is_system_memory (const GstCapsFeatures * features)
{
  return gst_caps_features_is_equal (features, GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY);
}

/* G_OBJECT_GET_CLASS of the parent type whose slots a subclass chains up to. */
static inline GstBaseTransformClass *
cgst_base_transform_class (void)
{
  return (GstBaseTransformClass *) g_type_class_peek (GST_TYPE_BASE_TRANSFORM);
}

/* __AVX2__ and its like are predefined. The processors this is compiled for, in glibc's words. */
static inline const char *
cgst_processors (void)
{
#if defined (__AVX512VL__)
  return "x86-64-v4";
#elif defined (__AVX2__)
  return "x86-64-v3";
#else
  return "any processor";
#endif
}

/* dladdr and Dl_info are declared for _GNU_SOURCE only, which would give other types of this
   module a second shape. The file that holds the given code, or NULL. */
typedef struct
{
  const char *file;
  void *base;
  const char *symbol;
  void *address;
} CgstDlInfo;
extern int cgst_dladdr (const void *code, CgstDlInfo * info) __asm__ ("dladdr");

static inline const char *
cgst_file_of (const void *code)
{
  CgstDlInfo info;
  return cgst_dladdr (code, &info) != 0 ? info.file : NULL;
}

/* GstVideoMetaTransformMatrix, which came with 1.28: what a transformation "gst-video-matrix" of
   metadata is given. */
typedef struct
{
  const GstVideoInfo *in_info;
  GstVideoRectangle in_rectangle;
  const GstVideoInfo *out_info;
  GstVideoRectangle out_rectangle;
  gfloat matrix[3][3];
} CgstVideoMatrix;

/* dl_iterate_phdr and the beginning of its dl_phdr_info, which are declared for _GNU_SOURCE only. */
typedef struct
{
  guintptr address;
  const char *name;
  const void *headers;
  guint16 header_count;
  unsigned long long adds;
  unsigned long long removals;
} CgstLoadedFile;
extern int cgst_iterate_loaded_files (int (*look) (CgstLoadedFile * file, gsize size, void *data),
    void *data) __asm__ ("dl_iterate_phdr");
#endif
