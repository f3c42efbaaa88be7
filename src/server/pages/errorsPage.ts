/** The page of error codes. */

import { errorEnvelope, failures } from "../../api/Failures.ts"
import { type ErrorCode, errorCodes } from "../../domain/ErrorCode.ts"
import { pageText, pageOf, pageProse } from "./page.ts"

const example = (code: ErrorCode, baseUrl: string): string => {
  const details = [
    { field: "action_typ", message: "is not a field of this request" },
    { field: "action_type", message: "is required" }
  ]
  const failure = new failures[code]({ details, retryAfterSeconds: code === "RATE_LIMITED" ? 17 : 1 })
  return JSON.stringify(errorEnvelope(failure, "req_01KAFS7XZ4M5Q9T2B8W3C6D1EF", baseUrl), null, 2)
}

const section = (code: ErrorCode, baseUrl: string): string => {
  const { meaning, retryable, status } = errorCodes[code]
  return `<section id="${code}" aria-labelledby="${code}-name">
  <h2 id="${code}-name"><a href="#${code}">${code}</a></h2>
  <p class="facts"><span>HTTP ${status}</span><span>${retryable ? "Retryable" : "Not retryable unchanged"}</span></p>
  <p>${pageProse(meaning)}</p>
  <p><strong>What to do.</strong> ${pageProse(remedies[code])}</p>
  <details><summary>Example</summary><pre tabindex="0"><code>${pageText(example(code, baseUrl))}</code></pre></details>
</section>`
}

const row = (code: ErrorCode): string => {
  const { retryable, status } = errorCodes[code]
  return `<tr><td><a href="#${code}">${code}</a></td><td>${status}</td><td>${retryable ? "yes" : "no"}</td></tr>`
}

/** The page to which every error's `documentation_url` points, made from the table of error codes. */
export const errorsPage = (baseUrl: string): string => {
  const codes = Object.keys(errorCodes) as Array<ErrorCode>
  return pageOf(
    "Errors",
    `<p class="lead">An error means that no risk opinion was produced. It never means that the action is low risk, and never that
it was blocked. Treat <a href="#ASSESSMENT_UNAVAILABLE">ASSESSMENT_UNAVAILABLE</a> as a reason to ask a human.</p>
<p>Every error has the same body. <code>error.code</code> is stable and meant for programs; <code>error.message</code> is meant
for people and may change. Quote <code>request_id</code> when you ask for help.</p>
<table>
<caption>All codes</caption>
<thead><tr><th scope="col">Code</th><th scope="col">HTTP status</th><th scope="col">Retryable</th></tr></thead>
<tbody>${codes.map(row).join("")}</tbody>
</table>
${codes.map((code) => section(code, baseUrl)).join("\n")}`
  )
}

/** For each error, what a client should do about it. */
const remedies: Readonly<Record<ErrorCode, string>> = {
  MISSING_API_KEY:
    "Send the header `Authorization: Bearer <key>`, once, from a server and never from a browser.",
  INVALID_API_KEY:
    "Check that the whole key was copied: it starts with `svc_test_` or `svc_live_` and ends in a checksum. Otherwise ask your operator for a new one.",
  SANDBOX_EXPIRED: "Ask your operator for a new test key. Nothing that was stored is lost.",
  INSUFFICIENT_SCOPE:
    "Ask your operator for a key with the scope that the `www-authenticate` header names. Assessing needs `assess`, reading needs `read`.",
  INVALID_ENVIRONMENT:
    "Use a key that covers this environment. Never state another environment to get past it.",
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
