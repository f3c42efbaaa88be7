/** What an operator's probes get, on their own listener and nowhere else. */

import { createServer, type AddressInfo } from "node:net"
import { once } from "node:events"
import { describe, expect, it } from "vitest"
import { expectHeaders } from "../support/expectRefusal.ts"
import { runServer } from "../support/runServer.ts"
import { testServer } from "../support/TestServer.ts"

/** A port that was free a moment ago. */
const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

const adminPort = await freePort()
const { url } = runServer(testServer({ settings: { adminPort } }))

const get = async (base: string, path: string) => {
  const response = await fetch(base + path)
  expectHeaders({ status: response.status, headers: Object.fromEntries(response.headers), body: "" })
  return { status: response.status, body: await response.json() }
}

describe("ADMIN_PORT", () => {
  const admin = `http://127.0.0.1:${adminPort}`

  it("tells that the process lives and can serve", async () => {
    expect(await get(admin, "/healthz")).toMatchObject({ status: 200, body: { status: "ok" } })
    expect(await get(admin, "/readyz")).toMatchObject({ status: 200, body: { status: "operational" } })
  })

  it("has nothing of the API, and the API has nothing of it", async () => {
    expect(await get(admin, "/api/public/v1/status")).toMatchObject({ status: 404 })
    expect(await get(url(), "/healthz")).toMatchObject({ status: 404 })
  })
})
