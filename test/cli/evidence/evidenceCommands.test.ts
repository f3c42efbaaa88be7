import type { Schema } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { evidenceCheckpointShape } from "../../../src/cli/evidence/checkpoint.ts"
import { evidenceEraseShape } from "../../../src/cli/evidence/erase.ts"
import { evidenceExportShape } from "../../../src/cli/evidence/export.ts"
import { evidenceReplayShape } from "../../../src/cli/evidence/replay.ts"
import { evidenceVerifyShape } from "../../../src/cli/evidence/verify.ts"
import { backtestShape, withOk } from "../../../src/cli/rules/backtest.ts"
import { actionRisk as startProgram, type Finished, serving, type Serving } from "../../support/actionRisk.ts"
import { backtestOf } from "../../support/backtestOf.ts"
import { removeDataDirectory } from "../../support/dataDirectory.ts"
import { migratedDirectory } from "../../support/migratedDirectory.ts"
import { actionRisk as run } from "../../support/inProcess.ts"
import { standAlone } from "../../support/standAlone.ts"
import { changedCheckout } from "../../support/changedRules.ts"
import { ocsfProblems } from "../../support/ocsf/ocsfProblems.ts"
import { documentIn, printedOf } from "../../support/verbs.ts"
import { newestVersion } from "../../support/newestRelease.ts"

const dataDirectory = migratedDirectory()
const folder = mkdtempSync(join(tmpdir(), "action-risk-evidence-"))
const env = { DATA_DIR: dataDirectory }
const actionRisk = (...args: ReadonlyArray<string>) => run(args, { env })

const requests = ["audit_logging.disable", "customer.read", "audit_logging.disable"].map((action_type) => ({
  action_type,
  environment: "production"
}))
let server: Serving
let key = ""
interface Answer {
  readonly assessment_id: string
  readonly action_risk: object
  readonly created_at: string
}

const answers: Array<Answer> = []

beforeAll(async () => {
  server = await serving({ env })
  key = /svc_test_\w+/.exec(server.output().stdout)?.[0] ?? ""
  for (const request of requests) {
    const response = await fetch(`${server.url}/api/v1/actions/assess`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(request)
    })
    expect(response.status).toBe(200)
    answers.push((await response.json()) as Answer)
  }
  await sealed()
}, 90_000)

afterAll(async () => {
  server.signal("SIGTERM")
  await server.finished
  removeDataDirectory(dataDirectory)
  rmSync(folder, { recursive: true })
}, 60_000)

/** Waits until each assessment has its place in the chain, which it gets a moment after its answer. */
const sealed = async (): Promise<void> => {
  for (let look = 0; look < looksMax; look++) {
    const { stdout } = await actionRisk("evidence", "export", ...owner)
    if (stdout.split("\n").filter((line) => line.includes('"sealed_at":"')).length === requests.length) return
  }
  throw new Error(`not all assessments were sealed after ${looksMax} exports`)
}
const looksMax = 50

const decoded = <S extends Schema.Codec<unknown, unknown>>(shape: S, { code, stderr, stdout }: Finished) => {
  expect([code, stderr]).toEqual([0, ""])
  return documentIn(shape, stdout)
}

const owner = ["--org", "demo", "--mode", "test"] as const

describe("evidence export", { timeout: 90_000 }, () => {
  it("writes, while the service runs, what the API answers for each assessment, and its seal, oldest first", async () => {
    const out = join(folder, "history.ndjson")
    const told = decoded(
      evidenceExportShape,
      await actionRisk("evidence", "export", ...owner, "--out", out, "--json")
    )
    expect(told).toEqual({
      organization: "demo",
      mode: "test",
      since: null,
      until: null,
      format: "evidence",
      assessments: requests.length,
      findings: 0,
      erased: 0,
      out
    })
    expect(readdirSync(folder)).toEqual(["history.ndjson"])
    const lines = readFileSync(out, "utf8").split("\n")
    expect(lines.pop()).toBe("")
    expect(lines).toHaveLength(requests.length)
    for (const [i, { assessment_id }] of answers.entries()) {
      const response = await fetch(`${server.url}/api/v1/assessments/${assessment_id}`, {
        headers: { authorization: `Bearer ${key}` }
      })
      const body = await response.text()
      expect(lines[i]?.startsWith(`${body.slice(0, -1)},"seal":{`)).toBe(true)
    }
  })

  it("prints to standard output what it would write", async () => {
    const { code, stderr, stdout } = await startProgram(["evidence", "export", ...owner], { env })
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toBe(readFileSync(join(folder, "history.ndjson"), "utf8"))
  })
})

