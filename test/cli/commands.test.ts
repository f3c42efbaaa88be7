import { Schema } from "effect"
import { spawnSync } from "node:child_process"
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { shapeOf } from "../support/verbs.ts"
import { isWellFormed } from "../../src/domain/ApiKey.ts"
import { actionRisk as startProgram, type Finished, serving, type Serving } from "../support/actionRisk.ts"
import { lightCheckout } from "../support/checkout.ts"
import { freshDataDirectory, postmasterOf, removeDataDirectory } from "../support/dataDirectory.ts"
import { migratedDirectory } from "../support/migratedDirectory.ts"
import { actionRisk as run } from "../support/inProcess.ts"

const dataDirectory = migratedDirectory()

/** Runs a command, and checks its JSON against the schema in docs/cli.md. */
const actionRisk = async (...args: ReadonlyArray<string>) => {
  const finished = await run(args, { env: { DATA_DIR: dataDirectory } })
  if (finished.code === 0 && args.includes("--json"))
    Schema.decodeUnknownSync(shapeOf(args.join(" ")), { onExcessProperty: "error" })(
      JSON.parse(finished.stdout)
    )
  return finished
}
let server: Serving

/** Most commands run alongside a serving process: they start no server of their own. */
beforeAll(async () => {
  server = await serving({ env: { DATA_DIR: dataDirectory } })
})

afterAll(async () => {
  server.signal("SIGTERM")
  await server.finished
  removeDataDirectory(dataDirectory)
})

const json = ({ code, stderr, stdout }: Finished): unknown => {
  expect([code, stderr]).toEqual([0, ""])
  return JSON.parse(stdout)
}

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

describe("orgs", { timeout: 90_000 }, () => {
  it("are created with a name and policies of their own, or with the slug and none, and listed", async () => {
    const acme = { organization: "acme", name: "Acme Inc.", policies: "starter", created_at: iso }
    const plain = { organization: "plain", name: "plain", policies: "none", created_at: iso }
    const made = await actionRisk(
      "orgs",
      "create",
      "acme",
      "--name",
      "Acme Inc.",
      "--policies",
      "starter",
      "--json"
    )
    expect(json(made)).toEqual(acme)
    expect(json(await actionRisk("orgs", "create", "plain", "--json"))).toEqual(plain)
    const demo = { organization: "demo", name: "Demo", policies: "none", created_at: iso }
    expect(json(await actionRisk("orgs", "list", "--json"))).toEqual({ organizations: [acme, demo, plain] })
    expect((await actionRisk("orgs", "list")).stdout).toMatch(
      /^organization +name +policies +created\nacme +Acme Inc\. +starter /
    )
  })

  it("are given other policies", async () => {
    const made = { organization: "moved", name: "moved", created_at: iso }
    await actionRisk("orgs", "create", "moved")
    const moved = await actionRisk("orgs", "set-policies", "moved", "starter", "--json")
    expect(json(moved)).toEqual({ ...made, policies: "starter" })
    expect((await actionRisk("orgs", "set-policies", "moved", "none")).stdout).toBe(
      "organization moved gets policies none within 5 seconds\n"
    )
  })
})

describe("keys", { timeout: 90_000 }, () => {
  const days = (from: number, count: number) => Math.abs(from - Date.now() - count * 86_400_000) < 60_000

  it("have the contract's defaults: scope assess, every environment, thirty days for test and for ever for live", async () => {
    const test = json(await actionRisk("keys", "create", "--org", "demo", "--mode", "test", "--json"))
    const live = json(await actionRisk("keys", "create", "--org", "demo", "--mode", "live", "--json"))
    const defaults = { key_id: uuid, organization: "demo", scopes: ["assess"], environments: null }
    expect(test).toEqual({
      ...defaults,
      mode: "test",
      key: expect.stringMatching(/^svc_test_/),
      expires_at: iso
    })
    expect(live).toEqual({
      ...defaults,
      mode: "live",
      key: expect.stringMatching(/^svc_live_/),
      expires_at: null
    })
    const { expires_at, key } = test as { readonly expires_at: string; readonly key: string }
    expect([days(Date.parse(expires_at), 30), isWellFormed(key)]).toEqual([true, true])
  })

  it("are created, listed without the key, and revoked once", async () => {
    await actionRisk("orgs", "create", "keyed")
    const flags = [
      "--scopes",
      "read,assess",
      "--expires-in",
      "12h",
      "--environments",
      "staging,sandbox",
      "--json"
    ]
    const made = json(await actionRisk("keys", "create", "--org", "keyed", "--mode", "live", ...flags))
    const { key, ...shown } = made as { readonly key: string; readonly key_id: string }
    expect(shown).toEqual({
      key_id: uuid,
      organization: "keyed",
      mode: "live",
      scopes: ["assess", "read"],
      environments: ["sandbox", "staging"],
      expires_at: iso
    })
    const revoked = json(await actionRisk("keys", "revoke", shown.key_id, "--json"))
    expect(revoked).toEqual({ key_id: shown.key_id, revoked_at: iso })
    expect(json(await actionRisk("keys", "revoke", shown.key_id, "--json"))).toEqual(revoked)
    const listed = await actionRisk("keys", "list", "--org", "keyed", "--json")
    const { revoked_at } = revoked as { readonly revoked_at: string }
    expect(json(listed)).toEqual({ keys: [{ ...shown, revoked_at, created_at: iso }] })
    expect(listed.stdout).not.toContain(key)
  })
})

