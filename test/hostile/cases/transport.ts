/** Requests that are wrong before any path is known, or about the size of what follows. */

import { request } from "../../support/rawHttp.ts"
import { type Case, assess, json, key, valid, malformed, notFound } from "./Case.ts"

export const transport: ReadonlyArray<Case> = [
  ["no HTTP at all", "hello\r\n\r\n", malformed],
  ["TLS", Buffer.from("16030100a5010000a1030354", "hex"), malformed],
  ["an HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", malformed],
  ["HTTP/9.9", "GET / HTTP/9.9\r\nHost: x\r\n\r\n", malformed],
  ["two Hosts", "GET /api/public/v1/status HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", malformed],
  ["no Host", "GET /api/public/v1/status HTTP/1.1\r\n\r\n", malformed],
  ["a space before a colon", "GET / HTTP/1.1\r\nHost : x\r\n\r\n", malformed],
  ["a folded header", "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n", malformed],
  ["a NUL in a header", "GET / HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n", malformed],
  ["a bare line feed after the request line", "GET / HTTP/1.1\nHost: x\n\n", malformed],
  ["a space in the path", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", malformed],
  [
    "two lengths",
    `POST ${assess} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    malformed
  ],
  ["a negative length", `POST ${assess} HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n`, malformed],
  [
    "a length and chunks",
    `POST ${assess} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    malformed
  ],
  [
    "an unknown transfer encoding",
    `POST ${assess} HTTP/1.1\r\nHost: x\r\n${key}\r\nTransfer-Encoding: gzip\r\n\r\n`,
    malformed
  ],
  ...["gzip, chunked", "chunked, chunked", "identity, chunked", "chunked;a=b"].map((coding): Case => [
    `the transfer encoding ${coding}`,
    `POST ${assess} HTTP/1.1\r\nHost: x\r\n${key}\r\n${json}\r\nTransfer-Encoding: ${coding}\r\n\r\n${valid.length.toString(16)}\r\n${valid}\r\n0\r\n\r\n`,
    malformed
  ]),
  [
    "a broken chunk",
    `POST ${assess} HTTP/1.1\r\nHost: x\r\n${key}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    malformed
  ],
  ["an unknown method", "FROB / HTTP/1.1\r\nHost: x\r\n\r\n", malformed],
  ["a method in lower case", "get / HTTP/1.1\r\nHost: x\r\n\r\n", malformed],
  [
    "20,000 bytes of header",
    request({ method: "GET", headers: [`X: ${"a".repeat(20_000)}`] }),
    { ...malformed, status: 431 }
  ],
  [
    "a path of 20,000 bytes",
    request({ method: "GET", path: `/${"a".repeat(20_000)}` }),
    { ...malformed, status: 431 }
  ],
  [
    "200 header fields",
    request({ method: "GET", headers: Array.from({ length: 200 }, (_, i) => `X-${i}: 1`) }),
    { ...malformed, status: 431 }
  ],
  [
    "a second Authorization behind 200 fields",
    request({
      path: assess,
      headers: [key, ...Array.from({ length: 200 }, (_, i) => `X-${i}: 1`), key],
      body: valid
    }),
    { ...malformed, status: 431 }
  ],
  [
    "an expectation that cannot be met",
    request({ path: assess, headers: [key, "Expect: 200-maybe"], body: valid }),
    { ...malformed, status: 417 }
  ],
  ["a tunnel", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n", notFound],
  [
    "a body announced as too large",
    `POST ${assess} HTTP/1.1\r\nHost: x\r\n${key}\r\n${json}\r\nContent-Length: 65537\r\n\r\n`,
    { code: "PAYLOAD_TOO_LARGE", opinion: "none" }
  ],
  [
    "a body announced as huge",
    `POST ${assess} HTTP/1.1\r\nHost: x\r\n${key}\r\n${json}\r\nContent-Length: 99999999999\r\n\r\n`,
    { code: "PAYLOAD_TOO_LARGE", opinion: "none" }
  ],
  [
    "a large body of another type",
    request({ path: assess, headers: [key, "Content-Type: text/plain"], body: "x".repeat(65_537) }),
    { code: "PAYLOAD_TOO_LARGE", opinion: "none" }
  ],
  [
    "a large body in chunks",
    `POST ${assess} HTTP/1.1\r\nHost: x\r\n${key}\r\nTransfer-Encoding: chunked\r\n\r\n10001\r\n${" ".repeat(65_537)}\r\n0\r\n\r\n`,
    { code: "PAYLOAD_TOO_LARGE", opinion: "none" }
  ],
  [
    "a large body behind 100-continue",
    `POST ${assess} HTTP/1.1\r\nHost: x\r\n${key}\r\nExpect: 100-continue\r\nContent-Length: 65537\r\n\r\n`,
    { code: "PAYLOAD_TOO_LARGE", opinion: "none" }
  ]
]
