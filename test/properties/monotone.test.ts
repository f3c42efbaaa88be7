/** Saying something riskier never lowers a score, and contradicting oneself never does either (scoring.md §5). */

import fc from "fast-check"
import { expect, it } from "vitest"
import { type Action, dataClassifications, environments, reversibilities } from "../../src/domain/Action.ts"
import type { Opinion } from "../../src/domain/Opinion.ts"
import type { Question } from "../oracle/Question.ts"
import { classRows } from "../oracle/files.ts"
import { codesByWorth } from "../oracle/money.ts"
import { count, money } from "../support/arbitrary/amounts.ts"
import { call } from "../support/arbitrary/call.ts"
import { destinations, noHistory, opineCall, opineAsked } from "../support/opine.ts"
import { theorems } from "../support/theorem.ts"

const contradictions = [
  "ENVIRONMENT_CLAIM_INCONSISTENT",
  "PRIVILEGE_CLAIM_INCONSISTENT",
  "REVERSIBILITY_CLAIM_INCONSISTENT",
  "CONTRADICTORY_INPUT"
]
const consistent = ({ riskFactors }: Opinion): boolean =>
  !riskFactors.some(({ code }) => contradictions.includes(code))

const neverLower = (milder: Opinion, riskier: Opinion): boolean =>
  milder.actionRisk.score <= riskier.actionRisk.score &&
  milder.actionRisk.range.low <= riskier.actionRisk.range.low &&
  milder.actionRisk.range.high <= riskier.actionRisk.range.high &&
  milder.blastRadius.score <= riskier.blastRadius.score

/** The riskier of the stated value and another; undefined if nothing was stated. */
const riskier = <A>(stated: A | "unknown" | undefined, other: A, ranks: ReadonlyArray<A>): A | undefined =>
  stated === undefined || stated === "unknown"
    ? undefined
    : ranks[Math.max(ranks.indexOf(stated), ranks.indexOf(other))]
const larger = (stated: number | undefined, other: number): number | undefined =>
  stated === undefined ? undefined : Math.max(stated, other)

const drawn = fc.record({
  count: count(),
  money: money(),
  currency: fc.constantFrom(...codesByWorth),
  dataClassification: fc.constantFrom(...dataClassifications),
  reversibility: fc.constantFrom(...reversibilities)
})
type Drawn = typeof drawn extends fc.Arbitrary<infer A> ? A : never

/** One field of an action raised to what was drawn; an undefined field is not raised. */
const rises: Readonly<
  Record<string, (action: Action, to: Drawn) => { readonly [K in keyof Action]?: Action[K] | undefined }>
> = {
  entities_affected: (action, to) => ({ entitiesAffected: larger(action.entitiesAffected, to.count) }),
  records_affected: (action, to) => ({ recordsAffected: larger(action.recordsAffected, to.count) }),
  financial_value: (action, to) => ({ financialValue: larger(action.financialValue, to.money) }),
  // Whole amounts: less than a minor unit of a cheap currency can count for more than the same in a valuable one.
  currency: ({ currency, financialValue }, to) => ({
    currency: Number.isInteger(financialValue)
      ? riskier(
          codesByWorth.find((code) => code === currency?.toUpperCase()),
          to.currency,
          codesByWorth
        )
      : undefined
  }),
  data_classification: (action, to) => ({
    dataClassification: riskier(action.dataClassification, to.dataClassification, dataClassifications)
  }),
  reversibility: (action, to) => ({
    reversibility: riskier(action.reversibility, to.reversibility, reversibilities)
  }),
  privilege_change: ({ privilegeChange }) => ({
    privilegeChange: privilegeChange === undefined ? undefined : true
  }),
  production_impact: ({ productionImpact }) => ({
    productionImpact: productionImpact === undefined ? undefined : true
  })
}

const stating = (asked: Question, fields: Readonly<Record<string, unknown>>): Question => ({
  ...asked,
  action: { ...asked.action, ...(fields as Partial<Action>) }
})

const inEnvironment = (asked: Question, environment: Action["environment"]): Question => ({
  ...stating(asked, { environment }),
  words: { ...asked.words, environment }
})

const toDestination = (asked: Question, destination: (typeof destinations)[keyof typeof destinations]) =>
  asked.behavior === "unavailable" ? asked : { ...asked, behavior: { ...asked.behavior, destination } }

