/** Random calls, already read: every class, impact and kind with every claim. */

import fc from "fast-check"
import {
  type Action,
  actionClasses,
  dataClassifications,
  environments,
  reversibilities
} from "../../../src/domain/Action.ts"
import {
  type Done,
  extentOrder,
  impactOrder,
  kindNames,
  type Question,
  type Words
} from "../../oracle/Question.ts"
import { count, currency, money } from "./amounts.ts"
import { behavior } from "./behavior.ts"
import { policies } from "./policies.ts"

/** True once in this many times. */
const seldom = (often: number): fc.Arbitrary<boolean> => fc.nat(often - 1).map((n) => n === 0)

type Drawn = Omit<Words, "elsewhere" | "environment" | "reversibility"> & {
  readonly reversibility: Words["reversibility"] | undefined
  readonly namesProduction: boolean
}

const present = <A extends object>(fields: { readonly [K in keyof A]: A[K] | undefined }): A =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as A

const done = (): fc.Arbitrary<Done> =>
  fc
    .record({
      class: fc.constantFrom(...actionClasses),
      impact: fc.constantFrom(...impactOrder),
      soft: seldom(6),
      reversibility: fc.option(fc.constantFrom(...reversibilities), { nil: undefined, freq: 3 })
    })
    .map((fields) => present<Done>(fields))

const drawnWords = (): fc.Arbitrary<Drawn> =>
  fc.record({
    type: fc.constant("thing.act"),
    class: fc.constantFrom(...actionClasses),
    impact: fc.constantFrom(...impactOrder),
    others: fc.oneof(
      { arbitrary: fc.constant([]), weight: 2 },
      { arbitrary: fc.array(done(), { maxLength: 3 }), weight: 1 }
    ),
    extent: fc.constantFrom(...extentOrder),
    holds: fc.constantFrom(...dataClassifications),
    kind: fc.constantFrom(...kindNames),
    anywhere: seldom(6),
    remote: seldom(6),
    credential: seldom(8),
    weakens: seldom(8),
    soft: seldom(6),
    admin: seldom(8),
    hinted: fc.boolean(),
    everything: seldom(8),
    unread: fc.boolean(),
    contradicted: seldom(12),
    alsoExports: seldom(12),
    namesProduction: seldom(6),
    reversibility: fc.option(fc.constantFrom(...reversibilities), { nil: undefined, freq: 3 })
  })

/** Classes whose own verb takes data out. */
const leaving: ReadonlyArray<Words["class"]> = ["export", "communicate"]

/** Words about kinds of destinations, for a call that has none. */
const withElsewhere = (
  words: Words,
  environment: Words["environment"],
  others: ReadonlyArray<Drawn>
): Words =>
  others.length === 0 ? words : { ...words, elsewhere: others.map((drawn) => wordsOf(drawn, environment)) }

/** Words of a call that can occur together: hints are in unknown names, and commands in calls that execute. */
const wordsOf = (
  { alsoExports, anywhere, hinted, namesProduction, remote, unread, ...drawn }: Drawn,
  stated: Words["environment"]
): Words => {
  const environment = namesProduction ? "production" : stated
  const isRemote = remote && environment === "development"
  return present<Words>({
    ...drawn,
    anywhere: anywhere || isRemote,
    remote: isRemote,
    alsoExports: alsoExports && !leaving.includes(drawn.class),
    hinted: hinted && drawn.class === "unknown",
    unread: unread && drawn.class === "execute",
    environment
  })
}

const small = {
  count: fc.constantFrom(0, 1, 2, 9, 10, 11, 50, 99, 100),
  money: fc.constantFrom(0, 0.01, 40, 99.99, 100, 900, 1_000),
  currency: fc.constantFrom("USD", "EUR", "jpy")
}
const large = { count: count(), money: money(), currency: currency() }

/** `silence`: one in this many fields is left out; none if Infinity. */
const claims = (from: typeof small | typeof large, silence: number): fc.Arbitrary<Action> => {
  const maybe = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> =>
    silence === Infinity ? arbitrary : fc.option(arbitrary, { nil: undefined, freq: silence - 1 })
  const orUnknown = silence === Infinity ? [] : (["unknown"] as const)
  return fc
    .record({
      actionType: fc.constant("thing.act"),
      environment: fc.constantFrom(...environments),
      agentId: maybe(fc.constantFrom("agent-7", "billing-bot", " \u200b")),
      destination: maybe(fc.constantFrom("somewhere", "elsewhere", "\u00a0")),
      entitiesAffected: maybe(from.count),
      recordsAffected: maybe(from.count),
      financialValue: maybe(from.money),
      currency: maybe(from.currency),
      dataClassification: maybe(fc.constantFrom(...dataClassifications, ...orUnknown)),
      reversibility: maybe(fc.constantFrom(...reversibilities, ...orUnknown)),
      privilegeChange: maybe(fc.boolean()),
      productionImpact: maybe(fc.boolean())
    })
    .map((fields) => present<Action>(fields))
}

/** From calls that state next to nothing to calls that state everything. */
export const claimed = (): fc.Arbitrary<Action> =>
  fc.oneof(
    { weight: 3, arbitrary: claims(large, 2) },
    { weight: 2, arbitrary: claims(large, 5) },
    { weight: 1, arbitrary: claims(large, Infinity) },
    { weight: 3, arbitrary: claims(small, 3) }
  )

export const call = (): fc.Arbitrary<Question> =>
  fc
    .record({
      action: claimed(),
      drawn: drawnWords(),
      elsewhere: fc.oneof(fc.constant([]), fc.array(drawnWords(), { minLength: 1, maxLength: 3 }))
    })
    .map(({ action, drawn, elsewhere }) => {
      const words = wordsOf(drawn, action.environment)
      return { action, words: withElsewhere(words, action.environment, elsewhere) }
    })
    .chain(({ action, words }) =>
      fc.record({
        action: fc.constant(action),
        words: fc.constant(words),
        behavior: behavior(action),
        policies: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: policies() })
      })
    )
