/* Prints the faces in a picture, a film or a stream, and puts a sticker on while there is one.
 *
 *   cc -o out/faces pipelines/embed/faces.c $(pkg-config --cflags --libs gstreamer-1.0)
 *   pipelines/env.sh out/faces [FILE|URI [SINK]]
 * SINK: elements in gst-launch's words, fakesink if none are given; autovideosink is a window. */
#include <glib-unix.h>
#include <gst/gst.h>

typedef struct {
  GMainLoop *loop;
  GstElement *sticker;
  guint count;                  /* of faces, in the message before */
  int status;
} Program;

/* On the streaming thread, for every frame that leaves the detector. */
static GstPadProbeReturn look (GstPad *pad, GstPadProbeInfo *info, gpointer unused) {
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstCustomMeta *meta = gst_buffer_get_custom_meta (buffer, "MienFaces");
  const GValue *faces =
      meta ? gst_structure_get_value (gst_custom_meta_get_structure (meta), "faces") : NULL;
  for (guint i = 0; faces && i < gst_value_array_get_size (faces); i++) {
    const GstStructure *face = gst_value_get_structure (gst_value_array_get_value (faces, i));
    guint id;
    double confidence, x, y, width, height;
    g_autoptr (GBytes) keypoints = NULL;
    gst_structure_get (face, "id", G_TYPE_UINT, &id, "confidence", G_TYPE_DOUBLE, &confidence,
        "x", G_TYPE_DOUBLE, &x, "y", G_TYPE_DOUBLE, &y, "width", G_TYPE_DOUBLE, &width,
        "height", G_TYPE_DOUBLE, &height, "keypoints", G_TYPE_BYTES, &keypoints, NULL);
    const float *points = g_bytes_get_data (keypoints, NULL);
    g_print ("%.3f s: face %u, confidence %.3f, box %.3f %.3f %.3f %.3f, nose %.3f %.3f\n",
        GST_BUFFER_PTS (buffer) / 1e9, id, confidence, x, y, width, height, points[4], points[5]);
  }
  return GST_PAD_PROBE_OK;
}

/* On the main thread, for everything that elements say. */
static gboolean hear (GstBus *bus, GstMessage *message, gpointer data) {
  Program *program = data;
  const GstStructure *said = gst_message_get_structure (message);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    g_autoptr (GError) error = NULL;
    g_autofree gchar *detail = NULL;
    gst_message_parse_error (message, &error, &detail);
    g_printerr ("faces: %s\n%s\n", error->message, detail);
    program->status = 1;
  } else if (gst_message_has_name (message, "facedetect")) {
    guint count = gst_value_list_get_size (gst_structure_get_value (said, "faces"));
    if (count != program->count) {
      double alpha = count > 0 ? 1 : 0;
      g_object_set (program->sticker, "alpha", alpha, NULL);
      g_printerr ("faces: %u, alpha of the sticker: %.1f\n", count, alpha);
    }
    program->count = count;
  } else if (gst_message_has_name (message, "face-event")) {
    guint id = g_value_get_uint (gst_structure_get_value (said, "id"));
    g_printerr ("face %u: %s\n", id, gst_structure_get_string (said, "event"));
  }
  if (GST_MESSAGE_TYPE (message) & (GST_MESSAGE_ERROR | GST_MESSAGE_EOS))
    g_main_loop_quit (program->loop);
  return G_SOURCE_CONTINUE;
}

static gboolean interrupted (gpointer loop) {
  g_main_loop_quit (loop);
  return G_SOURCE_CONTINUE;
}

int main (int argc, char **argv) {
  g_setenv ("GST_PLUGIN_FEATURE_RANK", "jpegparse:300", FALSE);  /* it alone reads EXIF */
  gst_init (&argc, &argv);
  const char *input = argc > 1 ? argv[1] : "models/astronaut.png";
  g_autoptr (GError) error = NULL;
  g_autofree gchar *uri =
      gst_uri_is_valid (input) ? g_strdup (input) : gst_filename_to_uri (input, &error);
  g_autofree gchar *text = g_strdup_printf ("uridecodebin uri=\"%s\" ! videoconvert ! mienfacedetect"
      " name=faces video-direction=auto ! sticker name=sticker location=halo alpha=0 ! %s",
      uri, argc > 2 ? argv[2] : "fakesink");
  g_autoptr (GstElement) pipeline =
      error ? NULL : gst_parse_launch_full (text, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);
  if (!pipeline) {
    g_printerr ("faces: %s\n", error->message);
    return 1;
  }
  g_autoptr (GstElement) detector = gst_bin_get_by_name (GST_BIN (pipeline), "faces");
  g_autoptr (GstElement) sticker = gst_bin_get_by_name (GST_BIN (pipeline), "sticker");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (detector, "src");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Program program = { loop, sticker, 0, 0 };
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, look, NULL, NULL);
  gst_bus_add_watch (bus, hear, &program);
  g_unix_signal_add (SIGINT, interrupted, loop);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_main_loop_run (loop);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_bus_remove_watch (bus);
  return program.status;
}
