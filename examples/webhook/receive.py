"""Receives Mailsweep's webhook, and takes no call without a right signature. With the standard library alone.

WEBHOOK_SIGNING_SECRET=whsec_… python3 receive.py 8080
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SIGNING_SECRET"].removeprefix("whsec_"))
MAX_AGE_S = 5 * 60
MAX_BYTES = 1_000_000
received = set()  # In real use: a table, as calls can be repeated for a day.


def is_genuine(headers, body):
    """Whether one of the signatures is right (https://www.standardwebhooks.com), and new."""
    event_id, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not sent_at.isdecimal() or abs(time.time() - int(sent_at)) > MAX_AGE_S:
        return False
    signed = f"{event_id}.{sent_at}.".encode() + body
    right = "v1," + base64.b64encode(hmac.digest(KEY, signed, hashlib.sha256)).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(right.encode(), one.encode()) for one in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        size = int(self.headers.get("content-length", MAX_BYTES + 1))
        body = self.rfile.read(size) if size <= MAX_BYTES else b""
        genuine = is_genuine(self.headers, body)
        self.send_response(204 if genuine else 401)
        self.end_headers()
        if genuine and self.headers["webhook-id"] not in received:
            received.add(self.headers["webhook-id"])
            event = json.loads(body)
            print(event["type"], json.dumps(event["data"]), flush=True)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