describe("evidence export --format ocsf", { timeout: 90_000 }, () => {
  const asOcsf = ["evidence", "export", ...owner, "--format", "ocsf"] as const

  const ocsfOf = async (...more: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await actionRisk(...asOcsf, ...more)
    expect([code, stderr]).toEqual([0, ""])
    return stdout.split("\n").filter((line) => line !== "")
  }

  it("writes events that the published schema takes, and says how many", async () => {
    const out = join(folder, "ocsf.ndjson")
    const told = decoded(evidenceExportShape, await actionRisk(...asOcsf, "--out", out, "--json"))
    const lines = readFileSync(out, "utf8").trimEnd().split("\n")
    expect(lines.flatMap(ocsfProblems)).toEqual([])
    expect(told).toMatchObject({ format: "ocsf", assessments: requests.length, erased: 0 })
    expect(told.findings).toBeGreaterThan(0)
    expect(lines).toHaveLength(told.assessments + told.findings)
    rmSync(out)
  })

  it("goes on where another export ended: what comes twice has the same uid", async () => {
    const whole = await ocsfOf()
    const uidOf = (line: string) => JSON.parse(line).metadata.uid
    for (const line of whole) {
      const { original_time: since } = JSON.parse(line).metadata
      const before = whole.slice(0, whole.indexOf(line) + 1)
      const after = await ocsfOf("--since", since)
      const uids = new Set([...before, ...after].map(uidOf))
      expect(uids).toEqual(new Set(whole.map(uidOf)))
    }
  })
})

