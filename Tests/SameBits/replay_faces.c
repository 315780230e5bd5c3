/* Runs a pipeline and stores its face metadata in a file, or attaches stored metadata to its frames, so
   that two builds get bit-identical faces: setup/same-bits.sh, setup/count_instructions.py.

     replay_faces write FILE "pipeline"  stores MienFaces of the frames that leave the element "faces",
                                         one line for each frame
     replay_faces read FILE "pipeline"   attaches MienFaces of FILE to the frames that leave "faces";
                                         after the last line the first one follows again  */
#include <gst/gst.h>
#include <string.h>

static GPtrArray *faces;
static guint frames;

static gboolean
copy_field (GQuark field, const GValue * value, gpointer target)
{
  gst_structure_id_set_value (target, field, value);
  return TRUE;
}

static GstPadProbeReturn
give (GstPad * pad, GstPadProbeInfo * info, gpointer nothing)
{
  GstBuffer *frame = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));
  GstCustomMeta *meta = gst_buffer_add_custom_meta (frame, "MienFaces");
  gst_structure_foreach (g_ptr_array_index (faces, frames++ % faces->len), copy_field,
      gst_custom_meta_get_structure (meta));
  GST_PAD_PROBE_INFO_DATA (info) = frame;
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
keep (GstPad * pad, GstPadProbeInfo * info, gpointer nothing)
{
  GstCustomMeta *meta = gst_buffer_get_custom_meta (GST_PAD_PROBE_INFO_BUFFER (info), "MienFaces");
  if (meta)
    g_ptr_array_add (faces, gst_structure_copy (gst_custom_meta_get_structure (meta)));
  return GST_PAD_PROBE_OK;
}

/* Returns FALSE if the file has no line of faces. */
static gboolean
load (const gchar * path, GError ** error)
{
  gchar *text = NULL;
  if (!g_file_get_contents (path, &text, NULL, error))
    return FALSE;
  gchar **lines = g_strsplit (text, "\n", 0);
  for (guint i = 0; lines[i]; i++) {
    GstStructure *frame = *lines[i] ? gst_structure_from_string (lines[i], NULL) : NULL;
    if (frame)
      g_ptr_array_add (faces, frame);
  }
  return faces->len > 0;
}

static gboolean
store (const gchar * path)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < faces->len; i++) {
    g_string_append (text, gst_structure_to_string (g_ptr_array_index (faces, i)));
    g_string_append_c (text, '\n');
  }
  return g_file_set_contents (path, text->str, text->len, NULL);
}

int
main (int count, char **words)
{
  GError *error = NULL;
  gst_init (&count, &words);
  if (count != 4)
    return 2;
  faces = g_ptr_array_new ();
  gboolean writes = !strcmp (words[1], "write");
  if (!writes && !load (words[2], &error)) {
    g_printerr ("%s: %s\n", words[2], error ? error->message : "no faces");
    return 1;
  }
  GstElement *pipeline = gst_parse_launch (words[3], &error);
  if (error) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), "faces");
  gst_pad_add_probe (gst_element_get_static_pad (element, "src"), GST_PAD_PROBE_TYPE_BUFFER,
      writes ? keep : give, NULL, NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  GstMessage *end = gst_bus_timed_pop_filtered (gst_element_get_bus (pipeline), GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  gboolean failed = GST_MESSAGE_TYPE (end) == GST_MESSAGE_ERROR;
  if (failed) {
    gst_message_parse_error (end, &error, NULL);
    g_printerr ("%s\n", error->message);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return failed || faces->len == 0 || (writes && !store (words[2]));
}
