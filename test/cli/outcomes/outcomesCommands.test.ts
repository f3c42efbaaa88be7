/** `action-risk outcomes`: recorded by the service, read from its database, and accepted by `rules agree`. */

import { type Schema } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { evidenceVerifyShape } from "../../../src/cli/evidence/verify.ts"
import { outcomesRecordShape } from "../../../src/cli/outcomes/record.ts"
import { outcomesReportShape } from "../../../src/cli/outcomes/report.ts"
import { type Finished, serving, type Serving } from "../../support/actionRisk.ts"
import { removeDataDirectory } from "../../support/dataDirectory.ts"
import { migratedDirectory } from "../../support/migratedDirectory.ts"
import { actionRisk as run } from "../../support/inProcess.ts"
import { documentIn } from "../../support/verbs.ts"

const dataDirectory = migratedDirectory()
let server: Serving
let keys = { agent: "", gate: "" }
const ids: Array<string> = []

const owner = ["--org", "demo", "--mode", "test"] as const

const actionRisk = (args: ReadonlyArray<string>, input = "") =>
  run(args, {
    env: { DATA_DIR: dataDirectory, ACTION_RISK_URL: server.url, ACTION_RISK_KEY: keys.gate },
    input
  })

const keyWith = async (scopes: string): Promise<string> => {
  const made = await run(
    ["keys", "create", "--org", "demo", "--mode", "test", "--scopes", scopes, "--json"],
    {
      env: { DATA_DIR: dataDirectory }
    }
  )
  return JSON.parse(made.stdout).key
}

const requests = [
  { action_type: "calendar.read", environment: "development", data_classification: "public" },
  { action_type: "payments.transfer", environment: "production", financial_value: 900, currency: "USD" },
  {
    action_type: "database.drop",
    environment: "production",
    context: { session: "0123456789abcdef" }
  },
  {
    action_type: "acme.widgets.frobnicate",
    environment: "production",
    agent_id: "cleaner",
    context: { session: "fedcba9876543210" }
  }
]

beforeAll(async () => {
  server = await serving({ env: { DATA_DIR: dataDirectory } })
  keys = { agent: await keyWith("assess,read"), gate: await keyWith("outcomes,read") }
  for (const request of requests) {
    const response = await fetch(`${server.url}/api/v1/actions/assess`, {
      method: "POST",
      headers: { authorization: `Bearer ${keys.agent}`, "content-type": "application/json" },
      body: JSON.stringify(request)
    })
    ids.push(((await response.json()) as { readonly assessment_id: string }).assessment_id)
  }
}, 90_000)

afterAll(async () => {
  server.signal("SIGTERM")
  await server.finished
  removeDataDirectory(dataDirectory)
}, 60_000)

const decoded = <S extends Schema.Codec<unknown, unknown>>(shape: S, { stdout }: Finished) =>
  documentIn(shape, stdout)

