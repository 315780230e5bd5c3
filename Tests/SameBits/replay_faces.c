/* Runs a pipeline and stores its face metadata in a file, or attaches stored metadata to its frames, so
   that builds for two processors get bit-identical faces: setup/same-bits.sh.

     given write FILE "pipeline"    stores MienFaces of the frames that leave the element "faces"
     given read FILE "pipeline"     attaches MienFaces of FILE to the frames that leave "faces"  */
#include <gst/gst.h>
#include <string.h>

static GstStructure *faces;

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
  gst_structure_foreach (faces, copy_field, gst_custom_meta_get_structure (meta));
  GST_PAD_PROBE_INFO_DATA (info) = frame;
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
keep (GstPad * pad, GstPadProbeInfo * info, gpointer nothing)
{
  GstCustomMeta *meta = gst_buffer_get_custom_meta (GST_PAD_PROBE_INFO_BUFFER (info), "MienFaces");
  if (meta && !faces)
    faces = gst_structure_copy (gst_custom_meta_get_structure (meta));
  return GST_PAD_PROBE_OK;
}

int
main (int count, char **words)
{
  GError *error = NULL;
  gchar *text = NULL;
  gst_init (&count, &words);
  if (count != 4)
    return 2;
  gboolean writes = !strcmp (words[1], "write");
  if (!writes && (!g_file_get_contents (words[2], &text, NULL, &error)
          || !(faces = gst_structure_from_string (text, NULL)))) {
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
  if (writes && faces)
    failed |= !g_file_set_contents (words[2], gst_structure_to_string (faces), -1, NULL);
  return failed || !faces;
}
