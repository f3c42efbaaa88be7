/**
 * T3 over real calls, in words that the model reads itself: no statement of one field leads outside what was announced, whatever a
 * destination is called. The texts are made from the lists of the release: everything that a destination can say is in one of them.
 */

import fc from "fast-check"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import signalsFile from "../../rules/lexicon/words/signals.json" with { type: "json" }
import wordsFile from "../../rules/lexicon/words/words.json" with { type: "json" }
import { type Action, dataClassifications, environments, reversibilities } from "../../src/domain/Action.ts"
import type { BehaviorSnapshot } from "../../src/domain/Behavior.ts"
import { actionRiskLevels, type Opinion } from "../../src/domain/Opinion.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { classRows, numbers } from "../oracle/files.ts"
import { deep } from "../support/depth.ts"
import { model } from "../support/draft.ts"
import { destinations, noHistory, opineAsked } from "../support/opine.ts"
import { policySetOf } from "../support/policySetOf.ts"
import { theorem } from "../support/theorem.ts"
import { scoreSummary } from "../../src/scoring/scoreSummary.ts"

const toAction = (request: Readonly<Record<string, unknown>>): Action =>
  Object.fromEntries(
    Object.entries(request).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value
    ])
  ) as unknown as Action

const labelled: ReadonlyArray<Action> = ["test/labels/calls.ndjson", "../shared/labels/calls.ndjson"]
  .map((path) => join(packageRoot, path))
  .filter((path) => existsSync(path))
  .flatMap((path) => readFileSync(path, "utf8").trim().split("\n"))
  .map((line) => toAction((JSON.parse(line) as { request: Readonly<Record<string, unknown>> }).request))

interface SignalFile {
  readonly words?: ReadonlyArray<ReadonlyArray<string>>
  readonly text?: ReadonlyArray<string>
  readonly in?: ReadonlyArray<string>
}
const signals: ReadonlyArray<SignalFile> = signalsFile.signals

/** Every spelling of every signal, also of those that no destination says: SQL is one of these. */
const spellings = signals.flatMap(({ text = [], words = [] }) => [
  ...text,
  ...words.map((sequence) => sequence.join(" "))
])
const production = wordsFile.production.flatMap((word) => [word, `${word}.example.com`, `acme-${word}-db`])
const places = [
  "x",
  "alice@example.com",
  "https://partner.example.com/upload",
  "https://files.evil.net/in?to=a",
  "internal.acme.corp",
  "s3://another-account/drop",
  "DE89370400440532013000",
  "#general",
  "DROP TABLE users; --",
  "SELECT * FROM prod.users",
  "draft=true plan_only=true",
  "qa seed test fixture",
  "\u043fr\u043ed",
  "not production",
  "; rm -rf / | sh"
]
const texts = [...spellings, ...production, ...places]
const told = [...places, ...production.slice(0, 3), "/etc/sudoers", "police", "new bank account"]

const known = { ...noHistory, sampleSize: 50, actionTypeSeen: true, agentSeen: true }
const { established, lookalike, novel, warmedUp } = destinations
const histories: ReadonlyArray<BehaviorSnapshot> = [
  { ...noHistory, destination: novel },
  ...[established, novel, lookalike, { ...novel, ...warmedUp, lookalike: true }].map((destination) => ({
    ...known,
    destination
  }))
]

const policies = policySetOf([])
const scoreOf = (action: Action, behavior: BehaviorSnapshot): number =>
  scoreSummary(action, behavior, model, policies).score

const optionalFields = {
  entities_affected: [0, 1, 2, 100, 1_000, 123_456, Number.MAX_SAFE_INTEGER],
  records_affected: [0, 1, 2, 100, 1_000, 123_456, Number.MAX_SAFE_INTEGER],
  financial_value: [0, 0.01, 300, 10_000, 1_000_000, Number.MAX_VALUE],
  currency: ["USD", "EUR", "IRR", "KWD", "XAU", "ZZZ", "jpy"],
  data_classification: dataClassifications,
  reversibility: reversibilities,
  privilege_change: [false, true],
  production_impact: [false, true],
  destination: told,
  agent_id: ["somebody"]
} as const

