/** The permit of a request is released however the request ends: on a server with one permit, the next request gets it. */

import { Effect, Layer } from "effect"
import { connect } from "node:net"
import { describe, expect, it, vi } from "vitest"
import { bodyBytesMax } from "../../src/limits.ts"
import { InFlightMax } from "../../src/server/concurrency.ts"
import { assess, json, key, posting, valid } from "../hostile/cases/Case.ts"
import { assessExample, keys, testServer } from "../support/TestServer.ts"
import { request, sendRaw } from "../support/rawHttp.ts"
import { runServer } from "../support/runServer.ts"

type Work = typeof assessExample

/** The work of the next assessments, and how many have started. */
const next: { work: Work; begun: number } = { work: assessExample, begun: 0 }

const { port } = runServer(
  testServer({
    assess: (call) =>
      Effect.suspend(() => {
        next.begun += 1
        return next.work(call)
      })
  }).pipe(Layer.provide(Layer.succeed(InFlightMax, 1)))
)

const during = async <A>(work: Work, act: () => Promise<A>): Promise<A> => {
  next.work = work
  try {
    return await act()
  } finally {
    next.work = assessExample
  }
}

const statusOf = async (bytes: string | Uint8Array): Promise<number | undefined> =>
  (await sendRaw(port(), bytes))[0]?.status

/** The server notices a moment later that a client has left, so this asks until a request is answered. */
const permitReleased = () =>
  vi.waitFor(async () => {
    const status = await statusOf(posting(valid))
    if (status !== 200) throw new Error(`the next request was answered ${status}`)
    return status
  }, 5_000)

const head = (...lines: ReadonlyArray<string>) =>
  [`POST ${assess} HTTP/1.1`, "Host: risk.example", key, json, ...lines, "", ""].join("\r\n")

/** Requests that end without a wait, and their statuses. */
const endings: ReadonlyArray<readonly [name: string, bytes: string | Uint8Array, status: number]> = [
  ["a body announced as too large", head(`Content-Length: ${bodyBytesMax + 1}`), 413],
  [
    "a body that turns out too large",
    `${head("Transfer-Encoding: chunked")}10001\r\n${"x".repeat(bodyBytesMax + 1)}\r\n0\r\n\r\n`,
    413
  ],
  ["malformed JSON", posting("{"), 400],
  [
    "a body that gets no 100 Continue",
    head("Expect: 100-continue", `Content-Length: ${bodyBytesMax + 1}`),
    413
  ],
  ["an unknown expectation", head("Expect: tea", `Content-Length: ${valid.length}`), 417],
  [
    "a missing scope",
    request({
      path: assess,
      headers: [`Authorization: Bearer ${keys.readOnly}`, json],
      body: valid
    }),
    403
  ],
  ["a read", request({ method: "GET", path: "/api/v1/assessments/unknown", headers: [key] }), 404]
]

describe("a permit is released after", () => {
  it.each(endings)("%s", async (_name, bytes, status) => {
    expect(await statusOf(bytes)).toBe(status)
    expect(await permitReleased()).toBe(200)
  })

  it("a client that leaves in the middle of its body", async () => {
    const socket = connect({ port: port(), host: "127.0.0.1" })
    await new Promise((resolve) => socket.once("connect", resolve))
    // 100 Continue says that the server reads the body.
    socket.write(head("Expect: 100-continue", `Content-Length: ${valid.length}`))
    await new Promise((resolve) => socket.once("data", resolve))
    socket.write(valid.slice(0, 10))
    socket.destroy()
    expect(await permitReleased()).toBe(200)
  })

  it("a client that leaves during its assessment; until then other requests are rejected", async () => {
    const { begun } = next
    await during(
      () => Effect.never,
      async () => {
        const socket = connect({ port: port(), host: "127.0.0.1" })
        socket.write(posting(valid))
        await vi.waitFor(() => expect(next.begun).toBe(begun + 1), 5_000)
        const [rejected] = await sendRaw(port(), posting(valid))
        expect([rejected?.status, rejected?.headers["retry-after"]]).toEqual([503, "1"])
        expect(next.begun).toBe(begun + 1)
        socket.destroy()
      }
    )
    expect(await permitReleased()).toBe(200)
  })

  it("an assessment that exceeds the deadline", async () => {
    expect(
      await during(
        () => Effect.never,
        () => statusOf(posting(valid))
      )
    ).toBe(503)
    expect(await permitReleased()).toBe(200)
  })

  it("an assessment with a defect", async () => {
    expect(
      await during(
        () => Effect.die(new Error("broken")),
        () => statusOf(posting(valid))
      )
    ).toBe(503)
    expect(await permitReleased()).toBe(200)
  })
})
