/** Random actions in words that a person has understood before. */

import fc from "fast-check"
import { dataClassifications, environments, reversibilities } from "../../../src/domain/Action.ts"
import type { Action } from "../../../src/domain/Action.ts"
import type { Words } from "../../oracle/Question.ts"
import { count, currency, money } from "./amounts.ts"
import { actionTypes, destinations, targetResources, targetSystems } from "./vocabulary.ts"
import type { KnownWord } from "./vocabulary.ts"

export interface Understood {
  readonly action: Action
  readonly words: Words
}

const stated = (fields: { readonly [K in keyof Action]: Action[K] | undefined }): Action =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as unknown as Action

/** `silence`: of so many fields one is left out; none are when it is Infinity. */
const fields = (silence: number) => {
  const maybe = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> =>
    silence === Infinity ? arbitrary : fc.option(arbitrary, { nil: undefined, freq: silence - 1 })
  const orUnknown = silence === Infinity ? [] : (["unknown"] as const)
  return fc.record({
    type: fc.constantFrom(...actionTypes),
    environment: fc.constantFrom(...environments),
    agentId: maybe(fc.constantFrom("agent-7", "billing-bot")),
    system: fc.option(fc.constantFrom(...targetSystems), { nil: undefined }),
    resource: fc.option(fc.constantFrom(...targetResources), { nil: undefined }),
    destination: maybe(fc.constantFrom(...destinations)),
    entitiesAffected: maybe(count()),
    recordsAffected: maybe(count()),
    financialValue: maybe(money()),
    currency: maybe(currency()),
    dataClassification: maybe(fc.constantFrom(...dataClassifications, ...orUnknown)),
    reversibility: maybe(fc.constantFrom(...reversibilities, ...orUnknown)),
    privilegeChange: maybe(fc.boolean()),
    productionImpact: maybe(fc.boolean())
  })
}
type Drawn = ReturnType<typeof fields> extends fc.Arbitrary<infer A> ? A : never

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
      production: any("production", places),
      everything: any("everything", targets)
    }
  }
}

/** From actions that state next to nothing to actions that state everything. */
export const understoodAction = (): fc.Arbitrary<Understood> =>
  fc
    .oneof(
      { weight: 1, arbitrary: fields(2) },
      { weight: 3, arbitrary: fields(6) },
      { weight: 2, arbitrary: fields(Infinity) }
    )
    .map(understand)
