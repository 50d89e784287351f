"""Archives promotions that are older than a month, after a look at the plan. With the standard library alone.

MAILSWEEP_API=http://localhost:3000 MAILSWEEP_TOKEN=msw_… python3 clean.py [--yes]

The token needs the scope `act`; one that requires confirmation waits until you confirm in the web app.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

API = os.environ["MAILSWEEP_API"] + "/api/v1"
HEADERS = {"authorization": "Bearer " + os.environ["MAILSWEEP_TOKEN"], "content-type": "application/json"}
PLAN = {"action": "archive", "selection": {"type": "filter", "category": "promotions", "olderThan": 30}}
ATTEMPTS = 5


def ask(method, path, body=None):
    """Asks the API, and again after a lost connection, 429 or 503: by its key, an action is done once."""
    data = None if body is None else json.dumps(body).encode()
    headers = HEADERS | ({"idempotency-key": str(uuid.uuid4())} if method == "POST" else {})
    for attempt in range(1, ATTEMPTS + 1):
        try:
            request = urllib.request.Request(API + path, data, headers, method=method)
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            problem = json.load(error)
            if error.code not in (429, 503) or attempt == ATTEMPTS:
                sys.exit(f"{problem['code']}: {problem['detail']} (request {problem['requestId']})")
            time.sleep(int(error.headers.get("retry-after", attempt)))
        except OSError as error:
            if attempt == ATTEMPTS:
                sys.exit(f"The API can't be reached: {error}")
            time.sleep(attempt)


plan = ask("POST", "/cleanups", PLAN)
path = f"/cleanups/{plan['id']}"
print(f"{plan['total']} emails, for example:")
for email in plan["sample"][:5]:
    print(f"  {email['from']}: {email['subject']}")
if plan["total"] == 0:
    sys.exit()
if "--yes" not in sys.argv and input("Archive them? [y/N] ").lower() != "y":
    sys.exit("Nothing was done.")

cleanup = ask("POST", path + "/run", {})
if cleanup["state"] == "awaiting_confirmation":
    print("Confirm it in the web app.")
while cleanup["finishedAt"] is None:
    time.sleep(1)
    cleanup = ask("GET", path)
print(f"{cleanup['state']}: {cleanup['changed']} archived, {cleanup['failed']} failed.")
print(f"To take it back: mailsweep undo {cleanup['batchId']}")
