/** Promises of the score (scoring.md §5), tried on random questions. T3, the bounds, is in `bounds.test.ts`. */

import fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import type { Action } from "../../src/domain/Action.ts"
import { impactDimensions, type Opinion } from "../../src/domain/Opinion.ts"
import { call } from "../support/arbitrary/call.ts"
import { question } from "../support/arbitrary/question.ts"
import { type Asked, opineAny as opineAsked } from "../support/opine.ts"
import { theorems } from "../support/theorem.ts"

const camelCase = (field: string): string =>
  field.replace(/_[a-z]/g, ([, letter = ""]) => letter.toUpperCase())

const stating = <A extends Asked>(asked: A, fields: Readonly<Record<string, unknown>>): A => ({
  ...asked,
  action: { ...asked.action, ...(fields as Partial<Action>) }
})

const allAssumed = ({ assumptions }: Opinion): Readonly<Record<string, unknown>> =>
  Object.fromEntries(assumptions.map(({ assumed, field }) => [camelCase(field), assumed]))

/** An amount needs its currency: without one it counts in the most valuable currency. */
const oneAssumed = ({ assumptions }: Opinion, pick: number): Readonly<Record<string, unknown>> => {
  const one = assumptions[pick % Math.max(1, assumptions.length)]
  if (one === undefined) return {}
  const currency = assumptions.find(({ field }) => field === "currency")
  const withCurrency =
    one.field === "financial_value" && currency !== undefined ? { currency: currency.assumed } : {}
  return { [camelCase(one.field)]: one.assumed, ...withCurrency }
}

theorems(
  fc.tuple(fc.oneof(question(), call()), fc.nat(9)),
  ([asked, pick]) => {
    const left = opineAsked(asked)
    return {
      left,
      statingAll: opineAsked(stating(asked, allAssumed(left))),
      statingOne: opineAsked(stating(asked, oneAssumed(left, pick)))
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

    "T4: `unknown` is the same as leaving the field out": (_, [asked]) => {
      const { dataClassification: _c, reversibility: _r, ...absent } = asked.action
      return isDeepStrictEqual(
        opineAsked({
          ...asked,
          action: { ...absent, dataClassification: "unknown", reversibility: "unknown" }
        }),
        opineAsked({ ...asked, action: absent })
      )
    },

    "T5: the blast radius is at least every impact": ({ left: { blastRadius } }) =>
      impactDimensions.every((name) => blastRadius.dimensions[name] <= blastRadius.score)
  }
)
