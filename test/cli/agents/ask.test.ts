/** `action-risk ask` against a server that answers like the service, or incorrectly. */

import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { exampleResponse } from "../../../src/api/examples/examples.ts"
import { AssessmentUnavailable, errorEnvelope } from "../../../src/api/Failures.ts"
import { actionRisk as startProgram } from "../../support/actionRisk.ts"
import { actionRisk } from "../../support/inProcess.ts"
import { type ScriptedService, scriptedService } from "../../support/scriptedService.ts"

let service: ScriptedService
beforeAll(async () => {
  service = await scriptedService()
})
afterAll(() => service.close())

const refund = join(import.meta.dirname, "../../../examples/requests/stripe-refund.json")

const ask = (args: ReadonlyArray<string>, key: string | null = "svc_test_x", run = actionRisk) =>
  run(["ask", refund, ...args], {
    env: { ACTION_RISK_URL: service.url, ...(key !== null && { ACTION_RISK_KEY: key }) }
  })

describe("ask", () => {
  it("prints the opinion of the service as assess prints one", async () => {
    service.play((response) =>
      response.writeHead(200, { "svc-risk-opinion": "full" }).end(JSON.stringify(exampleResponse))
    )
    const { code, stderr, stdout } = await ask([], "svc_test_x", startProgram)
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toMatch(/^ CRITICAL 90 {2}action risk/)
    expect(service.heard[0]?.headers.authorization).toBe("Bearer svc_test_x")
  })

  it("says why there is no opinion, and ends with 1", async () => {
    const failure = new AssessmentUnavailable({ retryAfterSeconds: 60 })
    service.play((response) =>
      response
        .writeHead(503, { "svc-risk-opinion": "none" })
        .end(JSON.stringify(errorEnvelope(failure, "req_1", "")))
    )
    expect(await ask([])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^action-risk: no opinion: ASSESSMENT_UNAVAILABLE: /)
    })
    const { code, stdout } = await ask(["--json"])
    expect([code, JSON.parse(stdout).opinion, JSON.parse(stdout).code]).toEqual([
      1,
      "none",
      "ASSESSMENT_UNAVAILABLE"
    ])
  })

  it("says in the requested format that it has no key, and sends nothing", async () => {
    service.play((response) => response.destroy())
    expect((await ask([], null)).stderr).toContain("no opinion: MISSING_API_KEY: ACTION_RISK_KEY is not set")
    const { code, stdout } = await ask(["--json"], null)
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { opinion: "none", code: "MISSING_API_KEY" }])
    expect(service.heard).toEqual([])
  })

  it("says where it sent the request, and what to do, if no service answers", async () => {
    service.play((response) => response.destroy())
    expect((await ask([])).stderr).toContain(
      `; the request went to ${service.url}: start a service there with \`action-risk serve\`, or set ACTION_RISK_URL to another one`
    )
  })
})
