"""Asks the service how risky an action is, with Python's standard library alone. Copy this file; Python 3.9 or later.

    risk = ActionRisk("https://risk.example", os.environ["ACTION_RISK_KEY"])
    answer = risk.ask({"action_type": "stripe.refunds.create", "environment": "production"})
    if isinstance(answer, NoOpinion):
        hand_over(answer.code, answer.message)  # the risk is unknown, which is never low
    elif answer.asks_person:
        ask_a_person(answer.level, answer.reason)

`ask` never raises. Without an opinion there is no level: `NoOpinion` has no such attribute. One key names a question, so that asking it
again is never a second assessment. `answer.asks_person` is False for a whole opinion alone, of a low risk and of a control that needs nobody.
"""

import http.client
import json
import random
import re
import time
import uuid
from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple, Union
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

LEVELS = ("low", "moderate", "high", "critical")
CONTROLS = (
    "NO_ADDITIONAL_CONTROL_RECOMMENDED",
    "ENHANCED_LOGGING_RECOMMENDED",
    "CONTEXT_COMPLETION_RECOMMENDED",
    "STAGED_EXECUTION_RECOMMENDED",
    "HUMAN_CONFIRMATION_RECOMMENDED",
    "HUMAN_REVIEW_RECOMMENDED",
    "SECONDARY_APPROVAL_RECOMMENDED",
    "HUMAN_ESCALATION_RECOMMENDED",
)
ASKS_FROM = CONTROLS.index("HUMAN_CONFIRMATION_RECOMMENDED")
ANSWER_BYTES_MAX = 1_048_576
PASSING_STATUSES = (429, 502, 503, 504)


@dataclass(frozen=True)
class Opinion:
    opinion: str  # "full" or "partial"
    level: str
    score: int  # 0 to 100
    control: str
    reason: str
    assessment: Dict[str, Any]

    @property
    def asks_person(self) -> bool:
        return self.opinion != "full" or self.level != "low" or CONTROLS.index(self.control) >= ASKS_FROM


@dataclass(frozen=True)
class NoOpinion:
    code: str  # of the API, or UNREACHABLE, TIMED_OUT or NOT_UNDERSTOOD
    message: str
    retryable: bool = False
    opinion: str = "none"
    asks_person: bool = True


Answer = Union[Opinion, NoOpinion]


class _NoRedirect(HTTPRedirectHandler):
    """A redirect would carry the action to where nobody meant to send it."""

    def redirect_request(self, *_: Any) -> None:
        return None


class ActionRisk:
    def __init__(
        self, base_url: str, key: str, attempts_max: int = 3, attempt_s: float = 3.5, deadline_s: float = 10.0
    ) -> None:
        if not re.fullmatch(r"https?://[^@\s]+", base_url):
            raise ValueError("base_url begins with http:// or https://, and holds no credentials")
        if not re.fullmatch(r"[\x21-\x7e]+", key):
            raise ValueError("the key is empty, or not visible ASCII")
        self._url = base_url.rstrip("/") + "/api/v1/actions/assess"
        self._key = key
        self._attempts_max = attempts_max
        self._attempt_s = attempt_s
        self._deadline_s = deadline_s
        self._opener = build_opener(_NoRedirect)

    def ask(self, action: Dict[str, Any], question_id: Optional[str] = None) -> Answer:
        """`question_id`: the id of the tool call, for example. Never raises."""
        try:
            body = json.dumps(action, allow_nan=False).encode()
            return self._ask_until(body, question_id or str(uuid.uuid4()))
        except Exception as cause:  # whatever goes wrong is an answer without an opinion
            return NoOpinion("NOT_UNDERSTOOD", f"the question could not be asked: {cause}")

    def _ask_until(self, body: bytes, question_id: str) -> Answer:
        end = time.monotonic() + self._deadline_s
        attempt = 1
        while True:
            answer, retry_after_s = self._attempt(body, question_id, min(self._attempt_s, end - time.monotonic()))
            if isinstance(answer, Opinion) or not answer.retryable or attempt >= self._attempts_max:
                return answer
            pause_s = max(retry_after_s, 0.25 * 2 ** (attempt - 1) * (1 - random.random() / 2))
            if time.monotonic() + pause_s >= end:
                return answer
            time.sleep(pause_s)
            attempt += 1

    def _attempt(self, body: bytes, question_id: str, timeout_s: float) -> Tuple[Answer, float]:
        headers = {
            "authorization": f"Bearer {self._key}",
            "content-type": "application/json",
            "idempotency-key": question_id,
        }
        request = Request(self._url, data=body, headers=headers, method="POST")
        try:
            try:
                response = self._opener.open(request, timeout=max(timeout_s, 0.001))
            except HTTPError as error:  # an answer like any other
                response = error
            with response:
                text = _read_until(response, time.monotonic() + timeout_s)
                retry_after = response.headers.get("retry-after", "")
                answer = _read_answer(response.status, response.headers.get("svc-risk-opinion"), text)
                return answer, float(retry_after) if retry_after.isdigit() else 0.0
        except (TimeoutError, URLError, OSError, http.client.HTTPException) as cause:
            why = getattr(cause, "reason", cause)
            late = isinstance(cause, TimeoutError) or isinstance(why, TimeoutError)
            code, says = ("TIMED_OUT", "did not answer in time") if late else ("UNREACHABLE", f"cannot be reached: {why}")
            return NoOpinion(code, f"the service {says}", retryable=True), 0.0


def _read_until(response: Any, end: float) -> bytes:
    """The timeout of a socket begins anew with each byte, so that a slow answer needs a bound of its own."""
    text = b""
    while len(text) <= ANSWER_BYTES_MAX:
        if time.monotonic() > end:
            raise TimeoutError
        part = response.read1(65_536)
        if not part:
            if response.length:
                raise http.client.IncompleteRead(text)
            return text
        text += part
    return text


def _not_understood(status: int, what: str) -> NoOpinion:
    return NoOpinion("NOT_UNDERSTOOD", f"the answer (status {status}) {what}", status in PASSING_STATUSES)


def _read_answer(status: int, opinion: Optional[str], text: bytes) -> Answer:
    """An opinion is only what says so in its status, in its header and in its body."""
    if len(text) > ANSWER_BYTES_MAX:
        return _not_understood(status, "is too long")
    try:
        body = json.loads(text)
    except ValueError:
        return _not_understood(status, "is not JSON")
    if status != 200:
        error = body.get("error") if isinstance(body, dict) else None
        if not isinstance(error, dict) or not isinstance(error.get("code"), str):
            return _not_understood(status, "does not come from the service")
        again = error.get("retryable") is True and error["code"] != "IDEMPOTENCY_KEY_REUSED"
        return NoOpinion(error["code"], str(error.get("message")), again)
    if opinion not in ("full", "partial"):
        return _not_understood(status, "does not say that it is an opinion")
    try:
        risk, control = body["action_risk"], body["recommended_control"]
        level, score, kind, because = risk["level"], risk["score"], control["type"], control["because"]
        complete = body["assessment_status"] == "complete" and body["status"] == "completed"
        known = level in LEVELS and type(score) is int and 0 <= score <= 100 and kind in CONTROLS
        known = known and isinstance(because, list) and isinstance(body["assessment_id"], str)
    except (KeyError, TypeError):
        known = complete = False
    if not known:
        return _not_understood(status, "is not a risk opinion of version 1")
    if complete != (opinion == "full"):
        return _not_understood(status, "contradicts itself about being complete")
    return Opinion(opinion, level, score, kind, str(because[0]) if because else "", body)