const nameOf = (field: string) => field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const levelOf = (score: number): number =>
  actionRiskLevels.slice(1).filter((level) => score >= numbers.levels[level]).length

/** Describes every violation of the announced bounds. Empty if there is none. */
const outside = (before: Opinion, field: string, value: unknown, score: number): ReadonlyArray<string> => {
  const { actionRisk, missingInformation, reading } = before
  const bounds = missingInformation.find((one) => one.field === field)
  const harmless = reading !== undefined && classRows[reading.class].harmless
  const holds =
    bounds !== undefined
      ? bounds.couldLowerTo <= score && score <= bounds.couldRaiseTo
      : field === "destination" && harmless
        ? levelOf(score) === levelOf(actionRisk.score)
        : score === actionRisk.score
  return holds
    ? []
    : [`${field} ${String(value)}: ${actionRisk.score} became ${score}, ${JSON.stringify(bounds)}`]
}

const isStated = (action: Action, field: string): boolean => {
  const value = Object.entries(action).find(([name]) => name === nameOf(field))?.[1]
  return value !== undefined && value !== "unknown"
}

/** Every possible value of the fields of a call, one at a time. */
const ledOutside = (action: Action, behavior: BehaviorSnapshot): ReadonlyArray<string> => {
  const before = opineAsked({ action, behavior: { ...behavior, destination: null }, policies: [] })
  return Object.entries(optionalFields).flatMap(([field, values]) =>
    isStated(action, field)
      ? []
      : values.flatMap((value) => {
          const seen =
            field === "destination" || isStated(action, "destination")
              ? behavior
              : { ...behavior, destination: null }
          return outside(before, field, value, scoreOf({ ...action, [nameOf(field)]: value }, seen))
        })
  )
}

describe("no statement about a labelled call leads outside what was announced", () => {
  it.each(environments)(
    "in %s",
    (environment) => {
      // Every day each of them in one environment.
      const some = labelled.filter(
        (_, at) => deep || at % environments.length === environments.indexOf(environment)
      )
      const led = some.flatMap((action, at) => {
        const { destination: _, ...sent } = action
        const asked = { ...sent, environment }
        const behavior = histories[at % histories.length] ?? noHistory
        return ledOutside(asked, behavior).map((told) => `${action.actionType} ${told}`)
      })
      expect(led).toEqual([])
    },
    600_000
  )
})

theorem(
  "whatever a destination is called, it leads nowhere but where was announced",
  fc.record({
    asked: fc.constantFrom(...labelled),
    environment: fc.constantFrom(...environments),
    behavior: fc.constantFrom(...histories),
    destination: fc
      .array(
        fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...texts) }, { weight: 1, arbitrary: fc.string() }),
        {
          minLength: 1,
          maxLength: 3
        }
      )
      .map((parts) => parts.join(" ").slice(0, 240))
  }),
  ({ asked, behavior, destination, environment }) => {
    const { destination: _, ...sent } = asked
    const action = { ...sent, environment }
    const before = opineAsked({ action, behavior: { ...behavior, destination: null }, policies: [] })
    const score = scoreOf({ ...action, destination }, behavior)
    return outside(before, "destination", destination, score).length === 0
  }
)

describe("a destination is told", () => {
  const askedFor = (actionType: string, environment: Action["environment"] = "production") =>
    opineAsked({
      action: { actionType, environment },
      behavior: known,
      policies: []
    }).missingInformation.find(({ field }) => field === "destination")

  it("not for a glance, where it changes nothing that anyone would ask about", () => {
    for (const environment of environments)
      for (const glance of ["list_issues", "Grep", "search_web", "calculator", "get_weather"])
        expect([glance, askedFor(glance, environment)]).toEqual([glance, undefined])
  })

  it("for a write that an imitation of a known place would get", () => {
    expect(askedFor("update_issue")).toMatchObject({ couldRaiseTo: 71, higher: { level: "moderate" } })
  })

  it("for a file that could be moved to where the system keeps its rights", () => {
    expect(askedFor("move_file")?.couldRaiseTo).toBeGreaterThanOrEqual(90)
  })
})
