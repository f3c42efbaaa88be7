/** `policies suggest` over stored assessments: what reviewers closed as expected comes first, and what they rejected is absent. */

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { suggestShape } from "../../src/cli/rules/suggest.ts"
import { actionRisk as startProgram, serving, type Serving } from "../support/actionRisk.ts"
import { removeDataDirectory } from "../support/dataDirectory.ts"
import { migratedDirectory } from "../support/migratedDirectory.ts"
import { actionRisk } from "../support/inProcess.ts"
import { documentIn } from "../support/verbs.ts"

const dataDirectory = migratedDirectory()
const env = { DATA_DIR: dataDirectory }
let server: Serving
let key = ""

const asked = async (path: string, body: unknown): Promise<unknown> => {
  const response = await fetch(`${server.url}/api/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  expect(response.status).toBe(200)
  return response.json()
}

const assessed = async (action: string): Promise<string> => {
  const body = { action_type: action, environment: "production" }
  return ((await asked("actions/assess", body)) as { readonly assessment_id: string }).assessment_id
}

const owner = ["--org", "demo", "--mode", "test"] as const

beforeAll(async () => {
  server = await serving({ env })
  const made = await actionRisk(["keys", "create", ...owner, "--scopes", "assess,read,reviews", "--json"], {
    env
  })
  key = JSON.parse(made.stdout).key
  for (const action of ["frobnicate", "frobnicate", "restart_service"]) await assessed(action)
  const expected = await assessed("deploy_release")
  await asked(`reviews/${expected}/close`, { outcome: "false_positive" })
  const rejected = await assessed("deploy_service")
  await asked(`reviews/${rejected}/close`, { outcome: "risk_rejected" })
}, 90_000)

afterAll(async () => {
  server.signal("SIGTERM")
  await server.finished
  removeDataDirectory(dataDirectory)
}, 60_000)

describe("policies suggest", { timeout: 90_000 }, () => {
  it("suggests first for the tool that reviewers found as expected, and nothing for one they rejected", async () => {
    const said = await actionRisk(["policies", "suggest", "none", "database", ...owner, "--json"], { env })
    const { calls, refused, suggestions } = documentIn(suggestShape, said.stdout)
    expect(calls).toBe(5)
    expect(suggestions.map(({ action, expected }) => [action, expected])).toEqual([
      ["deploy_release", 1],
      ["frobnicate", 0],
      ["frobnicate", 0]
    ])
    expect(refused).toEqual(["deploy_service"])
  })

  it("says so in words", async () => {
    const { code, stdout } = await startProgram(["policies", "suggest", "none", "database", ...owner], {
      env
    })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^deploy_release .*, 1 review closed as expected$/m)
    expect(stdout).toMatch(/^Nothing is suggested for what a review rejected or escalated: deploy_service$/m)
  })

  it("asks for the organization and the mode of stored assessments", async () => {
    const { code, stderr } = await actionRisk(["policies", "suggest", "none", "database", "--org", "demo"], {
      env
    })
    expect(code).toBe(2)
    expect(stderr).toContain("--org and --mode")
  })
})
