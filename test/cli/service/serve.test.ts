import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isWellFormed } from "../../../src/domain/ApiKey.ts"
import { actionRisk, serving, type Serving } from "../../support/actionRisk.ts"
import { copyOf, freshDataDirectory, postmasterOf, removeDataDirectory } from "../../support/dataDirectory.ts"
import { isReady, organizations, stop } from "../../support/serveChecks.ts"

/** A data directory that was served once and stopped; tests work on copies of it. */
const original = freshDataDirectory()
const used = [original]
let firstOutput = ""

const copy = () => {
  const made = copyOf(original)
  used.push(made)
  return made
}

beforeAll(async () => {
  const first = await serving({ env: { DATA_DIR: original } })
  first.signal("SIGTERM")
  const { code, stdout } = await first.finished
  expect(code).toBe(0)
  firstOutput = stdout
})

afterAll(() => {
  for (const dataDirectory of used) removeDataDirectory(dataDirectory)
})

describe.concurrent("serve", { timeout: 90_000 }, () => {
  it("shows a key once on an empty database, with a command line to copy, and the ready line alone on its line", () => {
    const lines = firstOutput.trimEnd().split("\n")
    expect(lines.at(-1)).toMatch(/^action-risk listening on http:\/\/127\.0\.0\.1:[1-9][0-9]*$/)
    const [key = "", ...others] = new Set(firstOutput.match(/svc_test_\w+/g))
    expect([isWellFormed(key), others]).toEqual([true, []])
    expect(firstOutput).toContain(`curl -s ${lines.at(-1)?.split(" ").at(-1)}/api/v1/actions/assess`)
  })

  it("shows no key again, keeps its data, and leaves no PostgreSQL behind after Ctrl-C", async () => {
    const dataDirectory = copy()
    const server = await serving({ env: { DATA_DIR: dataDirectory } })
    expect(await isReady(server)).toBe(200)
    const { code, stdout, stderr } = await stop(server)
    const [console, ...ready] = stdout.split("\n")
    expect(console).toMatch(/^console for people: http:\/\/127\.0\.0\.1:\d+\/sign-in\?link=[\w-]{43}$/)
    expect([code, ready, stderr]).toEqual([0, [`action-risk listening on ${server.url}`, ""], ""])
    expect(postmasterOf(dataDirectory)).toBe(null)
    expect(await organizations(dataDirectory)).toEqual(["demo"])
  })

  it("serves without a console where its port is taken, and says so", async () => {
    const taken = createServer().listen(0, "127.0.0.1")
    await once(taken, "listening")
    const { port } = taken.address() as AddressInfo
    try {
      const server = await serving({ env: { DATA_DIR: copy(), CONSOLE_PORT: String(port) } })
      expect(await isReady(server)).toBe(200)
      const { stderr, stdout } = await stop(server)
      expect(stdout).toBe(`action-risk listening on ${server.url}\n`)
      expect(stderr).toContain(`no console: cannot listen on 127.0.0.1:${port}`)
    } finally {
      taken.close()
    }
  })

  it("finishes what is in flight although Ctrl-C reaches it twice, as from npm in a terminal", async ({
    expect
  }) => {
    const dataDirectory = copy()
    const server = await serving({ env: { DATA_DIR: dataDirectory } })
    const key = await newKey(dataDirectory)
    const answer = slowAssessment(server, key)
    // It is stored and listed before the two seconds that the drill adds to its answer.
    await expect
      .poll(async () => (await listActions(server, key)).text(), { timeout: 20_000 })
      .toContain("customer.read")
    server.signal("SIGINT", "group")
    server.signal("SIGINT")
    expect((await answer).status).toBe(200)
    expect((await server.finished).code).toBe(0)
    expect(postmasterOf(dataDirectory)).toBe(null)
  })

  it("refuses a data directory that another serve uses, in one line, and leaves that one alone", async () => {
    const dataDirectory = copy()
    const server = await serving({ env: { DATA_DIR: dataDirectory } })
    const second = await actionRisk(["serve"], { env: { DATA_DIR: dataDirectory, PORT: "0" } })
    expect([second.code, second.stdout]).toEqual([1, ""])
    expect(second.stderr).toMatch(/^action-risk: another `action-risk serve` uses DATA_DIR [^\n]+\n$/)
    expect(await isReady(server)).toBe(200)
    await stop(server)
  })

  it("of two that start at once on an empty directory serves one and refuses the other", async () => {
    const dataDirectory = freshDataDirectory()
    used.push(dataDirectory)
    const both = await Promise.allSettled([1, 2].map(() => serving({ env: { DATA_DIR: dataDirectory } })))
    const servers = both.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []))
    const ended = await Promise.all(servers.map(stop))
    expect(ended.map(({ code }) => code)).toEqual([0])
    expect(await organizations(dataDirectory)).toEqual(["demo"])
  })
})

// One by one, because the test measures how soon each ends.
describe("serve that cannot", { timeout: 90_000 }, () => {
  it.each([
    [{ PORT: "http" }, /^action-risk: PORT is "http"; give a port from 0 to 65535[^\n]*\n$/],
    [
      { DATABASE_URL: "postgres://nobody@127.0.0.1:1/x" },
      /^action-risk: DATABASE_URL: [^\n]*\(ECONNREFUSED\)[^\n]*\n$/
    ],
    [{ DATA_DIR: "/dev/null/x" }, /^action-risk: DATA_DIR \/dev\/null\/x [^\n]*\n$/],
    [{ RULES_VERSION: "99.99.99" }, /^action-risk: [^\n]*99\.99\.99[^\n]*\n$/]
  ])("stops with one line at %j", async (env, line) => {
    const startedAt = performance.now()
    const { code, stderr, stdout } = await actionRisk(["serve"], {
      env: { DATA_DIR: copy(), PORT: "0", ...env }
    })
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toMatch(line)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })
})

const createKey = (dataDirectory: string) =>
  actionRisk(["keys", "create", "--org", "demo", "--mode", "test", "--scopes", "assess,read", "--json"], {
    env: { DATA_DIR: dataDirectory }
  })

const newKey = async (dataDirectory: string): Promise<string> =>
  JSON.parse((await createKey(dataDirectory)).stdout).key

const listActions = ({ url }: Serving, key: string) =>
  fetch(`${url}/api/v1/actions`, { headers: { authorization: `Bearer ${key}` } })

/** The drill adds two seconds to a complete answer. */
const slowAssessment = ({ url }: Serving, key: string) =>
  fetch(`${url}/api/v1/actions/assess`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "svc-drill": "slow" },
    body: JSON.stringify({ action_type: "customer.read", environment: "development" })
  })
