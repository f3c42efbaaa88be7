/** Receivers that answer with anything but a short answer: each attempt ends in time, with little read and nothing held. */

import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { setGlobalProxyFromEnv } from "node:http"
import type { Socket } from "node:net"
import { webhookTotalMs } from "../../../src/limits.ts"
import type { PostFailedReason } from "../../../src/webhooks/egress/openConnection.ts"
import { post } from "../../../src/webhooks/egress/post.ts"
import { receiver, writeForEver } from "./receiver.ts"

const to = (port: number, path = "/hook") => ({
  url: `http://127.0.0.1:${port}${path}`,
  headers: { "content-type": "application/json", "webhook-id": "evt_1" },
  body: '{"id":"evt_1"}',
  allowInsecure: "loopback" as const
})

/** Far more than the system buffers on both sides of a connection hold. */
const containedBytesMax = 16 * 1_048_576

type Outcome = number | PostFailedReason
type Case = readonly [name: string, script: (socket: Socket) => void, outcome: Outcome]

const outcomeOf = (port: number) =>
  post(to(port)).pipe(
    Effect.match({ onSuccess: ({ status }): Outcome => status, onFailure: ({ reason }) => reason })
  )

const says = (text: string) => (socket: Socket) => void socket.write(text, "latin1")
const saysAndEnds = (text: string) => (socket: Socket) => void socket.end(text, "latin1")
const ok = "HTTP/1.1 200 OK\r\n"
const redirect = (status: number): Case => [
  `a redirect ${status}`,
  saysAndEnds(`HTTP/1.1 ${status} X\r\nLocation: http://127.0.0.1:1/inside\r\nContent-Length: 0\r\n\r\n`),
  status
]

