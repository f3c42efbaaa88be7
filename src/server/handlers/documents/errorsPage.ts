/** The page that every error's `documentation_url` points to, made from the table of error codes. */

import { envelope } from "../../../api/ErrorEnvelope.ts"
import { failures } from "../../../api/Failures.ts"
import { type ErrorCode, errorCodes } from "../../../domain/ErrorCode.ts"
import { remedies } from "./remedies.ts"
import { styles } from "./styles.ts"

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** Backticks in the table's sentences are code. */
const prose = (text: string): string => escape(text).replace(/`([^`]+)`/g, "<code>$1</code>")

const example = (code: ErrorCode, baseUrl: string): string => {
  const details = [
    { field: "action_typ", message: "is not a field of this request" },
    { field: "action_type", message: "is required" }
  ]
  const failure = new failures[code]({ details, retryAfterSeconds: code === "RATE_LIMITED" ? 17 : 1 })
  return JSON.stringify(envelope(failure, "req_01KAFS7XZ4M5Q9T2B8W3C6D1EF", baseUrl), null, 2)
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

export const errorsPage = (baseUrl: string): string => {
  const codes = Object.keys(errorCodes) as Array<ErrorCode>
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Errors · action-risk</title>
<style>${styles}</style>
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
