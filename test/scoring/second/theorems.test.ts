/** What the second edition promises (scoring.md §5), tried on random questions. */

import fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import { type Action, dataClassifications, reversibilities } from "../../../src/domain/Action.ts"
import type { Behavior } from "../../../src/domain/Behavior.ts"
import {
  actionRiskLevels,
  impactDimensions,
  type MissingInformation,
  type Opinion
} from "../../../src/domain/Opinion.ts"
import { question } from "../../support/arbitrary/question.ts"
import { destinations, opineNext } from "../../support/next.ts"
import type { Asked } from "../../support/opine.ts"
import { theorems } from "../../support/theorem.ts"

const camelCase = (field: string): string =>
  field.replace(/_[a-z]/g, ([, letter = ""]) => letter.toUpperCase())

const stating = (asked: Asked, fields: Readonly<Record<string, unknown>>): Asked => ({
  ...asked,
  action: { ...asked.action, ...(fields as Partial<Action>) }
})

const allAssumed = ({ assumptions }: Opinion): Readonly<Record<string, unknown>> =>
  Object.fromEntries(assumptions.map(({ assumed, field }) => [camelCase(field), assumed]))

/** An amount goes with its currency: one without a currency is taken in the dearest. */
const oneAssumed = ({ assumptions }: Opinion, pick: number): Readonly<Record<string, unknown>> => {
  const one = assumptions[pick % Math.max(1, assumptions.length)]
  if (one === undefined) return {}
  const currency = assumptions.find(({ field }) => field === "currency")
  const withCurrency =
    one.field === "financial_value" && currency !== undefined ? { currency: currency.assumed } : {}
  return { [camelCase(one.field)]: one.assumed, ...withCurrency }
}

const figures = [
  0,
  1,
  2,
  9,
  10,
  99,
  100,
  999,
  1_000,
  10_000,
  99_999,
  100_000,
  10_000_000,
  Number.MAX_SAFE_INTEGER
]

/** Values that the API accepts for a field, all of them where there are few. */
const valuesOf = (field: string, random: number): ReadonlyArray<unknown> => {
  switch (field) {
    case "data_classification":
      return dataClassifications
    case "reversibility":
      return reversibilities
    case "privilege_change":
    case "production_impact":
      return [true, false]
    case "currency":
      return ["USD", "EUR", "JPY", "KWD", "IRR"]
    case "destination":
    case "agent_id":
      return ["named"]
    default:
      return [...figures, random]
  }
}

/** What a destination or an agent that is named can turn out to be. */
const historiesOf = (field: string, behavior: Behavior): ReadonlyArray<Behavior> => {
  if (behavior === "unavailable") return [behavior]
  if (field === "destination") {
    // Who has no history has not seen any destination.
    const possible = behavior.sampleSize === 0 ? [destinations.novel] : Object.values(destinations)
    return possible.map((destination) => ({ ...behavior, destination }))
  }
  return field === "agent_id" ? [true, false].map((agentSeen) => ({ ...behavior, agentSeen })) : [behavior]
}

const scoreOf = (asked: Asked): number => opineNext(asked).actionRisk.score

const staysWithin = (asked: Asked, random: number, bounds: MissingInformation): boolean =>
  valuesOf(bounds.field, random).every((value) =>
    historiesOf(bounds.field, asked.behavior).every((behavior) => {
      const score = scoreOf(stating({ ...asked, behavior }, { [camelCase(bounds.field)]: value }))
      return bounds.couldLowerTo <= score && score <= bounds.couldRaiseTo
    })
  )

/** The level is reached within one step of two digits above the figure that is told, and not a step below it. */
const reachesFrom = (asked: Asked, { field, higher }: MissingInformation): boolean => {
  if (higher === undefined || typeof higher.from !== "number") return true
  const { from, level } = higher
  const rankAt = (figure: number) =>
    actionRiskLevels.indexOf(opineNext(stating(asked, { [camelCase(field)]: figure })).actionRisk.level)
  const wanted = actionRiskLevels.indexOf(level)
  const step = from < 100 ? 1 : 10 ** (Math.floor(Math.log10(from)) - 1)
  return rankAt(from + step) >= wanted && (from <= 1 || rankAt(from - 1) < wanted)
}

theorems(
  fc.tuple(question(), fc.nat(9), fc.nat(1_000_000)),
  ([asked, pick]) => {
    const left = opineNext(asked)
    return {
      left,
      statingAll: opineNext(stating(asked, allAssumed(left))),
      statingOne: opineNext(stating(asked, oneAssumed(left, pick)))
    }
  },
  {
    "T1: stating every assumption changes neither score nor blast radius": ({ left, statingAll }) =>
      left.actionRisk.score === statingAll.actionRisk.score &&
      isDeepStrictEqual(left.blastRadius, statingAll.blastRadius),

    "T1: nor does stating any one assumption": ({ left, statingOne }) =>
      left.actionRisk.score === statingOne.actionRisk.score,

    "T2: the score lies in its range": ({ left: { actionRisk } }) =>
      actionRisk.range.low <= actionRisk.score && actionRisk.score <= actionRisk.range.high,

    "T3: no statement of one field leads outside its bounds": ({ left }, [asked, , random]) =>
      left.missingInformation.every((bounds) => staysWithin(asked, random, bounds)),

    "T3: the figure that is told is where the next level begins": ({ left }, [asked]) =>
      left.missingInformation.every((bounds) => reachesFrom(asked, bounds)),

    "T4: `unknown` is the same as leaving the field out": (_, [asked]) => {
      const { dataClassification: _c, reversibility: _r, ...absent } = asked.action
      return isDeepStrictEqual(
        opineNext({
          ...asked,
          action: { ...absent, dataClassification: "unknown", reversibility: "unknown" }
        }),
        opineNext({ ...asked, action: absent })
      )
    },

    "T5: the blast radius is at least every impact": ({ left: { blastRadius } }) =>
      impactDimensions.every((name) => blastRadius.dimensions[name] <= blastRadius.score)
  }
)
