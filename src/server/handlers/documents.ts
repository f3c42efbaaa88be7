/** The documents beside the contract: OpenAPI, the interactive reference, and the page of error codes. All work offline. */

import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { completeOpenApi, withoutSampledOptions } from "../../api/openApi.ts"
import { errorEnvelope } from "../../api/Failures.ts"
import { failures } from "../../api/Failures.ts"
import { type ErrorCode, errorCodes } from "../../domain/ErrorCode.ts"
import type { HttpResponse, OpenHandler } from "../Exchange.ts"

/** A policy under which the page loads nothing from elsewhere, not even from its embedded scripts. */
const offline = (more: string) =>
  `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'unsafe-inline'${more}`

const html = (body: string, policy: string): HttpResponse => ({
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy },
  body
})

const described = (baseUrl: string) =>
  Api.annotate(OpenApi.Servers, [{ url: baseUrl, description: "This service" }])

/** The settings of the reference page: without fonts or services from elsewhere. */
const scalar = {
  withDefaultFonts: false,
  hideModels: true,
  defaultOpenAllTags: true,
  showDeveloperTools: "never",
  authentication: { preferredSecurityScheme: "bearer" }
}

/** Effect's reference page, which embeds its script. */
const referencePage = async (baseUrl: string): Promise<string> => {
  const sampled = described(baseUrl).annotate(OpenApi.Transform, (document) =>
    withoutSampledOptions(completeOpenApi(document))
  )
  const { dispose, handler } = HttpRouter.toWebHandler(
    HttpApiScalar.layer(sampled, { path: "/docs", scalar }),
    { disableLogger: true }
  )
  const response = await handler(new Request("http://localhost/docs"))
  const page = await response.text()
  await dispose()
  return page
}

/** Each document is made at its first request, because `baseUrl` is known only when the server listens. */
export const documentHandlers = Effect.fn("documentHandlers")(function* (baseUrl: () => string) {
  const openApi = yield* Effect.cached(
    Effect.sync(() => `${JSON.stringify(OpenApi.fromApi(described(baseUrl())), null, 2)}\n`)
  )
  const reference = yield* Effect.cached(Effect.promise(() => referencePage(baseUrl())))
  const errors = yield* Effect.cached(Effect.sync(() => errorsPage(baseUrl())))

  return {
    "/openapi.json": () =>
      Effect.map(openApi, (body) => ({
        status: 200,
        headers: { "content-type": "application/json" },
        body
      })),
    "/docs": () =>
      Effect.map(reference, (page) =>
        html(
          page,
          offline("; script-src 'unsafe-inline'; img-src 'self' data:; font-src data:; connect-src 'self'")
        )
      ),
    "/docs/errors": () => Effect.map(errors, (page) => html(page, offline("")))
  } satisfies Readonly<Record<string, OpenHandler>>
})

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** Text in backticks becomes code. */
const prose = (text: string): string => escape(text).replace(/`([^`]+)`/g, "<code>$1</code>")

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
  <p class="facts"><span>HTTP ${status}</span><span>${retryable ? "Retryable" : "Not retryable as it is"}</span></p>
  <p>${prose(meaning)}</p>
  <p><strong>What to do.</strong> ${prose(remedies[code])}</p>
  <details><summary>Example</summary><pre tabindex="0"><code>${escape(example(code, baseUrl))}</code></pre></details>
</section>`
}

const row = (code: ErrorCode): string => {
  const { retryable, status } = errorCodes[code]
  return `<tr><td><a href="#${code}">${code}</a></td><td>${status}</td><td>${retryable ? "yes" : "no"}</td></tr>`
}

/** The page that `documentation_url` of every error points to, made from the table of error codes. */
const errorsPage = (baseUrl: string): string => {
  const codes = Object.keys(errorCodes) as Array<ErrorCode>
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Errors · action-risk</title>
<style>${errorsPageStyles}</style>
</head>
<body>
<main>
<h1>Errors</h1>
<p class="lead">An error means that no risk opinion was produced. It never means that the action is low risk, and never that
it was blocked. Treat <a href="#ASSESSMENT_UNAVAILABLE">ASSESSMENT_UNAVAILABLE</a> as a reason to ask a human.</p>
<p>Every error has the same body. <code>error.code</code> is stable and meant for programs; <code>error.message</code> is meant
for people and may change. Quote <code>request_id</code> when you ask for help.</p>
<table>
<caption>All codes</caption>
<thead><tr><th scope="col">Code</th><th scope="col">HTTP status</th><th scope="col">Retryable</th></tr></thead>
<tbody>${codes.map(row).join("")}</tbody>
</table>
${codes.map((code) => section(code, baseUrl)).join("\n")}
<p class="foot"><a href="/docs">API reference</a> · <a href="/openapi.json">OpenAPI document</a></p>
</main>
</body>
</html>
`
}

/** What a client does about each error. */
const remedies: Readonly<Record<ErrorCode, string>> = {
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

/** Light or dark as the reader's system is set, with the system's fonts. */
const errorsPageStyles = `
:root { color-scheme: light dark; --ink: #1c2024; --soft: #5a6470; --paper: #fdfdfc; --line: #dfe3e6; --link: #0b57a4; --code: #f3f4f2; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e7e9ea; --soft: #a3adb8; --paper: #15181b; --line: #31373d; --link: #8ab8f0; --code: #1f2428; }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1.5rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
h1 { font-size: 2.25rem; line-height: 1.2; margin: 0 0 1rem; letter-spacing: -0.02em; }
h2 { font: 600 1.1rem/1.4 ui-monospace, monospace; margin: 0; overflow-wrap: anywhere; }
h2 a { color: inherit; text-decoration: none; }
h2 a:hover, h2 a:focus-visible { text-decoration: underline; }
.lead { font-size: 1.15rem; }
a { color: var(--link); text-underline-offset: 0.15em; }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 3px; border-radius: 2px; }
code { font: 0.9em/1.5 ui-monospace, monospace; background: var(--code); padding: 0.1em 0.3em; border-radius: 3px; overflow-wrap: anywhere; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 6px; padding: 1rem; overflow-x: auto; }
pre code { padding: 0; background: none; overflow-wrap: normal; }
table { width: 100%; border-collapse: collapse; margin: 2rem 0; font-size: 0.95rem; }
caption { text-align: left; color: var(--soft); padding-bottom: 0.5rem; }
th, td { text-align: left; padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); }
td:first-child { font-family: ui-monospace, monospace; font-size: 0.9em; overflow-wrap: anywhere; }
section { padding: 1.75rem 0 1rem; border-top: 1px solid var(--line); }
section:target h2 { color: var(--link); }
.facts { margin: 0.25rem 0 0.75rem; color: var(--soft); font-size: 0.9rem; }
.facts span + span::before { content: "·"; margin: 0 0.5rem; }
summary { cursor: pointer; color: var(--soft); }
.foot { margin-top: 3rem; }
`
