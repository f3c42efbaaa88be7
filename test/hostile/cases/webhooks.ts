/** Requests for webhook endpoints and deliveries that are wrong in their path, method, key, body or query. */

import type { Expected } from "../../support/expectRefusal.ts"
import { request } from "../../support/rawHttp.ts"
import { keys, storedId } from "../../support/TestServer.ts"
import { type Case, json, key, malformed, notFound, wrongMethod } from "./Case.ts"

const all = "/api/v1/webhook-endpoints"
const one = `${all}/${storedId}`
const redelivery = `/api/v1/webhook-deliveries/${storedId}/redeliver`

const invalid: Expected = { code: "VALIDATION_FAILED" }
const tooLarge: Expected = { code: "PAYLOAD_TOO_LARGE" }

const sending = (
  method: string,
  path: string,
  body: string | Uint8Array,
  ...headers: ReadonlyArray<string>
) => request({ method, path, headers: [key, json, ...headers], body })

const reading = (path: string) => request({ method: "GET", path, headers: [key] })

const url = '"url":"https://hooks.example/risk"'
const events = '"events":["assessment.high"]'

/** Wrong in a new endpoint, and as the only field of a change. */
const fields: ReadonlyArray<readonly [name: string, field: string]> = [
  ["an unknown field", '"secret":"whsec_x"'],
  ["__proto__", '"__proto__":{"enabled":true}'],
  ["a null URL", '"url":null'],
  ["a URL that is a number", '"url":1'],
  ["an empty URL", '"url":""'],
  ["a URL over http", '"url":"http://hooks.example/"'],
  ["a URL of this machine", '"url":"https://127.0.0.1/"'],
  ["a URL of this machine in disguise", '"url":"https://[::ffff:7f00:1]/"'],
  ["a URL of a cloud's metadata", '"url":"https://169.254.169.254/latest/meta-data/"'],
  ["a URL with a password", '"url":"https://a:b@hooks.example/"'],
  ["a URL on another port", '"url":"https://hooks.example:22/"'],
  ["a URL of 2,049 characters", `"url":"https://hooks.example/${"a".repeat(2_027)}"`],
  ["a URL with U+0000", '"url":"https://hooks.example/\\u0000"'],
  ["no events", '"events":[]'],
  ["null events", '"events":null'],
  ["events as text", '"events":"ping"'],
  ["an unknown event", '"events":["assessment.low"]'],
  ["an event twice", '"events":["ping","ping"]'],
  ["nine events", `"events":[${Array(9).fill('"ping"').join()}]`],
  ["an event that is null", '"events":[null]'],
  ["an unknown level", '"min_level":"minimal"'],
  ["a null level", '"min_level":null'],
  ["enabled as text", '"enabled":"true"'],
  ["enabled as null", '"enabled":null'],
  ["a description of 241 characters", `"description":"${"a".repeat(241)}"`],
  ["a description of 241 emoji", `"description":"${"😀".repeat(241)}"`],
  ["a description with U+0000", '"description":"a\\u0000"'],
  ["a description that is an object", '"description":{}']
]

const fieldCases = fields.flatMap(([name, field]): ReadonlyArray<Case> => {
  const others = [url, events].filter((other) => other.split(":")[0] !== field.split(":")[0])
  return [
    [`${name} when made`, sending("POST", all, `{${[...others, field].join()}}`), invalid],
    [`${name} when changed`, sending("PATCH", one, `{${field}}`), invalid]
  ]
})

/** Where a body is read: creation, change, and the three that need none. */
const readers: ReadonlyArray<readonly [method: string, path: string]> = [
  ["POST", all],
  ["PATCH", one],
  ["POST", `${one}/rotate-secret`],
  ["POST", `${one}/test`],
  ["POST", redelivery]
]

