/** Requests for reviews that are wrong in their path, method, key, body or query. */

import type { Expected } from "../../support/expectRefusal.ts"
import { request } from "../../support/rawHttp.ts"
import { keys, storedId } from "../../support/TestServer.ts"
import { type Case, json, key, malformed, notFound, wrongMethod } from "./Case.ts"

const all = "/api/v1/reviews"
const one = `${all}/${storedId}`
const closing = `${one}/close`
const unknown = "00000000-0000-7000-8000-000000000000"

const invalid: Expected = { code: "VALIDATION_FAILED" }

const close = (body: string | Uint8Array, path = closing, ...headers: ReadonlyArray<string>) =>
  request({ path, headers: [key, json, ...headers], body })

const reading = (path: string) => request({ method: "GET", path, headers: [key] })

const accepted = '"outcome":"risk_accepted"'

export const reviews: ReadonlyArray<Case> = [
  ...(
    [
      ["no outcome", "{}"],
      ["an outcome that is none", '{"outcome":"approved"}'],
      ["an outcome in capitals", '{"outcome":"RISK_ACCEPTED"}'],
      ["a null outcome", '{"outcome":null}'],
      ["two outcomes", '{"outcome":["risk_accepted","escalated"]}'],
      ["a null note", `{${accepted},"note":null}`],
      ["a note that is a number", `{${accepted},"note":1}`],
      ["a note of 2,001 characters", `{${accepted},"note":"${"a".repeat(2_001)}"}`],
      ["a note of 2,001 emoji", `{${accepted},"note":"${"😀".repeat(2_001)}"}`],
      ["a note with U+0000", `{${accepted},"note":"a\\u0000"}`],
      ["an unknown field", `{${accepted},"authorize":true}`],
      ["__proto__", `{${accepted},"__proto__":{"note":"a"}}`],
      ["null", "null"],
      ["an array", `[{${accepted}}]`],
      ["text", '"risk_accepted"']
    ] as const
  ).map(([name, body]): Case => [`closing with ${name}`, close(body), invalid]),
  ...(
    [
      ["an empty body", ""],
      ["broken JSON", "{"],
      ["an outcome twice", `{${accepted},"outcome":"escalated"}`],
      ["an outcome twice by escapes", String.raw`{"outcome":"escalated","\u006futcome":"risk_accepted"}`],
      ["33 levels", `${'{"note":'.repeat(33)}1${"}".repeat(33)}`],
      ["half a surrogate", String.raw`{"outcome":"escalated","note":"\ud800"}`],
      ["invalid UTF-8", Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)]
    ] as const
  ).map(([name, body]): Case => [`closing with ${name}`, close(body), malformed]),
  ["closing with a content encoding", close(`{${accepted}}`, closing, "Content-Encoding: gzip"), malformed],
  [
    "closing with more than 64 KB",
    close(`{${accepted},"note":"${"a".repeat(65_536)}"}`),
    { code: "PAYLOAD_TOO_LARGE" }
  ],
  ["closing another's with a wrong body", close("{}", `${all}/${unknown}/close`), invalid],
  ...["1", unknown, `${storedId}0`].map((id): Case => [
    `closing ${id}`,
    close(`{${accepted}}`, `${all}/${id}/close`),
    notFound
  ]),
  ...[
    "state=",
    "state=Open",
    "state=all",
    "state=open&state=closed",
    "state=%FF",
    "limit=0",
    "limit=101",
    "limit=1&limit=1",
    "cursor=yesterday"
  ].map((query): Case => [query, reading(`${all}?${query}`), invalid]),
  ...[
    `${all}/`,
    `/${all}`,
    "/api/v1/Reviews",
    "/api/v1/reviews;state=open",
    `${all}/1`,
    `${all}/${unknown}`,
    `${all}/..%2f..%2fetc`,
    `${one}/`,
    `${closing}/`,
    `${one}//close`,
    `${one}/reopen`
  ].map((path): Case => [path.replace(storedId, "{id}"), reading(path), notFound]),
  ...[
    ["POST", all],
    ["DELETE", all],
    ["PUT", one],
    ["PATCH", one],
    ["DELETE", one],
    ["GET", closing],
    ["PUT", closing]
  ].map(([method = "", path = ""]): Case => [
    `${method} ${path.replace(storedId, "{id}")}`,
    request({ method, path, headers: [key] }),
    wrongMethod
  ]),
  ...[
    ["GET", all],
    ["GET", one],
    ["POST", closing]
  ].flatMap(([method = "", path = ""]): ReadonlyArray<Case> => {
    const name = `${method} ${path.replace(storedId, "{id}")}`
    const readOnly = [`Authorization: Bearer ${keys.readOnly}`, json]
    return [
      [`${name} without a key`, request({ method, path, headers: [json] }), { code: "MISSING_API_KEY" }],
      [
        `${name} with a key that may only read`,
        request({ method, path, headers: readOnly }),
        { code: "INSUFFICIENT_SCOPE" }
      ]
    ]
  })
]
