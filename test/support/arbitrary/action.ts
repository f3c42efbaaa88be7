/** Random actions in the words of the vocabulary. */

import fc from "fast-check"
import {
  type Action,
  dataClassifications,
  environments,
  reversibilities
} from "../../../src/domain/Action.ts"
import { count, currency, money } from "./amounts.ts"
import { anyWords, quietWords } from "./vocabulary.ts"

type Fields = { readonly [K in keyof Action]: Action[K] | undefined }

const stated = (fields: Fields): Action =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as unknown as Action

/** Random actions would nearly always be high, so every second one is drawn from these milder values. */
const mild = {
  words: quietWords,
  count: fc.constantFrom(0, 1, 2, 9, 10, 11, 50, 99, 100),
  money: fc.constantFrom(0, 0.01, 40, 99.99, 100, 900, 1_000),
  currency: fc.constantFrom("USD", "EUR", "jpy"),
  dataClassification: ["public", "internal"] as const,
  reversibility: ["fully_reversible", "mostly_reversible", "partially_reversible"] as const,
  flag: fc.constant(false)
}
const wild = {
  words: anyWords,
  count: count(),
  money: money(),
  currency: currency(),
  dataClassification: dataClassifications,
  reversibility: reversibilities,
  flag: fc.boolean()
}

/** `silence`: one in this many fields is left out; none if Infinity. */
const fields = (from: typeof wild | typeof mild, silence: number): fc.Arbitrary<Action> => {
  const maybe = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> =>
    silence === Infinity ? arbitrary : fc.option(arbitrary, { nil: undefined, freq: silence - 1 })
  const orUnknown = silence === Infinity ? [] : (["unknown"] as const)
  const { actionTypes, destinations, targetResources, targetSystems } = from.words
  return fc
    .record({
      actionType: fc.constantFrom(...actionTypes),
      environment: fc.constantFrom(...environments),
      agentId: maybe(fc.constantFrom("agent-7", "billing-bot")),
      targetSystem: fc.option(fc.constantFrom(...targetSystems), { nil: undefined }),
      targetResource: fc.option(fc.constantFrom(...targetResources), { nil: undefined }),
      destination: maybe(fc.constantFrom(...destinations)),
      entitiesAffected: maybe(from.count),
      recordsAffected: maybe(from.count),
      financialValue: maybe(from.money),
      currency: maybe(from.currency),
      dataClassification: maybe(fc.constantFrom(...from.dataClassification, ...orUnknown)),
      reversibility: maybe(fc.constantFrom(...from.reversibility, ...orUnknown)),
      privilegeChange: maybe(from.flag),
      productionImpact: maybe(from.flag)
    })
    .map(stated)
}

/** From actions that state next to nothing to actions that state everything. */
export const anyAction = (): fc.Arbitrary<Action> =>
  fc.oneof(
    { weight: 1, arbitrary: fields(wild, 2) },
    { weight: 2, arbitrary: fields(wild, 6) },
    { weight: 2, arbitrary: fields(wild, Infinity) },
    { weight: 4, arbitrary: fields(mild, 8) },
    { weight: 1, arbitrary: fields(mild, Infinity) }
  )
