/** What to do about each error, in a sentence or two. */

import type { ErrorCode } from "../../../domain/ErrorCode.ts"

export const remedies: Readonly<Record<ErrorCode, string>> = {
  MISSING_API_KEY:
    "Send the header `Authorization: Bearer <key>`, once, from a server and never from a browser.",
  INVALID_API_KEY:
    "Check that the whole key was copied: it starts with `svc_test_` or `svc_live_` and ends in a checksum. Otherwise ask your operator for a new one.",
  SANDBOX_EXPIRED: "Ask your operator for a new test key. Nothing that was stored is lost.",
  INSUFFICIENT_SCOPE:
    "Ask your operator for a key with the scope that the `www-authenticate` header names. Assessing needs `assess`, reading needs `read`.",
  INVALID_ENVIRONMENT:
    "Use a key that may assess actions in this environment. Never state another environment to get past it.",
  MALFORMED_JSON:
    "Send one JSON object in UTF-8 with the content type `application/json`: no byte-order mark, no repeated keys, no content encoding, at most 32 levels. The message says what was found and where.",
  VALIDATION_FAILED:
    "Correct every problem listed in `error.details` and send the request again. Nothing was stored.",
  PAYLOAD_TOO_LARGE:
    "Send less: references in `metadata` and `context` serve better than copies of documents.",
  IDEMPOTENCY_KEY_REUSED:
    "Use a new key for a new request. To repeat a request, send exactly the same body with its key.",
  RATE_LIMITED:
    "Wait for the seconds in `retry-after`. The `svc-ratelimit-` headers of every response show what is left.",
  ASSESSMENT_INCOMPLETE:
    "Retry after the seconds in `retry-after`, or accept incomplete opinions by leaving out `Prefer: handling=strict`.",
  ASSESSMENT_UNAVAILABLE:
    "Retry after the seconds in `retry-after` with the same Idempotency-Key. If the action cannot wait, escalate it to a human.",
  NOT_FOUND:
    "Check the path letter by letter, and that the key belongs to the organization and mode that made the assessment.",
  METHOD_NOT_ALLOWED: "Use one of the methods that the `allow` header lists."
}