/** Rows of calls, each at least as risky as the one before. Development and sandbox have no order: see `environment` in the ruleset. */
const rows: Readonly<Record<string, (asked: Question) => ReadonlyArray<Question>>> = {
  "from development over staging to production": (asked) =>
    (["development", "staging", "production"] as const).map((name) => inEnvironment(asked, name)),
  "from sandbox over staging to production": (asked) =>
    (["sandbox", "staging", "production"] as const).map((name) => inEnvironment(asked, name)),
  "from a destination that is trusted with as much to a new one that imitates another": (asked) => {
    const trusted = { ...destinations.established, largestEntities: 1e15, largestUsdCents: 1e15 }
    return [trusted, destinations.novel, destinations.lookalike].map((one) => toDestination(asked, one))
  },
  "from a destination that is trusted, over one that was used for little, to one that was only just tried": (
    asked
  ) => {
    const trusted = { ...destinations.established, largestEntities: 1e15, largestUsdCents: 1e15 }
    const forLittle = { ...trusted, largestEntities: 1, largestUsdCents: 1 }
    return [trusted, forLittle, { ...forLittle, days: 1 }].map((one) => toDestination(asked, one))
  },
  "from a known agent to an unknown one": (asked) =>
    [true, false].map((agentSeen) =>
      asked.behavior === "unavailable" ? asked : { ...asked, behavior: { ...asked.behavior, agentSeen } }
    )
}

interface Story {
  /** Stated instead of `truth`, which the rest of the call reveals. */
  readonly lie: Question
  readonly truth: Question
}

const stories: Readonly<Record<string, (asked: Question) => ReadonlyArray<Story>>> = {
  "stating another environment than the target names": (asked) =>
    environments.slice(0, -1).map((environment) => ({
      lie: stating(inEnvironment(asked, "production"), { environment }),
      truth: inEnvironment(asked, "production")
    })),
  "denying that a grant changes privileges": (asked) =>
    classRows[asked.words.class].always_changes_privilege
      ? [
          {
            lie: stating(asked, { privilegeChange: false }),
            truth: stating(asked, { privilegeChange: true })
          }
        ]
      : [],
  "claiming easier reversibility than the class allows": (asked) => {
    const least = classRows[asked.words.class].reversibility_floor
    return reversibilities.slice(0, reversibilities.indexOf(least)).map((reversibility) => ({
      lie: stating(asked, { reversibility }),
      truth: stating(asked, { reversibility: least })
    }))
  },
  "a zero beside a positive count": (asked) => {
    const { counts_go_together: together, harmless } = classRows[asked.words.class]
    return [1, 100, 1_000, 1_000_000].flatMap((many) => {
      const truth = stating(asked, { entitiesAffected: many, recordsAffected: many })
      const noEntities = { lie: stating(truth, { entitiesAffected: 0 }), truth }
      const noRecords = { lie: stating(truth, { recordsAffected: 0 }), truth }
      return harmless ? [] : together ? [noEntities, noRecords] : [noEntities]
    })
  },
  "production impact where there is no production": (asked) =>
    (["development", "sandbox"] as const).map((environment) => {
      const there = inEnvironment(asked, environment)
      return {
        lie: stating(there, { productionImpact: true }),
        truth: stating(there, { productionImpact: false })
      }
    })
}

const named = <A>(
  table: Readonly<Record<string, A>>,
  claim: (name: string) => string,
  holds: (one: A, before: Opinion, asked: Question, to: Drawn) => boolean
) =>
  Object.fromEntries(
    Object.entries(table).map(([name, one]) => [
      claim(name),
      (before: Opinion, [asked, to]: readonly [Question, Drawn]) => holds(one, before, asked, to)
    ])
  )

theorems(fc.tuple(call(), drawn), ([asked]) => opineCall(asked), {
  ...named(
    rises,
    (field) => `raising ${field} never lowers a score, among consistent claims`,
    (rise, before, asked, to) => {
      const [[name, value] = ["", undefined]] = Object.entries(rise(asked.action, to))
      if (value === undefined || !consistent(before)) return true
      const after = opineCall(stating(asked, { [name]: value }))
      return !consistent(after) || neverLower(before, after)
    }
  ),
  ...named(
    rows,
    (row) => `${row}, a score never falls`,
    (row, _, asked) => {
      const opinions = row(asked).map((one) => opineCall(one))
      return opinions.every((one, at) => at === 0 || neverLower(opinions[at - 1] ?? one, one))
    }
  ),
  ...named(
    stories,
    (lie) => `${lie} never lowers a score`,
    (told, _, asked) =>
      told(asked).every(({ lie, truth }) => {
        const [lied, true_] = [opineCall(lie), opineCall(truth)]
        return (
          lied.actionRisk.score >= true_.actionRisk.score && lied.blastRadius.score >= true_.blastRadius.score
        )
      })
  )
})

it("an export of one record scores no less than one of no records, with the entities unstated", () => {
  const exporting = (stated: Partial<Action>) =>
    opineAsked({
      action: { actionType: "contacts.export", environment: "development", ...stated },
      behavior: noHistory,
      policies: []
    })
  const none = exporting({ recordsAffected: 0 })
  expect(none.assumptions).toContainEqual({ field: "entities_affected", assumed: 0 })
  expect(neverLower(none, exporting({ recordsAffected: 1 }))).toBe(true)
  expect(exporting({ entitiesAffected: 0 }).assumptions).toContainEqual({
    field: "records_affected",
    assumed: 0
  })
})
