#!/usr/bin/env python3
"""An HTTP server for fetch.sh: serves FOLDER on the loopback, knows ranges, and cuts every answer off.

range_server.py FOLDER LOG BYTES [plain]: prints its port; LOG gets a line per answer: path, first byte, bytes sent.
An answer ends after BYTES bytes, as if the connection had failed (0: never). plain: ranges are not known.
"""
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

folder, log, most, ranges = sys.argv[1], sys.argv[2], int(sys.argv[3]), "plain" not in sys.argv[4:]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = os.path.join(folder, self.path.lstrip("/"))
        if not os.path.isfile(path):
            self.send_error(404)
            return
        with open(path, "rb") as file:
            data = file.read()
        first = 0
        wanted = self.headers.get("Range") if ranges else None
        if wanted:
            first = int(wanted.removeprefix("bytes=").split("-")[0])
        if first >= len(data) > 0:
            self.send_error(416)
            return
        self.send_response(206 if wanted else 200)
        if wanted:
            self.send_header("Content-Range", f"bytes {first}-{len(data) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(data) - first))
        self.end_headers()
        part = data[first : first + most] if most else data[first:]
        self.wfile.write(part)
        self.close_connection = len(part) < len(data) - first
        with open(log, "a", encoding="utf-8") as lines:
            lines.write(f"{self.path} {first} {len(part)}\n")

    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.handle_error = lambda *arguments: None  # a client that goes away
print(server.server_port, flush=True)
server.serve_forever()
