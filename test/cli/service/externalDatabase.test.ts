import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Redacted, Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { connect, createServer } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openEmbeddedPostgres } from "../../../src/storage/embeddedPostgres/EmbeddedPostgres.ts"
import { actionRisk as startProgram, serving } from "../../support/actionRisk.ts"
import { freshDataDirectory, removeDataDirectory } from "../../support/dataDirectory.ts"
import { actionRisk } from "../../support/inProcess.ts"
import { urlOfDatabase } from "../../support/testCluster.ts"

/** A separate server without our roles, on which our user is not a superuser. */
const dataDirectory = freshDataDirectory()
const scope = Scope.makeUnsafe()
let databaseUrl = ""
const env = () => ({
  DATABASE_URL: databaseUrl,
  KEY_PEPPER: "the newer of two peppers,the older of two peppers"
})

/** In front of the database, as after a crash: the first connections get an error that it is starting, later ones reach it. */
const startingServer = async (url: string, refusals: number) => {
  const folder = new URL(url).searchParams.get("host") ?? ""
  let left = refusals
  const server = createServer((client) => {
    client.on("error", () => client.destroy())
    if (left-- > 0) return client.once("data", () => client.end(startingUp))
    const upstream = connect(join(folder, ".s.PGSQL.5432"))
    upstream.on("error", () => client.destroy())
    return client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return { port, refusalsLeft: () => Math.max(0, left), close: () => server.close() }
}

/** An ErrorResponse of PostgreSQL. */
const startingUp = (() => {
  const fields = Buffer.from("SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0")
  const length = Buffer.alloc(4)
  length.writeInt32BE(fields.length + 4)
  return Buffer.concat([Buffer.from("E"), length, fields])
})()

const prepare = Effect.gen(function* () {
  const superuser = Redacted.value(yield* openEmbeddedPostgres({ dataDirectory, serving: false }))
  const sql = yield* PgClient.makeClient({ url: Redacted.make(superuser) })
  yield* sql`DROP ROLE action_risk_control, action_risk_live, action_risk_test`
  yield* sql`CREATE ROLE plain LOGIN CREATEROLE`
  yield* sql`CREATE ROLE poor LOGIN`
  yield* sql`CREATE DATABASE ours OWNER plain`
  return urlOfDatabase(superuser.replace("action_risk@", "plain@"), "ours")
})

beforeAll(async () => {
  databaseUrl = await Effect.runPromise(prepare.pipe(Scope.provide(scope), Effect.provide(Reactivity.layer)))
})

afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  removeDataDirectory(dataDirectory)
})

describe("an external database", { timeout: 90_000 }, () => {
  it("whose user may make no roles is refused in one line that says what the user needs", async () => {
    const poor = databaseUrl.replace("plain@", "poor@")
    const { code, stderr, stdout } = await actionRisk(["migrate"], { env: { ...env(), DATABASE_URL: poor } })
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toMatch(/^action-risk: [^\n]*CREATEROLE[^\n]*\n$/)
  })

  it("of several hosts that takes no writes anywhere is refused in one line without the password", async () => {
    const hosts = "postgres://u:secret@127.0.0.1:1,127.0.0.1:2/d"
    const { code, stderr } = await actionRisk(["migrate"], { env: { ...env(), DATABASE_URL: hosts } })
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^action-risk: DATABASE_URL: none of its 2 servers takes writes; no answer: ECONNREFUSED[^\n]*\n$/
    )
    expect(stderr).not.toContain("secret")
  })

  it.each(["", "127.0.0.1:1,"])(
    "that is still starting is waited for, also after the hosts %j",
    async (beside) => {
      const { port, refusalsLeft, close } = await startingServer(databaseUrl, 3)
      const started = databaseUrl.replace(/@[^/]*\//, `@${beside}127.0.0.1:${port}/`).replace(/\?.*/, "")
      const listed = await actionRisk(["orgs", "list", "--json"], {
        env: { ...env(), DATABASE_URL: started }
      })
      close()
      expect(listed).toEqual({ code: 0, stdout: expect.stringContaining("organizations"), stderr: "" })
      expect(refusalsLeft()).toBe(0)
    }
  )

  it("whose roles' URLs name other hosts is refused in one line that names the variable", async () => {
    const DATABASE_URL_LIVE = "postgres://u@a,b/d"
    const { code, stderr } = await actionRisk(["migrate"], { env: { ...env(), DATABASE_URL_LIVE } })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^action-risk: DATABASE_URL_LIVE names 2 hosts and DATABASE_URL 1[^\n]*\n$/)
  })

  it("is served by several replicas that start at once on an empty schema; no one is given access", async () => {
    const replicas = await Promise.all([1, 2].map(() => serving({ env: env() })))
    const listed = await actionRisk(["orgs", "list", "--json"], { env: env() })
    expect([listed.code, listed.stderr, JSON.parse(listed.stdout)]).toEqual([0, "", { organizations: [] }])
    const status = await actionRisk(["status", "--json"], {
      env: { ...env(), PUBLIC_URL: replicas[0]?.url ?? "" }
    })
    expect(JSON.parse(status.stdout)).toMatchObject({
      server: "running",
      database: { kind: "external", reachable: true }
    })
    for (const replica of replicas) replica.signal("SIGTERM")
    const ended = await Promise.all(replicas.map(({ finished }) => finished))
    expect(
      ended.map(({ code, stdout }, index) => [
        code,
        stdout === `action-risk listening on ${replicas[index]?.url}\n`
      ])
    ).toEqual([
      [0, true],
      [0, true]
    ])
  })

  it("needs KEY_PEPPER, and says so in one line", async () => {
    const { code, stderr, stdout } = await startProgram(["serve"], {
      env: { DATABASE_URL: databaseUrl, PORT: "0" }
    })
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toMatch(/^action-risk: KEY_PEPPER is unset, and DATABASE_URL needs it; give [^\n]*\n$/)
  })

  it("is not served under a pepper that its keys were not made under, until they are revoked without it", async () => {
    const run = (words: string, more: Record<string, string> = {}) =>
      actionRisk(words.split(" "), { env: { DATABASE_URL: databaseUrl, ...more } })
    await run("orgs create peppered --policies none")
    const made = await run("keys create --org peppered --mode live --json", env())
    const lost = { KEY_PEPPER: "quite another pepper" }
    for (const words of ["serve", "keys create --org peppered --mode live"]) {
      const { code, stderr, stdout } = await run(words, { ...lost, PORT: "0" })
      expect([code, stdout]).toEqual([1, ""])
      expect(stderr).toMatch(
        /^action-risk: KEY_PEPPER does not contain the pepper that 1 key in use was made under: [^\n]*\n$/
      )
      expect(stderr).not.toContain("quite")
    }
    const { key_id: id } = JSON.parse(made.stdout)
    expect((await run(`keys revoke ${id}`)).code).toBe(0)
    const again = await run("keys create --org peppered --mode live", lost)
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^svc_live_/) })
  })
})