describe("evidence verify", { timeout: 90_000 }, () => {
  const exported = () => join(folder, "history.ndjson")
  const checkpoint = join(folder, "checkpoint.json")
  const publicKey = join(folder, "evidence.pem")
  const verifyJson = ["evidence", "verify", "--json"] as const

  it("finds database, export and checkpoint in agreement, and so does a stranger's verifier", async () => {
    const signed = decoded(
      evidenceCheckpointShape,
      await actionRisk("evidence", "checkpoint", ...owner, "--out", checkpoint, "--json")
    )
    expect(JSON.parse(readFileSync(checkpoint, "utf8"))).toEqual(signed)
    expect(signed.sequence).toBe(requests.length)
    // It is sealed by now, even if it was not when first exported.
    await actionRisk("evidence", "export", ...owner, "--out", exported())
    writeFileSync(publicKey, (await actionRisk("evidence", "public-key")).stdout)
    const whole = { ok: true, sealed: requests.length, entry_digest: signed.entry_digest, broken: null }
    expect(
      decoded(evidenceVerifyShape, await actionRisk(...verifyJson, ...owner, "--checkpoint", checkpoint))
    ).toMatchObject({ ...whole, organization: "demo", waiting: 0, checkpoint: { key_from: "settings" } })
    const keys = ["--checkpoint", checkpoint, "--public-key", publicKey] as const
    expect(decoded(evidenceVerifyShape, await actionRisk(...verifyJson, exported(), ...keys))).toMatchObject({
      ...whole,
      export: exported(),
      checkpoint: { key_from: "file" }
    })
    expect(standAlone(exported(), ...keys)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${requests.length} entries, each as it was sealed`)
    })
  })

  it("names the line of an export that was changed, and the end that was cut off", async () => {
    const lines = readFileSync(exported(), "utf8").trimEnd().split("\n")
    const [changed, cut] = [join(folder, "changed.ndjson"), join(folder, "cut.ndjson")]
    writeFileSync(
      changed,
      lines.map((line, i) => (i === 1 ? line.replace("customer", "costumer") : line)).join("\n")
    )
    writeFileSync(cut, lines.slice(0, 2).join("\n"))
    const found = await actionRisk(...verifyJson, changed)
    expect([found.code, found.stderr]).toEqual([1, ""])
    expect(decoded(evidenceVerifyShape, { ...found, code: 0 }).broken).toMatchObject({
      line: 2,
      sequence: 2,
      assessment_id: answers[1]?.assessment_id
    })
    expect(standAlone(changed)).toMatchObject({ code: 1, stdout: expect.stringContaining("line 2, entry 2") })
    expect(standAlone(cut).code).toBe(0)
    const ended = { code: 1, stdout: expect.stringContaining("entry 3: it is missing") }
    expect(standAlone(cut, "--checkpoint", checkpoint)).toMatchObject(ended)
  })

  it("refuses a checkpoint that someone else signed, or changed", async () => {
    const forged = join(folder, "forged.json")
    writeFileSync(forged, readFileSync(checkpoint, "utf8").replace('"sequence":3', '"sequence":2'))
    const { code, stderr } = await actionRisk(...verifyJson, exported(), "--checkpoint", forged)
    expect([code, stderr]).toEqual([
      1,
      `action-risk: ${forged}: was not signed with the key that it names, or was changed afterwards\n`
    ])
    expect(standAlone(exported(), "--checkpoint", forged).code).toBe(1)
  })
})

describe("evidence replay", { timeout: 90_000 }, () => {
  it("recomputes all answers under their release, byte for byte", async () => {
    const told = decoded(
      evidenceReplayShape,
      await actionRisk("evidence", "replay", "--all", ...owner, "--json")
    )
    expect(told).toMatchObject({ ok: true, replayed: requests.length, equal: requests.length, first: [] })
  })
})

/** Basis points of the class of `audit_logging.disable`. */
const configureWeight = `"weight_bp": {
        "low": 1050,
        "moderate": 4300,
        "high": 7200,
        "critical": 8700`

describe("rules backtest of the database", { timeout: 90_000 }, () => {
  const checkout = changedCheckout(
    ["rules/factors/operational/SAFEGUARD_WEAKENED.json", `"severity": "high"`, `"severity": "critical"`],
    ["rules/ruleset.json", configureWeight, configureWeight.replace("8700", "9700")]
  )
  const backtest = async (...args: ReadonlyArray<string>) =>
    startProgram(["rules", "backtest", newestVersion, "draft", "--json", ...args], { env, checkout })
  const ofDatabase = async (since: string) => {
    const { stderr, stdout } = await backtest("--history", "database", ...owner, "--since", since)
    expect(stderr).toBe("")
    return documentIn(backtestShape, stdout)
  }

  it("compares live traffic of the last hour under two releases: the served answers, and those of the other", async () => {
    const report = await ofDatabase("1h")
    const mover = report.movers.find(({ request }) => request["action_type"] === requests[0]?.action_type)
    expect(mover?.request).toEqual(requests[0])
    expect(answers[(mover?.line ?? 0) - 1]?.action_risk).toMatchObject({ score: mover?.from.score })
    expect(mover?.to.score).not.toBe(mover?.from.score)
    expect(mover?.factors.map(({ code }) => code)).toContain("SAFEGUARD_WEAKENED")

    const lines = readFileSync(join(folder, "history.ndjson"), "utf8").split("\n")
    const ofFile = await backtestOf(lines, {
      root: checkout,
      from: newestVersion,
      to: "draft",
      of: { kind: "rules", policies: null }
    })
    expect(report).toEqual(printedOf(backtestShape, withOk(ofFile)))
  })

  it("begins with the assessment of the instant that --since names", async () => {
    expect((await ofDatabase(answers[1]?.created_at ?? "")).counts.records).toBe(requests.length - 1)
    expect((await ofDatabase("2100-01-01")).counts.records).toBe(0)
  })

  it("takes --since of a database only", async () => {
    const { code, stderr } = await backtest("--history", join(folder, "history.ndjson"), "--since", "1h")
    expect(code).toBe(2)
    expect(stderr).toContain("used together with --history database: a file is read completely")
  })
})

describe("a command on evidence", () => {
  it.each([
    ["erase", ["evidence", "erase", ...owner]],
    ["erase a text", ["evidence", "erase", ...owner, "--containing", ""]],
    ["replay", ["evidence", "replay", ...owner]]
  ])("that is called wrongly says so before it looks for a database: %s", async (_, words) => {
    const { code, stderr } = await run(words, { env: { DATA_DIR: join(folder, "none") } })
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^action-risk: Missing value for flag --/m)])
  })
})

describe("evidence erase", { timeout: 90_000 }, () => {
  const erase = ["evidence", "erase", "--json", ...owner] as const
  const containing = ["--containing", "CUSTOMER.read"] as const

  it("says what it would erase, and refuses an unknown id, or an id together with a filter", async () => {
    const rehearsed = await actionRisk(...erase, ...containing, "--dry-run")
    expect(JSON.parse(rehearsed.stdout)).toMatchObject({ dry_run: true, reason: "request", erased: 0 })
    const byAge = await actionRisk(...erase, "--older-than", "365d")
    expect(decoded(evidenceEraseShape, byAge)).toMatchObject({ reason: "retention", found: 0, waiting: 0 })
    const unknown = "00000000-0000-7000-8000-000000000000"
    expect(await actionRisk(...erase, unknown)).toMatchObject({
      code: 1,
      stderr: `action-risk: there is no assessment \`${unknown}\` in test mode\n`
    })
    expect((await actionRisk(...erase, unknown, ...containing)).code).toBe(2)
  })

  it("says what took the database too long, and how many it had erased", async () => {
    const [, , , , host = ""] = readFileSync(join(dataDirectory, "postgres", "postmaster.pid"), "utf8").split(
      "\n"
    )
    const other = new pg.Client({ host, user: "action_risk", database: "postgres" })
    await other.connect()
    await other.query("BEGIN; LOCK TABLE test.assessments")
    const told = await actionRisk(...erase, ...containing)
    await other.end()
    // Which step it is depends on whether the service has sealed everything yet.
    const step = "(?:sealed the newest assessments|searched for assessments to erase)"
    expect([told.code, told.stdout]).toEqual([1, ""])
    expect(told.stderr).toMatch(
      new RegExp(
        `^action-risk: the database timed out while this command ${step}; 0 assessments had been erased: run it again when the database has less to do \\(55P03\\)\n$`
      )
    )
  })

  it("erases the selected assessments, and leaves a chain that still verifies", async () => {
    // An assessment younger than ten seconds is too new, and the command says so.
    let told = await actionRisk(...erase, ...containing)
    while (told.code === 1) told = await actionRisk(...erase, ...containing)
    const id = answers[1]?.assessment_id ?? ""
    expect(decoded(evidenceEraseShape, told)).toMatchObject({ erased: 1, waiting: 0, first: [id] })
    const response = await fetch(`${server.url}/api/v1/assessments/${id}`, {
      headers: { authorization: `Bearer ${key}` }
    })
    expect(response.status).toBe(404)

    const whole = { ok: true, sealed: requests.length, broken: null }
    expect(
      decoded(evidenceVerifyShape, await actionRisk("evidence", "verify", "--json", ...owner))
    ).toMatchObject({ ...whole, erased: { entries: 1, key_from: "settings" } })
    const out = join(folder, "erased.ndjson")
    const exported = await actionRisk("evidence", "export", ...owner, "--out", out, "--json")
    expect(decoded(evidenceExportShape, exported)).toMatchObject({ assessments: 2, erased: 1 })
    const keys = ["--public-key", join(folder, "evidence.pem")] as const
    expect(standAlone(out, ...keys)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("1 of them are of erased assessments")
    })
    expect(
      decoded(evidenceReplayShape, await actionRisk("evidence", "replay", "--all", ...owner, "--json"))
    ).toMatchObject({ ok: true, equal: 2, erased: 1 })
  })
})
