"""Verifies a delivery with the standard library alone. To copy into your receiver; needs Python 3.8 or newer."""

import base64
import hashlib
import hmac
import json
import re
import time

# How far a delivery's clock and yours may be apart; an older delivery may be a replay by an attacker.
TOLERANCE_SECONDS = 5 * 60


class NotVerified(Exception):
    """The delivery was not signed with this secret, or not within the last five minutes."""


def verify(secret, headers, body):
    """The event as a dict; raises NotVerified.

    `headers` has `get`, as those of http.server, Flask, Django and Starlette do. `body` is bytes as they arrived: JSON
    that was parsed and printed again is another text.
    """
    event_id, timestamp, signatures = (
        headers.get(name) or "" for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if not (event_id and timestamp and signatures):
        raise NotVerified("a header is missing")
    if not re.fullmatch("[0-9]{1,15}", timestamp):
        raise NotVerified("webhook-timestamp is no number of seconds")
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise NotVerified("webhook-timestamp is more than five minutes away")

    key = base64.b64decode(secret[len("whsec_"):] if secret.startswith("whsec_") else secret)
    if not key:
        raise ValueError("the secret is empty")
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # Two while a secret is rotated, with a space between them: one that fits is enough.
    if not any(hmac.compare_digest(given.encode(), expected) for given in signatures.split(" ")):
        raise NotVerified("no signature fits")
    return json.loads(body)
