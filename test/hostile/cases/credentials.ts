/** Credentials that are missing, wrong, expired or too weak. */

import { request } from "../../support/rawHttp.ts"
import { keys } from "../../support/TestServer.ts"
import { type Case, assess, json, key, valid, noKey, badKey } from "./Case.ts"

export const credentials: ReadonlyArray<Case> = [
  ["no Authorization", request({ path: assess, headers: [json], body: valid }), noKey],
  ["an empty Authorization", request({ path: assess, headers: ["Authorization:"], body: valid }), noKey],
  ["Basic", request({ path: assess, headers: ["Authorization: Basic dTpw"], body: valid }), noKey],
  [
    "Bearer without a token",
    request({ path: assess, headers: ["Authorization: Bearer"], body: valid }),
    noKey
  ],
  ["Bearer and a space", request({ path: assess, headers: ["Authorization: Bearer  "], body: valid }), noKey],
  [
    "a key without a scheme",
    request({ path: assess, headers: [`Authorization: ${keys.test}`], body: valid }),
    noKey
  ],
  [
    "a scheme that only starts like Bearer",
    request({ path: assess, headers: [`Authorization: Bearers ${keys.test}`], body: valid }),
    noKey
  ],
  [
    "a tab behind Bearer",
    request({ path: assess, headers: [`Authorization: Bearer\t${keys.test}`], body: valid }),
    noKey
  ],
  [
    "a no-break space behind Bearer",
    Buffer.from(
      `POST ${assess} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer\u00a0${keys.test}\r\nContent-Length: 0\r\n\r\n`,
      "latin1"
    ),
    noKey
  ],
  ["two Authorization headers", request({ path: assess, headers: [key, key], body: valid }), badKey],
  [
    "a good key after a bad one",
    request({ path: assess, headers: ["Authorization: Bearer x", key], body: valid }),
    badKey
  ],
  ["a token with a space", request({ path: assess, headers: [`${key} x`], body: valid }), badKey],
  ["a cut key", request({ path: assess, headers: [key.slice(0, -1)], body: valid }), badKey],
  ["a wrong checksum", request({ path: assess, headers: [`${key.slice(0, -1)}_`], body: valid }), badKey],
  [
    "an unknown key",
    request({ path: assess, headers: [`Authorization: Bearer ${keys.unknown}`], body: valid }),
    badKey
  ],
  [
    "a revoked key",
    request({ path: assess, headers: [`Authorization: Bearer ${keys.revoked}`], body: valid }),
    badKey
  ],
  [
    "a lapsed live key",
    request({ path: assess, headers: [`Authorization: Bearer ${keys.expiredLive}`], body: valid }),
    badKey
  ],
  [
    "a lapsed test key",
    request({ path: assess, headers: [`Authorization: Bearer ${keys.expiredTest}`], body: valid }),
    { code: "SANDBOX_EXPIRED", opinion: "none" }
  ],
  [
    "a key without the scope",
    request({ path: assess, headers: [`Authorization: Bearer ${keys.readOnly}`, json], body: valid }),
    { code: "INSUFFICIENT_SCOPE", opinion: "none" }
  ],
  [
    "a key for other environments",
    request({
      path: assess,
      headers: [`Authorization: Bearer ${keys.stagingOnly}`, json],
      body: valid.replace("staging", "production")
    }),
    { code: "INVALID_ENVIRONMENT", opinion: "none" }
  ],
  [
    "a key that may not read",
    request({
      method: "GET",
      path: "/api/v1/actions",
      headers: [`Authorization: Bearer ${keys.assessOnly}`]
    }),
    { code: "INSUFFICIENT_SCOPE" }
  ]
]
