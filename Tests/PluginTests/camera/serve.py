#!/usr/bin/python3
"""Serves one page, prints what the page posts, and ends with the message that is its last.

    serve.py PAGE PORTFILE
"""
import http.server
import os
import sys

page, port_file = sys.argv[1:]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        with open(page, "rb") as file:
            body = file.read()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        print(text, flush=True)
        self.send_response(204)
        self.end_headers()
        if text.startswith("end"):
            os._exit(0)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open(port_file, "w", encoding="ascii") as file:
    file.write(str(server.server_address[1]))
server.serve_forever()
