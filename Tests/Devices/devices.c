/* A GStreamer plugin that simulates devices for tests: two cameras, which show test patterns, and a
   loudspeaker, which logs the peaks of its input:

     MIEN_CAMERAS=FILE       the cameras are plugged in while this file exists
     MIEN_SPEAKER=FILE       the log, one line per buffer: the peak, 0 to 32767
     MIEN_SPEAKER_BREAKS=N   the loudspeaker fails after N buffers
     MIEN_SPEAKER_WAITS=N    the loudspeaker takes N seconds to open */

#include <gst/base/gstbasesink.h>
#include <gst/gst.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Whether the cameras are plugged in. */
static gboolean
cameras_exist (void)
{
  const char *file = getenv ("MIEN_CAMERAS");
  return !file || access (file, F_OK) == 0;
}

/* A camera's element: a test pattern, which fails once the camera is unplugged. */
typedef struct { GstBin bin; GstElement *source; } TestCamera;
typedef struct { GstBinClass klass; } TestCameraClass;
G_DEFINE_TYPE (TestCamera, test_camera, GST_TYPE_BIN)

static GstPadProbeReturn
test_camera_buffer (GstPad * pad, GstPadProbeInfo * info, gpointer camera)
{
  if (cameras_exist ())
    return GST_PAD_PROBE_OK;
  GST_ELEMENT_ERROR (camera, RESOURCE, NOT_FOUND, ("The camera is unplugged."), (NULL));
  return GST_PAD_PROBE_REMOVE;
}

static void
test_camera_set_property (GObject * object, guint id, const GValue * value, GParamSpec * spec)
{
  gst_util_set_object_arg (G_OBJECT (((TestCamera *) object)->source), "pattern",
      g_value_get_string (value));
}

static void
test_camera_get_property (GObject * object, guint id, GValue * value, GParamSpec * spec)
{
  gint pattern;
  g_object_get (((TestCamera *) object)->source, "pattern", &pattern, NULL);
  /* GST_VIDEO_TEST_SRC_GREEN, and BLUE */
  g_value_set_string (value, pattern == 5 ? "green" : pattern == 6 ? "blue" : "smpte");
}

static void
test_camera_class_init (TestCameraClass * klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);
  object->set_property = test_camera_set_property;
  object->get_property = test_camera_get_property;
  g_object_class_install_property (object, 1, g_param_spec_string ("pattern", "Pattern",
          "The test pattern", "smpte", G_PARAM_READWRITE));
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "Camera for tests",
      "Source/Video", "Shows a test pattern", "The Mien authors");
}

static void
test_camera_init (TestCamera * camera)
{
  GstPad *pad;
  camera->source = gst_element_factory_make ("videotestsrc", NULL);
  g_object_set (camera->source, "is-live", TRUE, NULL);
  gst_bin_add (GST_BIN (camera), camera->source);
  pad = gst_element_get_static_pad (camera->source, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, test_camera_buffer, camera, NULL);
  gst_element_add_pad (GST_ELEMENT (camera), gst_ghost_pad_new ("src", pad));
  gst_object_unref (pad);
}

typedef struct { GstDevice device; } Camera;
typedef struct { GstDeviceClass klass; } CameraClass;
G_DEFINE_TYPE (Camera, camera, GST_TYPE_DEVICE)

static GstElement *
camera_create_element (GstDevice * device, const gchar * name)
{
  GstElement *element = gst_element_factory_make ("testcamera", name);
  gchar *shown = gst_device_get_display_name (device);
  g_object_set (element, "pattern", g_str_has_prefix (shown, "Garden") ? "green" : "blue", NULL);
  g_free (shown);
  return element;
}

static void
camera_class_init (CameraClass * klass)
{
  klass->klass.create_element = camera_create_element;
}

static void
camera_init (Camera * camera)
{
}

typedef struct { GstDeviceProvider provider; } Cameras;
typedef struct { GstDeviceProviderClass klass; } CamerasClass;
G_DEFINE_TYPE (Cameras, cameras, GST_TYPE_DEVICE_PROVIDER)

