/** Random actions in words that a person has understood before. */

import fc from "fast-check"
import {
  type Action,
  dataClassifications,
  environments,
  reversibilities
} from "../../../src/domain/Action.ts"
import type { SafeguardRank } from "../../../src/scoring/edition1/NormalizedAction.ts"
import type { Words } from "../../oracle/Question.ts"
import { count, currency, money } from "./amounts.ts"
import {
  actionTypes,
  destinations,
  type KnownActionType,
  type KnownWord,
  targetResources,
  targetSystems
} from "./vocabulary.ts"

export interface Understood {
  readonly action: Action
  readonly words: Words
}

const stated = (fields: { readonly [K in keyof Action]: Action[K] | undefined }): Action =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as unknown as Action

/** A whole world of actions would nearly always be high: every second one is drawn from this quieter corner. */
const mild = {
  type: actionTypes.filter(({ class: verb, admin, credential }) => {
    const quiet = ["read", "write", "export", "communicate", "transact", "deploy", "configure"].includes(verb)
    return quiet && admin !== true && credential !== true
  }),
  target: <A extends KnownWord>(words: ReadonlyArray<A>) =>
    words.filter(({ admin, everything, production }) => !admin && !everything && !production),
  count: fc.constantFrom(0, 1, 2, 9, 10, 11, 50, 99, 100),
  money: fc.constantFrom(0, 0.01, 40, 99.99, 100, 900, 1_000),
  currency: fc.constantFrom("USD", "EUR", "jpy"),
  dataClassification: ["public", "internal"] as const,
  reversibility: ["fully_reversible", "mostly_reversible", "partially_reversible"] as const,
  flag: fc.constant(false)
}
const wild = {
  type: actionTypes,
  target: <A extends KnownWord>(words: ReadonlyArray<A>) => words,
  count: count(),
  money: money(),
  currency: currency(),
  dataClassification: dataClassifications,
  reversibility: reversibilities,
  flag: fc.boolean()
}

/** `silence`: of so many fields one is left out; none are when it is Infinity. */
const fields = (from: typeof wild | typeof mild, silence: number) => {
  const maybe = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> =>
    silence === Infinity ? arbitrary : fc.option(arbitrary, { nil: undefined, freq: silence - 1 })
  const orUnknown = silence === Infinity ? [] : (["unknown"] as const)
  return fc.record({
    type: fc.constantFrom(...from.type),
    environment: fc.constantFrom(...environments),
    agentId: maybe(fc.constantFrom("agent-7", "billing-bot")),
    system: fc.option(fc.constantFrom(...from.target(targetSystems)), { nil: undefined }),
    resource: fc.option(fc.constantFrom(...from.target(targetResources)), { nil: undefined }),
    destination: maybe(fc.constantFrom(...from.target(destinations))),
    entitiesAffected: maybe(from.count),
    recordsAffected: maybe(from.count),
    financialValue: maybe(from.money),
    currency: maybe(from.currency),
    dataClassification: maybe(fc.constantFrom(...from.dataClassification, ...orUnknown)),
    reversibility: maybe(fc.constantFrom(...from.reversibility, ...orUnknown)),
    privilegeChange: maybe(from.flag),
    productionImpact: maybe(from.flag)
  })
}
type Drawn = ReturnType<typeof fields> extends fc.Arbitrary<infer A> ? A : never

/** What is named only in the target is taken away by verbs that take away by themselves. */
const weakened = (type: KnownActionType, resource: KnownWord | undefined): SafeguardRank => {
  const own = type.safeguardWeakened ?? 0
  const named = resource?.safeguard ?? 0
  const takesAway = type.takesAway ?? ["delete", "destroy", "unknown"].includes(type.class)
  return takesAway && named > own ? named : own
}

const understand = ({ type, system, resource, destination, ...rest }: Drawn): Understood => {
  const targets = [system, resource].filter((word) => word !== undefined)
  const places = destination === undefined ? targets : [...targets, destination]
  const any = (flag: keyof KnownWord, words: ReadonlyArray<KnownWord>): boolean =>
    words.some((word) => word[flag] === true)
  return {
    action: stated({
      actionType: type.text,
      ...rest,
      targetSystem: system?.text,
      targetResource: resource?.text,
      destination: destination?.text
    }),
    words: {
      class: type.class,
      extent: type.extent,
      dataStore: any("dataStore", [type, ...targets]),
      admin: any("admin", [type, ...targets]),
      credential: any("credential", [type]),
      alsoExports: type.alsoExports ?? false,
      safeguardWeakened: weakened(type, resource),
      production: any("production", places),
      everything: any("everything", targets)
    }
  }
}

/** From actions that state next to nothing to actions that state everything. */
export const understoodAction = (): fc.Arbitrary<Understood> =>
  fc
    .oneof(
      { weight: 1, arbitrary: fields(wild, 2) },
      { weight: 2, arbitrary: fields(wild, 6) },
      { weight: 2, arbitrary: fields(wild, Infinity) },
      { weight: 4, arbitrary: fields(mild, 8) },
      { weight: 1, arbitrary: fields(mild, Infinity) }
    )
    .map(understand)
