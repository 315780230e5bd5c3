#!/usr/bin/python3
"""Prints the plugin's elements and properties as JSON, in the format of gst_plugins_cache.json of
GStreamer's documentation, so that a diff shows what changes for users.

    pipelines/env.sh setup/plugin_cache.py >docs/plugins/gst_plugins_cache.json      (make inspect)
"""
import json
import re
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GObject, Gst  # noqa: E402

# States in which a property can be set, the most permissive first.
MUTABLE = ((1 << (GObject.PARAM_USER_SHIFT + 4), "playing"),
           (1 << (GObject.PARAM_USER_SHIFT + 3), "paused"),
           (1 << (GObject.PARAM_USER_SHIFT + 2), "ready"))
CONTROLLABLE = 1 << (GObject.PARAM_USER_SHIFT + 1)
CONDITIONAL = 1 << (GObject.PARAM_USER_SHIFT + 6)
NUMBERS = {GObject.TYPE_INT: "%d", GObject.TYPE_UINT: "%u", GObject.TYPE_INT64: "%d",
           GObject.TYPE_UINT64: "%u", GObject.TYPE_FLOAT: "%g", GObject.TYPE_DOUBLE: "%g"}


def caps_text(caps):
    """Formats caps: a paragraph per structure, field names right-aligned, without types of values."""
    if caps.is_any() or caps.is_empty():
        return "ANY" if caps.is_any() else "EMPTY"
    text = ""
    # PyGObject cannot convert all value types; the caps as a string contain all.
    for structure in caps.to_string().split("; "):
        text += structure.split(",")[0] + ":\n"
        fields = r", ([a-z-]+)=\([^)]*\)(\{[^}]*\}|\[[^]]*\]|[^,]+)"
        for field, value in re.findall(fields, structure):
            text += f"{field:>15}: {re.sub(r'[(][^)]*[)]', '', value).strip()}\n"
    return text


def enum_values(kind):
    """Returns values by number; PyGObject 3.50 and newer return the C structure, older versions a class."""
    if hasattr(kind, "__enum_values__"):
        return dict(sorted(kind.__enum_values__.items()))
    found = (GObject.enum_get_value(kind, n) for n in range(kind.minimum, kind.maximum + 1))
    return {value.value: value for value in found if value}


def property_entry(spec, others):
    entry = {
        "blurb": spec.blurb,
        "conditionally-available": bool(spec.flags & CONDITIONAL),
        "construct": bool(spec.flags & GObject.ParamFlags.CONSTRUCT),
        "construct-only": bool(spec.flags & GObject.ParamFlags.CONSTRUCT_ONLY),
        "controllable": bool(spec.flags & CONTROLLABLE),
        "mutable": next((name for bit, name in MUTABLE if spec.flags & bit), "null"),
        "readable": bool(spec.flags & GObject.ParamFlags.READABLE),
        "type": spec.value_type.name,
        "writable": bool(spec.flags & GObject.ParamFlags.WRITABLE),
    }
    default = spec.default_value
    if spec.value_type in NUMBERS:
        form = NUMBERS[spec.value_type]
        entry |= {"default": form % default, "max": form % spec.maximum, "min": form % spec.minimum}
    elif spec.value_type == GObject.TYPE_BOOLEAN:
        entry["default"] = str(bool(default)).lower()
    elif spec.value_type == GObject.TYPE_STRING:
        entry["default"] = "NULL" if default is None else default
    elif spec.value_type.is_a(GObject.TYPE_ENUM):
        values = enum_values(spec.enum_class)
        entry["default"] = f"{values[int(default)].value_nick} ({int(default)})"
        # GStreamer's documentation describes its own enumerations.
        if not spec.value_type.name.startswith("Gst"):
            others[spec.value_type.name] = {"kind": "enum", "values": [
                {"desc": value.value_name, "name": value.value_nick, "value": str(number)}
                for number, value in values.items()]}
    else:
        sys.exit(f"{spec.name}: no form is known for {spec.value_type.name}")
    return entry


def element_entry(factory, others):
    element = factory.create(None)
    kind, hierarchy = type(element).__gtype__, []
    while kind.name != "GObject":
        hierarchy.append(kind.name)
        kind = kind.parent
    own = type(element).__gtype__
    inherited = {spec.name for spec in GObject.list_properties(own.parent)}
    entry = {
        "author": factory.get_metadata("author"),
        "description": factory.get_metadata("description"),
        "hierarchy": hierarchy + ["GObject"],
        "klass": factory.get_metadata("klass"),
        "long-name": factory.get_metadata("long-name"),
        "pad-templates": {
            pad.name_template: {"caps": caps_text(pad.get_caps()),
                                "direction": pad.direction.value_nick,
                                "presence": pad.presence.value_nick}
            for pad in factory.get_static_pad_templates()},
        "properties": {spec.name: property_entry(spec, others)
                       for spec in element.list_properties() if spec.name not in inherited},
        "rank": "none" if factory.get_rank() == 0 else str(factory.get_rank()),
    }
    if own.interfaces:
        entry["interfaces"] = sorted(kind.name for kind in own.interfaces
                                     if not own.parent.is_a(kind))
    return entry


def main():
    Gst.init(None)
    plugin = Gst.Registry.get().find_plugin("mien")
    if plugin is None:
        sys.exit("mien: the plugin is not there; run \"make build\" first.")
    others = {}
    features = Gst.Registry.get().get_feature_list_by_plugin("mien")
    elements = {feature.get_name(): element_entry(feature.load(), others)
                for feature in features}
    print(json.dumps({"mien": {
        "description": plugin.get_description(), "elements": elements, "filename": "gstmien",
        "license": plugin.get_license(), "other-types": others, "package": plugin.get_package(),
        "source": plugin.get_source(), "tracers": {}, "url": plugin.get_origin(),
    }}, indent=4, sort_keys=True, ensure_ascii=False))


main()
