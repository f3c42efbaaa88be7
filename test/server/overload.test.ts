/** Requests that get no permit: rejected before any wait, and counted like all others. */

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

/** A server with one permit. `work.stays`: assessments that begin now hold the permit until their client leaves. */
const serverWithOnePermit = (rateLimitTest: number, traced: boolean) => {
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

  /** Holds the permit with another key of the same organization, so that the tested key is not counted. */
  const whileOverloaded = async (act: () => Promise<void>) => {
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
  return { work, port, whileOverloaded }
}

/** Untraced, a cached key is enough for a rejection, and no fiber starts. */
const modes = [
  ["traced", true],
  ["untraced", false]
] as const

describe.each(modes)("a request without a free permit, %s,", (_mode, traced) => {
  const { port, whileOverloaded, work } = serverWithOnePermit(1_000, traced)

  it.each([
    ["is rejected before its body has arrived", head(announced)],
    ["is rejected without 100 Continue", head("Expect: 100-continue", announced)],
    ["is rejected when it has no body", request({ method: "GET", path: "/api/v1/actions", headers: [key] })]
  ])("%s", (_name, bytes) =>
    whileOverloaded(async () => {
      const [first] = await sendRaw(port(), bytes)
      expectRefusal(first, { code: "ASSESSMENT_UNAVAILABLE" })
      expect(first?.headers["retry-after"]).toBe("1")
    })
  )

  it("keeps its connection for the next request", () =>
    whileOverloaded(async () => {
      const responses = await sendRaw(port(), Buffer.concat([posting(valid), posting(valid)]), {
        responses: 2
      })
      expect(responses.map(({ status }) => status)).toEqual([503, 503])
    }))

  it.each([
    [
      "a missing scope",
      request({ path: assess, headers: [`Authorization: Bearer ${keys.readOnly}`, json], body: valid }),
      403
    ],
    ["a body announced as too large", head(`Content-Length: ${bodyBytesMax + 1}`), 413],
    [
      "an unknown key",
      request({ path: assess, headers: [`Authorization: Bearer ${keys.unknown}`, json], body: valid }),
      401
    ]
  ] as const)("fails for %s instead", (_name, bytes, status) =>
    whileOverloaded(async () => {
      const [response] = await sendRaw(port(), bytes)
      expect(response?.status).toBe(status)
    })
  )

  it("is not caused by a client that sends its body slowly", async () => {
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

describe.each(modes)("a permit, %s,", (_mode, traced) => {
  const server = testServer({ settings: { rateLimitStore: "postgres" }, query: Effect.never })
  const { port } = runServer(
    server.pipe(
      Layer.provide([Layer.succeed(InFlightMax, 1), Layer.succeed(References.TracerEnabled, traced)])
    )
  )

  it("is acquired before the request is counted", async () => {
    const either = await Promise.race([sendRaw(port(), posting(valid)), sendRaw(port(), posting(valid))])
    expect(either[0]?.body).toContain("too many requests are in progress")
  })
})

describe.each(modes)("a rejection for overload, %s,", (_mode, traced) => {
  const { port, whileOverloaded } = serverWithOnePermit(2, traced)

  it("counts against the key, and 429 comes before 503", () =>
    whileOverloaded(async () => {
      const answers: Array<readonly [number | undefined, string | undefined]> = []
      for (let i = 0; i < 3; i++) {
        const [response] = await sendRaw(port(), posting(valid))
        answers.push([response?.status, response?.headers["svc-ratelimit-remaining"]])
      }
      expect(answers).toEqual([
        [503, "1"],
        [503, "0"],
        [429, "0"]
      ])
    }))
})
