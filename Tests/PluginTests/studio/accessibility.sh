#!/bin/bash
# Checks names and keyboard access of the window's controls. Runs in a D-Bus session of its own.
#
#   dbus-run-session -- accessibility.sh FOLDER MIEN
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1 mien=$2
session=$DBUS_SESSION_BUS_ADDRESS
. "$here/screen.sh"
export GTK_A11Y=atspi DBUS_SESSION_BUS_ADDRESS=$session
start
# The system's Python has GObject introspection; another in the path may lack it.
# Warnings of the accessibility bus are not the window's.
G_DEBUG= PATH=/usr/bin:$PATH python3 "$here/accessibility.py"
