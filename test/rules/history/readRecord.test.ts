import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { readRecord, sliceRecord } from "../../../src/rules/history/readBlock.ts"
import { loadPolicySet } from "../../../src/rules/policies/loadPolicySet.ts"
import { question } from "../../support/arbitrary/question.ts"
import { seed } from "../../support/depth.ts"
import { model } from "../../support/draft.ts"
import { historyLine, type Told } from "../../support/historyLine.ts"

const { policySet } = loadPolicySet(packageRoot, "none")
const lineOf = (told: Told): string => historyLine(told, 7, model, policySet)
const readLine = (line: string) => readRecord(line, 0, line.length)

/** Metadata that looks like the parts around it. */
const misleading = fc.dictionary(
  fc.constantFrom("input", "evidence", "behavior_snapshot", "rules_digest", "assessment_id", `,"input":{`),
  fc.oneof(
    fc.constant({ input_digest: "a", behavior_snapshot: null, rules_digest: "b" }),
    fc.constant(`"},"evidence":{"input_digest":"`),
    fc.json().map((text) => JSON.parse(text))
  )
)

const told: fc.Arbitrary<Told> = fc
  .tuple(question(), fc.option(misleading, { nil: undefined }))
  .map(([{ action, behavior }, metadata]) => ({
    action: metadata === undefined ? action : { ...action, metadata },
    behavior
  }))

/** As JSON round-trips it. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const small: Told = {
  action: { actionType: "customer.read", environment: "staging" },
  behavior: "unavailable"
}

describe("a line of a history", () => {
  const cases = 2_000
  it(`gives back the action and the snapshot that were stored, in ${cases} cases`, () => {
    const holds = fc.property(told, (one) => {
      const read = readLine(lineOf(one))
      expect(Result.isSuccess(read) && read.success).toMatchObject({
        behavior: asJson(one.behavior),
        action: asJson(one.action)
      })
    })
    fc.assert(holds, { numRuns: cases, seed })
  }, 60_000)

  it(`is cut into the same parts that parsing the whole line gives, in ${cases} cases`, () => {
    const holds = fc.property(told, (one) => {
      const line = lineOf(one)
      const whole = JSON.parse(line)
      const parsed = {
        assessmentId: whole.assessment_id,
        policyVersion: whole.policy_version,
        input: whole.input,
        snapshot: whole.evidence.behavior_snapshot
      }
      // A line that is not cut is parsed.
      expect(sliceRecord(line, 0, line.length) ?? parsed).toStrictEqual(parsed)
    })
    fc.assert(holds, { numRuns: cases, seed })
  }, 60_000)

  it("of an export is cut without being parsed, also once it is sealed", () => {
    const digest = `"${"0".repeat(64)}"`
    const sealed = lineOf(small).replace(
      `"sequence":null,"previous_digest":null,"entry_digest":null,"sealed_at":null`,
      `"sequence":12,"previous_digest":${digest},"entry_digest":${digest},"sealed_at":"2026-12-01T00:00:00.000Z"`
    )
    expect(sealed).toContain(`"sequence":12`)
    for (const line of [lineOf(small), sealed]) expect(sliceRecord(line, 0, line.length)).toBeDefined()
  })

  it("is read in any spelling of the same JSON", () => {
    const whole = JSON.parse(lineOf(small))
    const { evidence, input, ...response } = whole
    for (const line of [
      JSON.stringify({ evidence, input, ...response }),
      JSON.stringify(whole).replaceAll(":", " : "),
      lineOf(small).replace(`"input":`, `"\\u0069nput":`),
      lineOf(small).replace(`"risk_factors":`, `"added":{"a":1,"input":{"action_type":"x"}},"risk_factors":`)
    ]) {
      expect(readLine(line)).toStrictEqual(readLine(lineOf(small)))
    }
  })

  it("stays inside its own bounds", () => {
    const line = lineOf(small)
    const text = `${line}\n${line}`
    expect(readRecord(text, 0, line.length)).toStrictEqual(readLine(line))
    expect(readRecord(text, line.length + 1, text.length)).toStrictEqual(readLine(line))
    expect(sliceRecord(text, 0, line.length - 1)).toBeUndefined()
  })

  const snapshot = JSON.stringify({ ...JSON.parse(lineOf(small)).evidence, behavior_snapshot: {} })
  it.each([
    ["not JSON", "{", "is not JSON"],
    ["cut short", lineOf(small).slice(0, -40), "is not JSON"],
    ["no object", "[]", "is not a JSON object"],
    ["another document", `{"a":1}`, "has no assessment_id"],
    ["a response without evidence", lineOf(small).replace(`"evidence"`, `"other"`), "has no evidence"],
    ["no input", lineOf(small).replace(`"input":`, `"output":`), "has no input"],
    [
      "a field of no request",
      lineOf(small).replace(`"environment":"staging"}`, `"environment":"staging","colour":1}`),
      "input has `colour`, which is not a field of a request"
    ],
    [
      "a wrong environment",
      lineOf(small).replace(`"environment":"staging"}`, `"environment":"moon"}`),
      "input.environment is not one of development, sandbox, staging, production"
    ],
    ["no environment", lineOf(small).replace(`,"environment":"staging"}`, "}"), "input lacks environment"],
    [
      "an empty snapshot",
      lineOf(small).replace(/"evidence":.*/, `"evidence":${snapshot}}`),
      "evidence.behavior_snapshot: taken_at is not a string"
    ],
    [
      "no snapshot",
      lineOf(small).replace(`"behavior_snapshot":null,`, ""),
      "has no evidence.behavior_snapshot"
    ]
  ])("that is %s is refused", (_, line, message) => {
    expect(readLine(line)).toStrictEqual(Result.fail(message))
  })
})