static GList *
cameras_probe (GstDeviceProvider * provider)
{
  static const char *names[] = { "Garden camera", "Desk camera" };
  GList *list = NULL;
  for (int i = 0; cameras_exist () && i < 2; i++) {
    GstCaps *caps = gst_caps_from_string ("video/x-raw,width=640,height=480,framerate=30/1;"
        "video/x-raw,width=320,height=240,framerate={30/1,60/1}");
    list = g_list_append (list, g_object_new (camera_get_type (), "display-name", names[i],
            "caps", caps, "device-class", "Video/Source", NULL));
    gst_caps_unref (caps);
  }
  return list;
}

static void
cameras_class_init (CamerasClass * klass)
{
  klass->klass.probe = cameras_probe;
  gst_device_provider_class_set_static_metadata (&klass->klass, "Cameras for tests",
      "Source/Video", "Lists two cameras", "The Mien authors");
}

static void
cameras_init (Cameras * cameras)
{
}

typedef struct { GstBaseSink sink; FILE *file; int count; } Speaker;
typedef struct { GstBaseSinkClass klass; } SpeakerClass;
G_DEFINE_TYPE (Speaker, speaker, GST_TYPE_BASE_SINK)

static GstFlowReturn
speaker_render (GstBaseSink * sink, GstBuffer * buffer)
{
  Speaker *speaker = (Speaker *) sink;
  GstMapInfo map;
  int loudest = 0;
  const char *breaks = getenv ("MIEN_SPEAKER_BREAKS");
  if (breaks && speaker->count++ >= atoi (breaks)) {
    GST_ELEMENT_ERROR (sink, RESOURCE, WRITE, ("The loudspeaker is gone."), (NULL));
    return GST_FLOW_ERROR;
  }
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  for (gsize i = 0; i < map.size / 2; i++) {
    int sample = abs (((const gint16 *) map.data)[i]);
    loudest = MAX (loudest, sample);
  }
  gst_buffer_unmap (buffer, &map);
  if (!speaker->file && getenv ("MIEN_SPEAKER"))
    speaker->file = fopen (getenv ("MIEN_SPEAKER"), "a");
  if (speaker->file) {
    fprintf (speaker->file, "%d\n", loudest);
    fflush (speaker->file);
  }
  return GST_FLOW_OK;
}

static GstStateChangeReturn
speaker_change_state (GstElement * element, GstStateChange change)
{
  const char *waits = getenv ("MIEN_SPEAKER_WAITS");
  if (waits && change == GST_STATE_CHANGE_NULL_TO_READY)
    g_usleep (atoi (waits) * G_USEC_PER_SEC);
  return GST_ELEMENT_CLASS (speaker_parent_class)->change_state (element, change);
}

static void
speaker_finalize (GObject * object)
{
  Speaker *speaker = (Speaker *) object;
  if (speaker->file)
    fclose (speaker->file);
  G_OBJECT_CLASS (speaker_parent_class)->finalize (object);
}

static GstStaticPadTemplate speaker_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK,
    GST_PAD_ALWAYS, GST_STATIC_CAPS ("audio/x-raw,format=S16LE"));

static void
speaker_class_init (SpeakerClass * klass)
{
  GstElementClass *element = GST_ELEMENT_CLASS (klass);
  klass->klass.render = speaker_render;
  element->change_state = speaker_change_state;
  G_OBJECT_CLASS (klass)->finalize = speaker_finalize;
  gst_element_class_add_static_pad_template (element, &speaker_template);
  gst_element_class_set_static_metadata (element, "Loudspeaker for tests", "Sink/Audio",
      "Writes down how loud it is", "The Mien authors");
}

static void
speaker_init (Speaker * speaker)
{
}

static gboolean
plugin_init (GstPlugin * plugin)
{
  return gst_device_provider_register (plugin, "testcameras", GST_RANK_PRIMARY + 100,
      cameras_get_type ())
      && gst_element_register (plugin, "testcamera", GST_RANK_NONE, test_camera_get_type ())
      && gst_element_register (plugin, "testspeaker", GST_RANK_PRIMARY + 100,
      speaker_get_type ());
}

#define PACKAGE "mien"
GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, devices,
    "Cameras and a loudspeaker for tests", plugin_init, "0", "MIT/X11", "mien",
    "Unknown package origin")
