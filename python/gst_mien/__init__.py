"""Faces in pictures, films and streams, by the GStreamer plugin Mien.

Importing this package makes the plugin's elements known to GStreamer in this process:

    import gst_mien
    for frame in gst_mien.faces("film.mp4"):
        for face in frame.faces:
            print(frame.time, face.id, face.box, face.landmarks.shape)

In a pipeline of one's own `faces_of(buffer)` reads the faces of a buffer behind `mienfacedetect`.

Needs GStreamer 1.22 or newer with its Python bindings: on Debian python3-gst-1.0, libjson-glib-1.0-0
and gstreamer1.0-plugins-good, and gstreamer1.0-libav for most films.
"""
import os

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

__version__ = "@VERSION@"
__all__ = ["Error", "Face", "Frame", "faces", "faces_of", "frame_of", "plugin_path"]


class Error(RuntimeError):
    """GStreamer lacks something, or cannot read a file."""


def _load():
    """Loads the plugin of this package, unless GStreamer has one already; returns its file."""
    here = os.path.dirname(os.path.abspath(__file__))
    os.environ.setdefault("GST_PRESET_PATH", os.path.join(here, "share", "gstreamer-1.0", "presets"))
    if not Gst.is_initialized():
        Gst.init(None)
    registry = Gst.Registry.get()
    plugin = registry.find_plugin("mien")
    if plugin is None:
        try:
            plugin = Gst.Plugin.load_file(os.path.join(here, "lib", "gstreamer-1.0", "libgstmien.so"))
        except GLib.Error as error:
            raise Error(
                f"{error.message}; on Debian: sudo apt install libjson-glib-1.0-0 gstreamer1.0-plugins-base"
            ) from None
        registry.add_plugin(plugin)
    if Gst.ElementFactory.find("mienfacedetect") is None:
        raise Error("GStreamer does not load the plugin mien; GST_DEBUG=mien:5 says more")
    return plugin.get_filename()


plugin_path = _load()

from gst_mien._faces import Face, Frame, faces, faces_of, frame_of  # noqa: E402
