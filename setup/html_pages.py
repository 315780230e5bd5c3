#!/usr/bin/env python3
"""Writes the documentation as HTML, and checks that every link leads somewhere:

    setup/html_pages.py FOLDER        from the Markdown files of the source tree
    setup/html_pages.py --check       writes nothing that stays

Pictures and other files that pages link to are copied beside them, in the folders that they have in the
source. Ends with 1 when a link is dead, and names it. Needs python3-markdown.
"""
import html
import os
import re
import shutil
import sys
import tempfile
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import markdown

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIRST = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "stickers/README.md",
         "backgrounds/README.md"]
STYLE = """body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif }
img { max-width: 100% } table { border-collapse: collapse } td, th { padding: .2rem .6rem; text-align: left;
border-top: 1px solid #ccc; vertical-align: top } pre { overflow-x: auto; padding: .6rem; background: #f4f4f4 }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd } pre { background: #242424 }
a { color: #8ab4f8 } td, th { border-color: #444 } }"""


def slug(text, separator):
    """The anchor of a heading, as code forges make it."""
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-")


class Links(HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.links += [values[name] for name in ("href", "src") if values.get(name)]
        self.anchors |= {values[name] for name in ("id", "name") if values.get(name)}


def target(page, link):
    """The file in the source that a link of a page means; None for other places."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    return os.path.normpath(os.path.join(os.path.dirname(page), unquote(parts.path))) if parts.path else page


def convert(page):
    """A page as HTML; links to pages lead to their HTML."""
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        text = file.read()
    # A list needs no empty line before it where this Markdown is read otherwise.
    text = re.sub(r"(?m)^((?![*\-|>#]|\d+\.|\s).+\n)(?=(?:\* |- |1\. ))", r"\1\n", text)
    body = markdown.markdown(
        text, extensions=["tables", "fenced_code", "toc", "sane_lists"], extension_configs={"toc": {"slugify": slug}})
    body = re.sub(r'(href="(?![a-z]+:)[^"#]*)\.md(?=["#])', r"\1.html", body)
    title = re.search(r"<h1[^>]*>(.*?)</h1>", body, re.S)
    name = html.escape(html.unescape(re.sub("<[^>]*>", "", title.group(1))) if title else page)
    return (f'<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{name}</title>\n'
            f'<meta name="viewport" content="width=device-width">\n<style>{STYLE}</style>\n{body}\n</html>\n')


def main():
    checks = sys.argv[1:] == ["--check"]
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    out = tempfile.mkdtemp() if checks else sys.argv[1]
    pages = FIRST + sorted("docs/" + name for name in os.listdir(ROOT + "/docs") if name.endswith(".md"))
    made = {page: convert(page) for page in pages}
    found = {page[:-3] + ".html": Links(text) for page, text in made.items()}
    dead = []
    copied = set()
    for page, text in made.items():
        for link in Links(text).links:
            goal = target(page, link)
            if goal is None:
                continue
            anchor = unquote(urlsplit(link).fragment)
            name = goal[:-3] + ".html" if goal.endswith(".md") else goal
            if name in found:
                if anchor and anchor not in found[name].anchors:
                    dead.append(f"{page}: {link}: there is no such heading")
            elif goal.startswith("..") or not os.path.isfile(os.path.join(ROOT, goal)):
                dead.append(f"{page}: {link}: there is no such file")
            else:
                copied.add(goal)
    for page, text in made.items():
        path = os.path.join(out, page[:-3] + ".html")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    for name in sorted(copied):
        os.makedirs(os.path.dirname(os.path.join(out, name)), exist_ok=True)
        shutil.copyfile(os.path.join(ROOT, name), os.path.join(out, name))
    # A folder is opened by its index.
    with open(os.path.join(out, "index.html"), "w", encoding="utf-8") as file:
        file.write(made["README.md"])
    # What was written is read again: each link has its file.
    for folder, _, names in os.walk(out):
        for name in names:
            if not name.endswith(".html"):
                continue
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                links = Links(file.read()).links
            for link in links:
                parts = urlsplit(link)
                if parts.scheme or parts.netloc or not parts.path:
                    continue
                if not os.path.exists(os.path.join(folder, unquote(parts.path))):
                    dead.append(f"{os.path.relpath(path, out)}: {link}: was not written")
    if checks:
        shutil.rmtree(out)
    for line in sorted(set(dead)):
        print(line, file=sys.stderr)
    print(f"{len(pages)} pages, {len(copied)} files, {len(set(dead))} dead links")
    sys.exit(bool(dead))


if __name__ == "__main__":
    main()