describe.concurrent("a command", { timeout: 90_000 }, () => {
  it.each([
    [["orgs", "create", "demo"], "the organization `demo` exists already"],
    [["orgs", "create", "x", "--policies", "nowhere"], "there is no policy set `nowhere`: give one of "],
    [["orgs", "set-policies", "ghost", "starter"], "there is no organization `ghost`"],
    [["orgs", "set-policies", "demo", "startr"], "there is no policy set `startr`, did you mean `starter`?"],
    [["keys", "create", "--org", "ghost", "--mode", "test"], "there is no organization `ghost`"],
    [["keys", "list", "--org", "ghost"], "there is no organization `ghost`"],
    [["keys", "revoke", "00000000-0000-4000-8000-000000000000"], "there is no key with the id "]
  ])("that cannot be done says so in one line and ends with 1: %j", async (args, message) => {
    const { code, stderr, stdout } = await actionRisk(...args, "--json")
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toMatch(/^action-risk: [^\n]+\n$/)
    expect(stderr).toContain(message)
  })
})

describe("status and migrate", { timeout: 90_000 }, () => {
  it("report a serving process and what its database holds", async () => {
    const status = json(await actionRisk("status", "--json")) as { readonly schema_version: number }
    expect(status).toEqual({
      server: "running",
      database: { kind: "embedded", reachable: true },
      schema_version: expect.any(Number),
      schema_version_of_this_release: status.schema_version,
      organizations: expect.any(Number),
      keys: expect.any(Number)
    })
    expect(json(await actionRisk("migrate", "--json"))).toEqual({
      schema_version: status.schema_version,
      applied: []
    })
    expect((await actionRisk("status")).stdout).toMatch(/^server +running\ndatabase +embedded, reachable\n/)
  })

  it("work without a serving process, which they start and stop, and make nothing where nothing is", async () => {
    const elsewhere = freshDataDirectory()
    const alone = (...args: ReadonlyArray<string>) => startProgram(args, { env: { DATA_DIR: elsewhere } })
    try {
      const none = await alone("status", "--json")
      expect([none.code, JSON.parse(none.stdout).database.reachable]).toEqual([1, false])
      expect(none.stderr).toMatch(/^action-risk: there is no database in DATA_DIR [^\n]+\n$/)
      for (const command of ["orgs list", "keys list --org demo", "evidence verify --org demo --mode live"])
        expect(await alone(...command.split(" "))).toMatchObject({ code: 1, stderr: none.stderr })
      expect(existsSync(join(elsewhere, "postgres"))).toBe(false)
      const { applied } = json(await alone("migrate", "--json")) as {
        readonly applied: ReadonlyArray<unknown>
      }
      expect(applied).toContainEqual({ id: 1, name: "create_schema" })
      const status = json(await alone("status", "--json"))
      expect(status).toMatchObject({ server: "stopped", organizations: 0, keys: 0 })
      expect(postmasterOf(elsewhere)).toBe(null)
    } finally {
      removeDataDirectory(elsewhere)
    }
  })

  it("commands at the same time on a stopped database share one server, and the last one stops it", async () => {
    const elsewhere = migratedDirectory()
    const alone = (...args: ReadonlyArray<string>) => startProgram(args, { env: { DATA_DIR: elsewhere } })
    try {
      const made = await Promise.all(["a", "b", "c"].map((slug) => alone("orgs", "create", slug, "--json")))
      expect(made.map(({ code, stderr }) => `${code}${stderr}`)).toEqual(["0", "0", "0"])
      expect(postmasterOf(elsewhere)).toBe(null)
      expect(json(await alone("orgs", "list", "--json"))).toMatchObject({ organizations: [{}, {}, {}] })
    } finally {
      removeDataDirectory(elsewhere)
    }
  })
})

describe("what a command prints", () => {
  const program = join(import.meta.dirname, "../../bin/action-risk.js")
  const example = join(import.meta.dirname, "../../examples/requests/stripe-payout.json")

  it.skipIf(!existsSync("/dev/full"))("is not lost silently on a full disk (if /dev/full exists)", () => {
    const full = openSync("/dev/full", "w")
    for (const args of [["--version"], ["assess", example, "--json"], ["rules", "list"]]) {
      const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
        stdio: ["ignore", full, "pipe"],
        encoding: "utf8"
      })
      expect([status, stderr]).toEqual([1, "action-risk: standard output could not be written: ENOSPC\n"])
    }
    closeSync(full)
  })

  it("arrives whole at a slow reader, also where it fails", () => {
    const folder = mkdtempSync(join(tmpdir(), "action-risk-pipe-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const checkout = lightCheckout(join(folder, "checkout"))
    const cases = { cases: [["databricks --version", "critical", "critical"]] }
    writeFileSync(join(checkout, "rules/lexicon/programs/databricks.cases.json"), JSON.stringify(cases))
    const failing = `"${process.execPath}" "${join(checkout, "bin/action-risk.js")}" rules test --coverage`
    const { stdout } = spawnSync("sh", ["-c", `${failing} | (read -r first; cat)`], { encoding: "utf8" })
    const pipeBytes = 65_536
    expect(stdout.length).toBeGreaterThan(pipeBytes)
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/cases, 1 failed/)
  })

  it("ends without success and without a word where its reader has left", () => {
    const script = `("${process.execPath}" "${program}" rules list --json; echo $? >&2) | true`
    const { stderr } = spawnSync("sh", ["-c", script], { encoding: "utf8" })
    expect(stderr).toBe("1\n")
  })
})