const atOnce: ReadonlyArray<Case> = [
  ["an answer without a length", saysAndEnds(`${ok}\r\nthanks`), 200],
  ["an answer in chunks", says(`${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n`), 200],
  ["204", says("HTTP/1.1 204 No Content\r\n\r\n"), 204],
  ["204 with a body", says("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello"), 204],
  ["205", says("HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n"), 205],
  ["304", says("HTTP/1.1 304 Not Modified\r\n\r\n"), 304],
  ["410", says("HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n"), 410],
  ["500", says("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"), 500],
  ["999", says("HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n"), 999],
  ["HTTP/1.0", saysAndEnds("HTTP/1.0 200 OK\r\n\r\n"), 200],
  ...[300, 301, 302, 303, 305, 307, 308].map(redirect),
  ["a demand for credentials of a proxy", says("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n"), 407],
  [
    "103 before 200",
    says(`HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${ok}Content-Length: 0\r\n\r\n`),
    200
  ],
  ["an unasked 100 before 200", says(`HTTP/1.1 100 Continue\r\n\r\n${ok}Content-Length: 0\r\n\r\n`), 200],
  ["a second answer behind the first", says(`${ok}Content-Length: 0\r\n\r\nHTTP/1.1 500 No\r\n\r\n`), 200],
  [
    "compressed bytes that were not asked for",
    saysAndEnds(`${ok}Content-Encoding: gzip\r\n\r\n\u001f\u008b`),
    200
  ],
  ["an end before the body's", saysAndEnds(`${ok}Content-Length: 100\r\n\r\nshort`), 200],
  ["a broken chunk", says(`${ok}Transfer-Encoding: chunked\r\n\r\nzz\r\n`), 200],
  ["a chunk of 2^72 bytes", says(`${ok}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffffff\r\n`), 200],
  [
    "a reset in the middle of the body",
    (socket) => {
      socket.write(`${ok}Content-Length: 100\r\n\r\nshort`, () => socket.resetAndDestroy())
    },
    200
  ],
  ["an end without a word", (socket) => void socket.end(), "closed"],
  ["a reset without a word", (socket) => void socket.resetAndDestroy(), "closed"],
  ["an end in the status line", saysAndEnds("HTTP/1.1 2"), "closed"],
  ["an end in the headers", saysAndEnds(`${ok}Content-Le`), "closed"],
  [
    "a switch of protocols",
    says("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    "protocol"
  ],
  ["text and no HTTP", saysAndEnds("thanks\r\n"), "protocol"],
  ["HTML as in HTTP/0.9", saysAndEnds("<html>ok</html>"), "protocol"],
  ["an HTTP/2 preface", says("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "protocol"],
  ["HTTP/9.9", says("HTTP/9.9 200 OK\r\n\r\n"), "protocol"],
  ["TLS", (socket) => void socket.write(Buffer.from("1503030002022f", "hex")), "protocol"],
  ["SSH", says("SSH-2.0-OpenSSH_9.6\r\n"), "protocol"],
  ["a status of two digits", says("HTTP/1.1 20 OK\r\n\r\n"), "protocol"],
  ["a negative status", says("HTTP/1.1 -200 OK\r\n\r\n"), "protocol"],
  ["a status of four digits", says("HTTP/1.1 2000 OK\r\n\r\n"), "protocol"],
  ["two lengths", says(`${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxy`), "protocol"],
  ["a negative length", says(`${ok}Content-Length: -1\r\n\r\n`), "protocol"],
  [
    "a length and chunks",
    says(`${ok}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
    "protocol"
  ],
  ["a space before a colon", says(`${ok}Content-Length : 0\r\n\r\n`), "protocol"],
  ["a NUL in a header", says(`${ok}X: a\0b\r\n\r\n`), "protocol"],
  ["20,000 bytes of header", says(`${ok}X: ${"a".repeat(20_000)}\r\n\r\n`), "too_large"],
  ["20,000 bytes of reason", says(`HTTP/1.1 200 ${"a".repeat(20_000)}\r\n\r\n`), "too_large"],
  ["10,000 headers", says(`${ok}${"X: 1\r\n".repeat(10_000)}\r\n`), "too_large"]
]

const forEver: ReadonlyArray<readonly [name: string, start: string, chunk: string, outcome: Outcome]> = [
  ["a body", `${ok}\r\n`, "x".repeat(65_536), 200],
  [
    "a body that says it has 10^15 bytes",
    `${ok}Content-Length: 1000000000000000\r\n\r\n`,
    "x".repeat(65_536),
    200
  ],
  [
    "a body of large chunks",
    `${ok}Transfer-Encoding: chunked\r\n\r\n`,
    `4000\r\n${"x".repeat(16_384)}\r\n`,
    200
  ],
  ["a body of small chunks", `${ok}Transfer-Encoding: chunked\r\n\r\n`, "1\r\nx\r\n".repeat(4_096), 200],
  ["an extension of a chunk", `${ok}Transfer-Encoding: chunked\r\n\r\n1;`, "x".repeat(65_536), 200],
  ["trailers", `${ok}Transfer-Encoding: chunked\r\n\r\n0\r\n`, "X: 1\r\n".repeat(4_096), 200],
  ["the body of an error", "HTTP/1.1 500 No\r\n\r\n", "x".repeat(65_536), 500],
  ["headers", ok, `X: ${"x".repeat(100)}\r\n`.repeat(512), "too_large"],
  ["one header", `${ok}X: `, "x".repeat(65_536), "too_large"],
  ["a status line", "HTTP/1.1 200 ", "x".repeat(65_536), "too_large"],
  ["interim answers", "", "HTTP/1.1 100 Continue\r\n\r\n".repeat(512), "too_large"],
  ["early hints", "", `HTTP/1.1 103 X\r\nLink: </${"x".repeat(8_000)}>\r\n\r\n`, "too_large"],
  ["empty lines", "", "\r\n".repeat(32_768), "too_large"],
  ["noise", "", "\u0001\u00fe".repeat(32_768), "protocol"]
]

const dripping: ReadonlyArray<readonly [name: string, start: string, outcome: Outcome]> = [
  ["nothing at all", "", "timeout"],
  ["half a status line", "HTTP/1.1 200 ", "timeout"],
  ["headers without an end", `${ok}X: `, "timeout"],
  ["an interim answer", "HTTP/1.1 103 X\r\n\r\nHTTP/1.1 200 ", "timeout"],
  ["an extension of a chunk", `${ok}Transfer-Encoding: chunked\r\n\r\n1;`, 200],
  ["a body", `${ok}Content-Length: 60000\r\n\r\n`, 200],
  ["a body without a length", `${ok}\r\n`, 200],
  ["the body of an error", "HTTP/1.1 503 Later\r\nContent-Length: 60000\r\n\r\n", 503]
]

describe("a receiver", () => {
  it.effect.each(atOnce)("that answers with %s has been answered for", ([, script, outcome]) =>
    Effect.gen(function* () {
      const { connections, port, released } = yield* receiver(script)
      expect(yield* outcomeOf(port)).toBe(outcome)
      yield* Effect.promise(released)
      expect(connections()).toBe(1)
    })
  )

  it.effect.each(forEver)("that never stops sending %s is cut off", ([, start, chunk, outcome]) =>
    Effect.gen(function* () {
      const written = { bytes: 0 }
      const { port, released } = yield* receiver((socket) => {
        socket.write(start)
        writeForEver(socket, Buffer.from(chunk, "latin1"), written)
      })
      expect(yield* outcomeOf(port)).toBe(outcome)
      yield* Effect.promise(released)
      expect(written.bytes).toBeLessThan(containedBytesMax)
    })
  )

  it.effect.each(dripping)(
    "that drips after %s is disconnected after the total time limit",
    ([, start, outcome]) =>
      Effect.gen(function* () {
        const dripped = Promise.withResolvers<void>()
        const { port, released } = yield* receiver((socket) => {
          socket.write(start)
          const drip = setInterval(() => {
            if (start !== "") socket.write("1")
            dripped.resolve()
          }, 5)
          socket.on("close", () => clearInterval(drip))
        })
        const posting = yield* Effect.forkChild(outcomeOf(port))
        yield* Effect.promise(() => dripped.promise)
        yield* TestClock.adjust(webhookTotalMs - 1)
        expect(posting.pollUnsafe()).toBeUndefined()
        yield* TestClock.adjust(1)
        expect(yield* Fiber.join(posting)).toBe(outcome)
        yield* Effect.promise(released)
      })
  )

  it.effect("that drips is let go in time although the machine's clock is set back meanwhile", () =>
    Effect.gen(function* () {
      const { port, released } = yield* receiver((socket) => {
        socket.write(`${ok}Content-Length: 60000\r\n\r\n`)
      })
      const clock = yield* Clock.Clock
      const answered = Promise.withResolvers<void>()
      let readings = 0
      const setBack: Clock.Clock = {
        ...clock,
        sleep: (duration) => clock.sleep(duration),
        // Read once the status has arrived.
        currentTimeMillis: Effect.sync(() => {
          answered.resolve()
          return 1e12 - 3_600_000 * readings++
        })
      }
      const posting = yield* outcomeOf(port).pipe(
        Effect.provideService(Clock.Clock, setBack),
        Effect.forkChild
      )
      yield* Effect.promise(() => answered.promise)
      yield* TestClock.adjust(webhookTotalMs)
      expect(yield* Fiber.join(posting)).toBe(200)
      yield* Effect.promise(released)
    })
  )

  it.effect("that answers before the request is contained", () =>
    Effect.gen(function* () {
      const { port, released } = yield* receiver(saysAndEnds(`${ok}Content-Length: 0\r\n\r\n`), {
        early: true
      })
      expect([200, "protocol", "closed"]).toContain(yield* outcomeOf(port))
      yield* Effect.promise(released)
    })
  )

  it.effect("that redirects inside is not followed there", () =>
    Effect.gen(function* () {
      const inside = yield* receiver()
      const location = `http://127.0.0.1:${inside.port}/inside`
      for (const status of [301, 302, 303, 307, 308]) {
        const { port } = yield* receiver(
          saysAndEnds(
            `HTTP/1.1 ${status} X\r\nLocation: ${location}\r\nRefresh: 0; url=${location}\r\nLink: <${location}>; rel=preload\r\nAlt-Svc: h2="127.0.0.1:${inside.port}"\r\nContent-Length: 0\r\n\r\n`
          )
        )
        expect(yield* outcomeOf(port)).toBe(status)
      }
      expect([inside.connections(), inside.bytes()]).toEqual([0, 0])
    })
  )

  it.effect("that asks for a later retry gets it", () =>
    Effect.gen(function* () {
      for (const [header, seconds] of [
        ["120", 120],
        ["-5", null],
        ["99999999999", 86_400]
      ] as const) {
        const { port } = yield* receiver(
          says(`HTTP/1.1 429 Later\r\nRetry-After: ${header}\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n`)
        )
        expect(yield* post(to(port))).toEqual({ status: 429, retryAfterSeconds: seconds })
      }
    })
  )

  it.effect("is sent one request of HTTP/1.1 with the very body, and nothing of what others said", () =>
    Effect.gen(function* () {
      const { port, text } = yield* receiver(
        says(`${ok}Set-Cookie: a=b\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n`)
      )
      yield* post({ ...to(port, "/hook?a=%20b"), body: '{"id":"évt"}' })
      yield* post(to(port))
      const [first = "", second = ""] = text().split(/(?=POST )/)
      expect(first).toBe(
        [
          "POST /hook?a=%20b HTTP/1.1",
          "content-type: application/json",
          "webhook-id: evt_1",
          `host: 127.0.0.1:${port}`,
          "content-length: 13",
          "accept-encoding: identity",
          "connection: close",
          "",
          Buffer.from('{"id":"évt"}').toString("latin1")
        ].join("\r\n")
      )
      expect(second).not.toContain("cookie")
    })
  )

  it.effect("is reached without the proxy that the environment names", () =>
    Effect.gen(function* () {
      const proxy = yield* receiver()
      const address = `http://127.0.0.1:${proxy.port}`
      const restore = setGlobalProxyFromEnv({ http_proxy: address, https_proxy: address })
      yield* Effect.addFinalizer(() => Effect.sync(restore))
      const { port } = yield* receiver(says(`${ok}Content-Length: 0\r\n\r\n`))
      expect(yield* outcomeOf(port)).toBe(200)
      expect(proxy.connections()).toBe(0)
    })
  )

  it.effect("is let go when the attempt is interrupted", () =>
    Effect.gen(function* () {
      const { connected, port, released } = yield* receiver()
      const posting = yield* Effect.forkChild(outcomeOf(port))
      yield* Effect.promise(() => connected)
      yield* Fiber.interrupt(posting)
      yield* Effect.promise(released)
    })
  )
})
