/** Leaving a field out is never a way to a lower score. */

import fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import type { Action } from "../../src/domain/Action.ts"
import type { Assumption, Opinion } from "../../src/domain/Opinion.ts"
import { question } from "../support/arbitrary/question.ts"
import { model } from "../support/edition1.ts"
import { type Asked, opine } from "../support/opine.ts"
import { theorems } from "../support/theorem.ts"

const camelCase = (field: string): string =>
  field.replace(/_[a-z]/g, ([, letter = ""]) => letter.toUpperCase())

const stating = (asked: Asked, assumptions: ReadonlyArray<Assumption>): Asked => ({
  ...asked,
  action: {
    ...asked.action,
    ...(Object.fromEntries(
      assumptions.map(({ assumed, field }) => [camelCase(field), assumed])
    ) as Partial<Action>)
  }
})

/** What missing information itself may lift a score to: the gates, and the floor of a high factor that says so. */
const lifts = [model.numbers.severityFloors.high, ...model.numbers.gates.map(({ floor }) => floor)]

const scoresAsStated = (left: Opinion, stated: Opinion): boolean =>
  isDeepStrictEqual(left.blastRadius, stated.blastRadius) &&
  (left.actionRisk.score === stated.actionRisk.score ||
    (left.actionRisk.score > stated.actionRisk.score && lifts.includes(left.actionRisk.score)))

const known = <A>(value: A | "unknown" | undefined): value is A => value !== undefined && value !== "unknown"

/** The same action with what it does not know left out. */
const withoutUnknowns = ({ dataClassification, reversibility, ...rest }: Action): Action => ({
  ...rest,
  ...(known(dataClassification) ? { dataClassification } : {}),
  ...(known(reversibility) ? { reversibility } : {})
})

theorems(
  fc.tuple(question(), fc.nat(9)),
  ([asked, pick]) => {
    const left = opine(asked)
    const { assumptions } = left
    const one = assumptions.slice(pick % Math.max(1, assumptions.length)).slice(0, 1)
    return { left, statingAll: opine(stating(asked, assumptions)), statingOne: opine(stating(asked, one)) }
  },
  {
    "T1: stating every assumption changes neither score nor blast radius, but for what missing information lifted":
      ({ left, statingAll }) => scoresAsStated(left, statingAll),

    "T1: nor does stating any one assumption": ({ left, statingOne }) => scoresAsStated(left, statingOne),

    "T1: stating every assumption leaves nothing to assume": ({ statingAll }) =>
      statingAll.assumptions.length === 0,

    "T4: `unknown` is the same as leaving the field out": (_, [asked]) => {
      const absent = withoutUnknowns(asked.action)
      const unknown: Action = { dataClassification: "unknown", reversibility: "unknown", ...absent }
      return isDeepStrictEqual(opine({ ...asked, action: unknown }), opine({ ...asked, action: absent }))
    }
  }
)