const bodyCases = readers.flatMap(([method, path]): ReadonlyArray<Case> => {
  const name = `${method} ${path.replace(storedId, "{id}")}`
  const send = (body: string | Uint8Array, ...headers: ReadonlyArray<string>) =>
    sending(method, path, body, ...headers)
  return [
    [`${name}: broken JSON`, send("{"), malformed],
    [`${name}: a key twice`, send('{"url":"a","url":"b"}'), malformed],
    [`${name}: a key twice by escapes`, send(String.raw`{"url":"a","\u0075rl":"b"}`), malformed],
    [`${name}: 33 levels`, send(`${'{"a":'.repeat(33)}1${"}".repeat(33)}`), malformed],
    [`${name}: invalid UTF-8`, send(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)), malformed],
    [`${name}: a content encoding`, send("{}", "Content-Encoding: gzip"), malformed],
    [`${name}: null`, send("null"), invalid],
    [`${name}: an array`, send("[]"), invalid],
    [`${name}: text`, send('"a"'), invalid],
    [`${name}: an unknown field`, send('{"unknown":1}'), invalid],
    [`${name}: more than 64 KB`, send(`{"url":"${"a".repeat(65_536)}"}`), tooLarge]
  ]
})

export const webhooks: ReadonlyArray<Case> = [
  ...fieldCases,
  ...bodyCases,
  ["an empty body when made", sending("POST", all, ""), malformed],
  ["an empty body when changed", sending("PATCH", one, ""), malformed],
  ["no URL", sending("POST", all, `{${events}}`), invalid],
  ["no events named", sending("POST", all, `{${url}}`), invalid],
  ...[all, `${one}/rotate-secret`].map((path): Case => [
    `an idempotency key with a space: ${path.replace(storedId, "{id}")}`,
    sending("POST", path, path === all ? `{${url},${events}}` : "{}", "Idempotency-Key: a b"),
    invalid
  ]),
  ...["limit=0", "limit=101", "limit=1&limit=1", "cursor=yesterday", "limit=%FF"].flatMap(
    (query): ReadonlyArray<Case> => [
      [`${query} of endpoints`, reading(`${all}?${query}`), invalid],
      [`${query} of deliveries`, reading(`${one}/deliveries?${query}`), invalid]
    ]
  ),
  ...["status=", "status=Dead", "status=lost", "status=dead&status=dead", "status=%FF"].map((query): Case => [
    query,
    reading(`${one}/deliveries?${query}`),
    invalid
  ]),
  ...[
    `${all}/`,
    `/${all}`,
    "/api/v1/Webhook-Endpoints",
    "/api/v1/webhook_endpoints",
    "/api/v1/webhook-endpoints;v=1",
    `${all}/1`,
    `${all}/00000000-0000-7000-8000-000000000000`,
    `${all}/..%2f..%2fetc`,
    `${one}/`,
    `${one}//deliveries`,
    `${one}/deliveries/`,
    `${one}/deliveries/${storedId}`,
    `${all}/1/deliveries`,
    `${one}/secret`,
    "/api/v1/webhook-deliveries",
    `/api/v1/webhook-deliveries/${storedId}`
  ].map((path): Case => [path.replace(storedId, "{id}"), reading(path), notFound]),
  ...[
    ["PATCH", `${all}/1`],
    ["DELETE", `${all}/1`],
    ["POST", `${all}/1/rotate-secret`],
    ["POST", `${all}/1/test`],
    ["POST", "/api/v1/webhook-deliveries/1/redeliver"]
  ].map(([method = "", path = ""]): Case => [
    `${method} ${path}`,
    method === "DELETE" ? request({ method, path, headers: [key] }) : sending(method, path, "{}"),
    notFound
  ]),
  ...[
    ["PUT", all],
    ["PATCH", all],
    ["DELETE", all],
    ["OPTIONS", all],
    ["POST", one],
    ["PUT", one],
    ["GET", `${one}/rotate-secret`],
    ["GET", `${one}/test`],
    ["DELETE", `${one}/test`],
    ["POST", `${one}/deliveries`],
    ["GET", redelivery]
  ].map(([method = "", path = ""]): Case => [
    `${method} ${path.replace(storedId, "{id}")}`,
    request({ method, path, headers: [key] }),
    wrongMethod
  ]),
  ...[...readers, ["GET", all], ["GET", one], ["DELETE", one], ["GET", `${one}/deliveries`]].flatMap(
    ([method = "", path = ""]): ReadonlyArray<Case> => {
      const name = `${method} ${path.replace(storedId, "{id}")}`
      const bearer = (of: string) => [`Authorization: Bearer ${of}`, json]
      return [
        [`${name} without a key`, request({ method, path, headers: [json] }), { code: "MISSING_API_KEY" }],
        [
          `${name} with a key that may only read`,
          request({ method, path, headers: bearer(keys.readOnly) }),
          { code: "INSUFFICIENT_SCOPE" }
        ]
      ]
    }
  )
]
