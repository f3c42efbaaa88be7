import { Ajv2020 } from "ajv/dist/2020.js"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readShaped, schemaOf } from "../../src/agents/fileShape.ts"
import { defaultGate, gateOf, gateShape, isAsked, steps, tightened } from "../../src/agents/GateFile.ts"
import { nextStep } from "../../src/agents/nextStep.ts"
import type { Answer } from "../../src/client/Answer.ts"
import { actionRiskLevels, controlTypes } from "../../src/domain/Opinion.ts"
import { anything, gateFile, opinionAnswer } from "../support/arbitrary/gates.ts"
import { theorem } from "../support/theorem.ts"

const asked = { mapped: true, whole: true }
const gate = gateFile.map(gateOf)
const rank = (step: (typeof steps)[number]) => steps.indexOf(step)
describe("the next step", () => {
  theorem(
    "is never silence without a complete opinion, whatever came instead and whatever the file says",
    fc.record({ answer: anything, gate }),
    ({ answer, gate }) => nextStep(answer as Answer, gate, asked) !== "no_objection"
  )

  theorem(
    "is never silence for a partial opinion, or for arguments that were not handed over or not understood",
    fc.record({ answer: opinionAnswer, gate, how: fc.constantFrom("partial", "unread", "whole") }),
    ({ answer, gate, how }) => {
      if (answer.opinion === "none") return false
      const { assessment } = answer
      const reading = { by: "name", class: "write", impact: "low" as const, unread: ["$.script"] }
      const heard: Readonly<Record<typeof how, Answer>> = {
        partial: { ...answer, opinion: "partial" },
        unread: { ...answer, assessment: { ...assessment, reading } },
        whole: answer
      }
      return nextStep(heard[how], gate, { mapped: true, whole: how !== "whole" }) !== "no_objection"
    }
  )

  theorem(
    "is never silence for a tool that nobody mapped where its owner wants each mapped, or only names handed over",
    fc.record({ answer: opinionAnswer, file: gateFile, strict: fc.boolean() }),
    ({ answer, file, strict }) => {
      const { arguments: _, unmapped_tool: __, ...rest } = file
      const strictly = strict ? { unmapped_tool: "ask_person" as const } : { arguments: "names" as const }
      return (
        nextStep(answer, gateOf({ ...rest, ...strictly }), { mapped: false, whole: true }) !== "no_objection"
      )
    }
  )

  theorem(
    "is no milder for a higher level, a stronger control, or where less was known",
    fc.record({ one: opinionAnswer, other: opinionAnswer, gate }),
    ({ gate, one, other }) => {
      if (one.opinion === "none" || other.opinion === "none") return false
      const [a, b] = [one.assessment, other.assessment]
      const milder =
        (one.opinion === "full" || other.opinion === "partial") &&
        actionRiskLevels.indexOf(a.action_risk.level) <= actionRiskLevels.indexOf(b.action_risk.level) &&
        controlTypes.indexOf(a.recommended_control.type) <= controlTypes.indexOf(b.recommended_control.type)
      return !milder || rank(nextStep(one, gate, asked)) <= rank(nextStep(other, gate, asked))
    }
  )

  theorem(
    "is no milder with a file in the workspace than without it",
    fc.record({
      answer: fc.oneof(opinionAnswer, anything),
      mine: gate,
      workspace: gateFile,
      mapped: fc.boolean()
    }),
    ({ answer, mapped, mine, workspace }) => {
      const both = tightened(mine, workspace)
      const how = { mapped, whole: true }
      return (
        rank(nextStep(answer as Answer, both, how)) >= rank(nextStep(answer as Answer, mine, how)) &&
        (mine.mode === "observe" || both.mode === "gate") &&
        both.notAsked === mine.notAsked
      )
    }
  )

  it("asks a person from moderate on and refuses from critical on, by default", () => {
    const stepOf = (level: string, type = "NO_ADDITIONAL_CONTROL_RECOMMENDED") => {
      const [sample] = fc.sample(opinionAnswer, { numRuns: 1, seed: 1 })
      if (sample === undefined || sample.opinion === "none") throw new Error("an opinion was made")
      const { assessment } = sample
      const answer = {
        opinion: "full",
        assessment: {
          ...assessment,
          action_risk: { ...assessment.action_risk, level },
          recommended_control: { ...assessment.recommended_control, type }
        }
      } as Answer
      return nextStep(answer, defaultGate, asked)
    }
    expect(actionRiskLevels.map((level) => stepOf(level))).toEqual([
      "no_objection",
      "ask_person",
      "ask_person",
      "refuse"
    ])
    // A policy may raise only the control.
    expect(stepOf("low", "HUMAN_CONFIRMATION_RECOMMENDED")).toBe("ask_person")
    expect(stepOf("low", "STAGED_EXECUTION_RECOMMENDED")).toBe("no_objection")
  })
})

describe("a gate file", () => {
  const accepts = new Ajv2020({ strict: false, validateFormats: false }).compile(schemaOf(gateShape, "gate"))

  const spoiled = fc
    .tuple(
      gateFile,
      fc.constantFrom("version", "mode", "no_opinion", "refuse_from", "not_asked", "nopinion"),
      fc.jsonValue()
    )
    .map(([file, key, value]) => ({ ...file, [key]: value }))

  theorem(
    "is accepted by the reader exactly if its JSON Schema accepts it",
    fc.oneof(gateFile, spoiled, fc.jsonValue()),
    (file) => "file" in readShaped(gateShape, file) === accepts(file)
  )

  it.each(["no_opinion", "partial", "unmapped_tool", "unread_arguments"])(
    "cannot say that %s is no objection",
    (key) => {
      expect(readShaped(gateShape, { version: 1, [key]: "no_objection" })).toEqual({
        problems: [{ at: key, message: "must be one of ask_person, refuse" }]
      })
    }
  )

  it("names each problem with its place", () => {
    const file = { not_asked: [{ tools: [], review_by: "2027-02-30", y: 1 }] }
    expect(readShaped(gateShape, file)).toEqual({
      problems: [
        { at: "not_asked[0].review_by", message: "must be a day such as 2027-06-30" },
        { at: "not_asked[0].tools", message: "must be a list of 1 to 200" },
        { at: "not_asked[0].why", message: "is missing" },
        { at: "not_asked[0].y", message: "is unknown; known are tools, why, review_by" },
        { at: "version", message: "is missing" }
      ]
    })
  })

  it("lets a tool go unasked until the day it names, and asks from the next day on", () => {
    const gate = gateOf({
      version: 1,
      not_asked: [{ tools: ["Read"], why: "checkout only", review_by: "2027-06-30" }]
    })
    expect(isAsked(gate, "Read", "2027-06-30")).toBe(false)
    expect(isAsked(gate, "Read", "2027-07-01")).toBe(true)
    expect(isAsked(gate, "Bash", "2027-06-30")).toBe(true)
  })
})
