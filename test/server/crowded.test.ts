/** Requests for which there is no place: refused before anything is waited for, and counted like all others. */

import { Effect, Layer, References } from "effect"
import { connect } from "node:net"
import { describe, expect, it, vi } from "vitest"
import { bodyBytesMax } from "../../src/limits.ts"
import { InFlightMax } from "../../src/server/concurrency.ts"
import { assess, json, key, posting, valid } from "../hostile/cases/Case.ts"
import { assessExample, keys, testServer } from "../support/TestServer.ts"
import { expectRefusal } from "../support/expectRefusal.ts"
import { request, sendRaw } from "../support/rawHttp.ts"
import { runServer } from "../support/runServer.ts"

const head = (...lines: ReadonlyArray<string>) =>
  [`POST ${assess} HTTP/1.1`, "Host: risk.example", key, json, ...lines, "", ""].join("\r\n")

const announced = `Content-Length: ${valid.length}`

/** One place, and whether somebody holds it. */
const crowdedServer = (rateLimitTest: number, traced: boolean) => {
  const work = { stays: true, begun: 0 }
  const server = testServer({
    settings: { rateLimitTest },
    assess: (call) =>
      Effect.suspend(() => {
        work.begun += 1
        return work.stays ? Effect.never : assessExample(call)
      })
  })
  const { port } = runServer(
    server.pipe(
      Layer.provide([Layer.succeed(InFlightMax, 1), Layer.succeed(References.TracerEnabled, traced)])
    )
  )

  /** With a key of the same organization, whose own count it leaves alone. */
  const whileCrowded = async (act: () => Promise<void>) => {
    const { begun } = work
    const socket = connect({ port: port(), host: "127.0.0.1" })
    const holding = request({
      path: assess,
      headers: [`Authorization: Bearer ${keys.assessOnly}`, json],
      body: valid
    })
    socket.write(holding)
    await vi.waitFor(() => expect(work.begun).toBe(begun + 1), 5_000)
    try {
      await act()
    } finally {
      socket.destroy()
    }
  }
  return { work, port, whileCrowded }
}

/** Without a span, what is remembered of a key is enough for a refusal, and no fiber begins. */
const modes = [
  ["traced", true],
  ["untraced", false]
] as const

describe.each(modes)("a request that finds no place, %s,", (_mode, traced) => {
  const { port, whileCrowded, work } = crowdedServer(1_000, traced)

  it.each([
    ["is refused before its body is there", head(announced)],
    ["is refused and not invited to send its body", head("Expect: 100-continue", announced)],
    [
      "is refused where it brings no body",
      request({ method: "GET", path: "/api/v1/actions", headers: [key] })
    ]
  ])("%s", (_name, bytes) =>
    whileCrowded(async () => {
      const [first] = await sendRaw(port(), bytes)
      expectRefusal(first, { code: "ASSESSMENT_UNAVAILABLE" })
      expect(first?.headers["retry-after"]).toBe("1")
    })
  )

  it("keeps its connection for the next one", () =>
    whileCrowded(async () => {
      const responses = await sendRaw(port(), Buffer.concat([posting(valid), posting(valid)]), {
        responses: 2
      })
      expect(responses.map(({ status }) => status)).toEqual([503, 503])
    }))

  it.each([
    [
      "a scope that is missing",
      request({ path: assess, headers: [`Authorization: Bearer ${keys.readOnly}`, json], body: valid }),
      403
    ],
    ["a body that is announced too large", head(`Content-Length: ${bodyBytesMax + 1}`), 413],
    [
      "a key that is not known",
      request({ path: assess, headers: [`Authorization: Bearer ${keys.unknown}`, json], body: valid }),
      401
    ]
  ] as const)("is told of %s instead", (_name, bytes, status) =>
    whileCrowded(async () => {
      const [response] = await sendRaw(port(), bytes)
      expect(response?.status).toBe(status)
    })
  )

  it("is none of those that wait for the body of a slow client", async () => {
    const slow = connect({ port: port(), host: "127.0.0.1" })
    slow.write(head("Expect: 100-continue", announced))
    await new Promise((resolve) => slow.once("data", resolve))
    work.stays = false
    const [response] = await sendRaw(port(), posting(valid))
    expect(response?.status).toBe(200)
    slow.destroy()
    work.stays = true
  })
})

describe.each(modes)("a place, %s,", (_mode, traced) => {
  const server = testServer({ settings: { rateLimitStore: "postgres" }, query: Effect.never })
  const { port } = runServer(
    server.pipe(
      Layer.provide([Layer.succeed(InFlightMax, 1), Layer.succeed(References.TracerEnabled, traced)])
    )
  )

  it("is held from before the request is counted", async () => {
    const either = await Promise.race([sendRaw(port(), posting(valid)), sendRaw(port(), posting(valid))])
    expect(either[0]?.body).toContain("more requests are under way")
  })
})

describe.each(modes)("a refusal for want of a place, %s,", (_mode, traced) => {
  const { port, whileCrowded } = crowdedServer(2, traced)

  it("counts against the key, whose limit comes first", () =>
    whileCrowded(async () => {
      const told: Array<readonly [number | undefined, string | undefined]> = []
      for (let i = 0; i < 3; i++) {
        const [response] = await sendRaw(port(), posting(valid))
        told.push([response?.status, response?.headers["svc-ratelimit-remaining"]])
      }
      expect(told).toEqual([
        [503, "1"],
        [503, "0"],
        [429, "0"]
      ])
    }))
})
