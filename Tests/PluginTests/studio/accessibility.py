# Checks the window as assistive technology sees it: every control has a name, and Tab reaches every control.
# Prints a line for each problem, and ends with 1 if there are any.
import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib

CONTROLS = {
    "push button", "button", "toggle button", "check box", "radio button", "slider", "spin button", "combo box", "text",
    "entry", "page tab", "switch", "image",
}
# Shown only after a question or a message; drive.sh uses them.
HIDDEN = {"Name of the preset", "Close the message"}
# GTK leaves these to the keys of the window manager.
WINDOW_BUTTONS = {"Minimize", "Maximize", "Close"}
State = Atspi.StateType
focused = []


def find_window():
    for _ in range(200):
        desktop = Atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(index)
            if child and "mien" in (child.get_name() or "").lower():
                return child
        time.sleep(0.1)
    sys.exit("the window is not in the accessibility tree")


def nodes(node):
    """All visible nodes below one."""
    yield node
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child and child.get_state_set().contains(State.VISIBLE):
            yield from nodes(child)


def controls(window):
    """What can have the focus: role and name, by the path of the object."""
    found = {}
    for node in nodes(window):
        states = node.get_state_set()
        if states.contains(State.FOCUSABLE) and node.get_role_name() in CONTROLS:
            # Buttons of colours have an image inside that takes no key.
            if node.get_role_name() == "image" and node.get_parent().get_role_name() == "push button":
                continue
            found[node.path] = (node.get_role_name(), node.get_name(), states.contains(State.SENSITIVE))
    return found


def iterate(seconds):
    end = time.monotonic() + seconds
    context = GLib.MainContext.default()
    while time.monotonic() < end:
        while context.iteration(False):
            pass
        time.sleep(0.005)


def press(key):
    subprocess.run(["xdotool", "key", "--clearmodifiers", key], check=True)
    iterate(0.05)


def walk(page):
    """Presses Tab until the focus is where it was first; opens a page of the shelf on the way."""
    del focused[:]
    reached = []
    for _ in range(400):
        press("Tab")
        if not focused:
            continue
        path, role, name = focused[-1]
        if reached and path == reached[0] and len(reached) > 30:
            break
        if not reached or path != reached[-1]:
            reached.append(path)
        if role == "page tab" and name == page:
            press("space")
            # The pages fade into each other.
            iterate(0.8)
    return reached


def check_expanders():
    """Space opens and closes the further settings, also where they are higher than the panel."""
    found = []
    checked = set()
    for _ in range(400):
        press("Tab")
        path, _, name = focused[-1]
        if name != "All other settings":
            continue
        if path in checked:
            break
        checked.add(path)
        node = next(node for node in nodes(window) if node.path == path)
        states = []
        for _ in range(2):
            press("space")
            iterate(0.5)
            states.append(node.get_state_set().contains(State.EXPANDED))
        if states != [True, False]:
            found.append(f"Space leaves further settings {len(checked)} like this: {states}")
    return found if checked else ["Tab does not reach further settings"]


def on_focus(event):
    if event.detail1:
        focused.append((event.source.path, event.source.get_role_name(), event.source.get_name()))


window = find_window()
for node in list(nodes(window)):
    if node.get_name().startswith("Settings of"):
        node.do_action(0)
listener = Atspi.EventListener.new(on_focus)
listener.register("object:state-changed:focused")
iterate(1)
expected = controls(window)
problems = [f"{role} without a name: {path}" for path, (role, name, _) in expected.items() if not name or name.startswith("Gtk")]
reached = set()
for page in ["Stickers", "Looks", "Backgrounds"]:
    reached |= set(walk(page))
for path, (role, name, is_sensitive) in expected.items():
    if is_sensitive and path not in reached and name not in HIDDEN | WINDOW_BUTTONS:
        problems.append(f"Tab does not reach the {role} {name}")
problems += check_expanders()
print("\n".join(problems) or f"{len(expected)} controls have names; Tab reached {len(reached)}")
sys.exit(1 if problems else 0)