describe("outcomes", { timeout: 90_000 }, () => {
  it("are recorded by the service, once under an id, and refused with every problem", async () => {
    const [glance = "", payment = "", drop = "", enrich = ""] = ids
    const recorded = await actionRisk(["outcomes", "record", payment, "not_executed", "--event-id", "one"])
    expect(recorded).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringMatching(/^recorded as .{36}: the action no longer counts in the 24-hour sums\n$/)
    })
    expect(await actionRisk(["outcomes", "record", payment, "not_executed", "--event-id", "one"])).toEqual(
      recorded
    )
    const json = await actionRisk([
      "outcomes",
      "record",
      glance,
      "incident",
      "--entities",
      "7",
      "--value",
      "1.5",
      "--json"
    ])
    expect(decoded(outcomesRecordShape, json)).toMatchObject({
      event: { type: "incident", observed: { entities_affected: 7, financial_value: 1.5 } }
    })
    expect(await actionRisk(["outcomes", "record", drop, "person_declined"])).toMatchObject({ code: 0 })
    expect(await actionRisk(["outcomes", "record", enrich, "person_agreed"])).toMatchObject({ code: 0 })
    expect(await actionRisk(["outcomes", "record", drop, "not_executed", "--records", "1"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("observed must be left out unless type is executed")
    })
    const unknown = await actionRisk(["outcomes", "record", "x", "executed", "--json"])
    expect(unknown.code).toBe(1)
    expect(decoded(outcomesRecordShape, unknown)).toMatchObject({ reported: false, code: "NOT_FOUND" })
  })

  it("are counted by level and factor, with the harm after level low", async () => {
    const found = decoded(outcomesReportShape, await actionRisk(["outcomes", "report", ...owner, "--json"]))
    expect(found.levels.critical).toMatchObject({ assessments: 1, events: { person_declined: 1 } })
    expect(found.levels.low).toMatchObject({ assessments: 1, events: { incident: 1 } })
    expect(found.harms_at_low).toEqual([ids[0]])
    const declined = { questions: 1, agreed: 0, declined: 1, absent: 0 }
    const agreed = { ...declined, agreed: 1, declined: 0 }
    const once = { sessions: 1, in_sessions: 1 }
    expect(found.asked).toEqual({
      questions: 2,
      agreed: 1,
      declined: 1,
      absent: 0,
      sessions: 2,
      in_sessions: 2,
      most_in_a_session: 1,
      agents: [
        { agent_id: null, ...declined, ...once },
        { agent_id: "cleaner", ...agreed, ...once }
      ],
      // Nothing is suggested for an action that a person declined.
      tools: [
        { tool: "database.drop", ...declined, entry: null },
        {
          tool: "acme.widgets.frobnicate",
          ...agreed,
          entry: expect.objectContaining({ match: { action: "acme.widgets.frobnicate" } })
        }
      ]
    })
    expect(found.factors).toContainEqual({ code: "PRODUCTION_ENVIRONMENT", assessments: 3, grave: 1 })
    const shown = await actionRisk(["outcomes", "report", ...owner])
    expect(shown.stdout).toContain("4 assessments with reported outcomes")
    expect(shown.stdout).toMatch(/ near miss +understated\n/)
    expect(shown.stdout).toMatch(/ 1 of 3 +PRODUCTION_ENVIRONMENT\n/)
    expect(shown.stdout).toContain(
      "A person was asked 2 times, and agreed to 1 of 2 (50 %); 1 in each of 2 sessions, at most 1"
    )
    expect(shown.stdout).toContain("policies suggest <set> database --org demo --mode test")
    expect(shown.stdout).toContain(`Harm after level low\n  ${ids[0]}`)
    const later = await actionRisk(["outcomes", "report", ...owner, "--since", "2100-01-01"])
    expect(later.stdout).toBe("no outcomes were reported\n")
  })

  it("become labels that rules agree reads", async () => {
    const labels = await actionRisk(["outcomes", "labels", ...owner])
    expect([labels.code, labels.stderr]).toEqual([0, ""])
    const lines = labels.stdout.trimEnd().split("\n")
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { id: ids[0], request: requests[0], level: "high", second: ["critical"] },
      { id: ids[2], request: requests[2], level: "high", second: ["moderate"] }
    ])
    const agreed = await actionRisk(["rules", "agree", "--labels", "-", "--json"], labels.stdout)
    expect(JSON.parse(agreed.stdout)).toMatchObject({
      calls: 2,
      confusion: { high: { low: 1, critical: 1 } }
    })
  })

  it("are exported in the order of their chain, which evidence verify finds whole", async () => {
    const { code, stdout } = await actionRisk(["outcomes", "export", ...owner])
    expect(code).toBe(0)
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(lines.map(({ event, seal }) => [seal.sequence, event.type, event.id === seal.event_id])).toEqual([
      [1, "not_executed", true],
      [2, "incident", true],
      [3, "person_declined", true],
      [4, "person_agreed", true]
    ])
    const verified = await actionRisk(["evidence", "verify", ...owner, "--json"])
    expect(decoded(evidenceVerifyShape, verified)).toMatchObject({
      ok: true,
      outcomes: { sealed: 4, erased: 0, broken: null }
    })
    const shown = await actionRisk(["evidence", "verify", ...owner])
    expect(shown.stdout).toContain("4 outcome events, each as it was sealed")
  })
})
