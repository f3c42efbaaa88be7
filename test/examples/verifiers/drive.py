"""Asks examples/webhook-receiver/verify.py about each delivery on standard input: prints the event's id, or null."""

import base64
import json
import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from verify import NotVerified, verify  # noqa: E402


def asked(delivery):
    try:
        body = base64.b64decode(delivery["body"])
        return verify(delivery["secret"], delivery["headers"], body)["id"]
    except NotVerified:
        return None


print(json.dumps([asked(delivery) for delivery in json.load(sys.stdin)]))
