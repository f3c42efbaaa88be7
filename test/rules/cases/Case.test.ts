import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { findingLine } from "../../../src/rules/Finding.ts"
import { readCalibration, readFactors } from "../../../src/rules/cases/Case.ts"
import { rulesFolder } from "../../support/rulesFolder.ts"

const folder = rulesFolder()
const file = "rules/factors/behavior/UNFAMILIAR_AGENT.cases.json"

const findingsOf = (json: object): ReadonlyArray<string> => {
  folder.writeText(file, JSON.stringify(json))
  return Result.match(readFactors(folder.root), {
    onFailure: (findings) => findings.map(findingLine),
    onSuccess: () => []
  })
}

const request = { action_type: "customer.export", environment: "production" }

const withHistory = (at: string, repeat?: object) => ({
  cases: [
    {
      name: "a case",
      request,
      history: {
        now: "2026-11-02T12:00:00Z",
        earlier: [{ at, request, ...(repeat === undefined ? {} : { repeat }) }]
      },
      expect: "none"
    }
  ]
})

describe("a file of cases", () => {
  it.each([
    withHistory("2026-11-02T11:59:59Z"),
    withHistory("2026-11-01T12:00:00Z", { times: 24, every: "1h" })
  ])("with a history before its `now` is readable", (json) => {
    expect(findingsOf(json)).toEqual([])
  })

  it.each([
    [withHistory("2026-11-02T12:00:00Z"), "cases[0].history.earlier[0]: is not before `now`"],
    [
      withHistory("2026-11-01T12:00:00Z", { times: 25, every: "1h" }),
      "cases[0].history.earlier[0]: is not before `now`"
    ],
    [
      withHistory("2026-11-01T12:00:00Z", { times: 2, every: "1 hour" }),
      'cases[0].history.earlier[0].repeat.every: expected an interval such as 2h, not `"1 hour"`'
    ],
    [
      { cases: [{ name: "a case", request: { ...request, tool_call: {} }, expect: "none" }] },
      "cases[0].request.tool_call: unknown key `tool_call`"
    ]
  ])("is refused with its problem", (json, problem) => {
    expect(findingsOf(json)).toEqual([`${file}: ${problem}`])
  })
})

describe("the calibration", () => {
  it("is refused if it expects an unknown level", () => {
    folder.edit("rules/calibration.json", '"level": "low"', '"level": "minimal"')
    expect(Result.isFailure(readCalibration(folder.root))).toBe(true)
  })
})
