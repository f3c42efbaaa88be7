/** Random ways to state what an action leaves out, within the ceilings and without contradicting what it says. */

import fc from "fast-check"
import { type Action, dataClassifications, reversibilities } from "../../../src/domain/Action.ts"
import type { Behavior, BehaviorSnapshot } from "../../../src/domain/Behavior.ts"
import type { Question, Words } from "../../oracle/Question.ts"
import { model } from "../edition1.ts"

const { currencies, numbers } = model

/** Most often an end, where scores bend. */
const upTo = (most: number): fc.Arbitrary<number> =>
  fc.oneof(fc.constantFrom(0, Math.min(1, most), most), fc.integer({ min: 0, max: most }))

const upToRank = <A>(ranks: ReadonlyArray<A>, least: A, most: A): fc.Arbitrary<A> =>
  fc.constantFrom(...ranks.slice(ranks.indexOf(least), ranks.indexOf(most) + 1))

const ceilingsOf = (words: Words) => {
  const { ceilings } = numbers.classes[words.class]
  if (words.extent !== "single") return ceilings
  const { entities, records } = numbers.single.ceilings
  return {
    ...ceilings,
    entities: Math.min(ceilings.entities, entities),
    records: Math.min(ceilings.records, records)
  }
}

/** At most `usd` dollars, in the stated currency, or in US dollars, which are then stated too. */
const money = ({ currency, financialValue }: Action, usd: number): fc.Arbitrary<Partial<Action>> => {
  if (financialValue !== undefined) {
    const any = fc.constantFrom("USD", currencies.dearest, currencies.cheapest)
    return currency === undefined ? any.map((code) => ({ currency: code })) : fc.constant({})
  }
  const code = currency?.toUpperCase() ?? "USD"
  const row = currencies.table.get(code) ?? currencies.table.get(currencies.dearest)
  const perUnit = Number(row?.usdNanos ?? 1n) / 1e9
  // In whole units, so that rounding up to the minor unit never lifts it above the ceiling.
  return upTo(Math.floor(usd / perUnit)).map((value) => ({
    currency: currency ?? "USD",
    financialValue: value
  }))
}

/** A count beside a positive one is positive where the class needs both, also beside one that stays left out. */
const counts = ({ action, words }: Question): fc.Arbitrary<Partial<Action>> => {
  const most = ceilingsOf(words)
  const { entitiesAffected, recordsAffected } = action
  const together = numbers.classes[words.class].countsGoTogether
  return fc
    .tuple(upTo(most.entities), upTo(most.records), fc.boolean(), fc.boolean())
    .map(([e, r, leavesEntities, leavesRecords]) => {
      const entities = entitiesAffected ?? (leavesEntities ? undefined : e)
      const records = recordsAffected ?? (leavesRecords ? undefined : r)
      const least = together && !(entities === 0 && records === 0) ? 1 : 0
      const leastEntities = words.class !== "read" && (records ?? 0) > 0 ? 1 : least
      return {
        ...(entities === undefined
          ? {}
          : { entitiesAffected: entitiesAffected ?? Math.max(entities, leastEntities) }),
        ...(records === undefined ? {} : { recordsAffected: recordsAffected ?? Math.max(records, least) })
      }
    })
}

const missing = (value: unknown): boolean => value === undefined || value === "unknown"

const claims = ({ action, words }: Question): fc.Arbitrary<Partial<Action>> => {
  const { alwaysChangesPrivilege, reversibilityFloor } = numbers.classes[words.class]
  const most = ceilingsOf(words)
  const flag = (mayBe: boolean): fc.Arbitrary<boolean> => (mayBe ? fc.boolean() : fc.constant(false))
  return fc
    .record({
      dataClassification: upToRank(dataClassifications, "public", most.dataClassification),
      reversibility: upToRank(reversibilities, reversibilityFloor, most.reversibility),
      privilegeChange: alwaysChangesPrivilege ? fc.constant(true) : flag(most.privilegeChange),
      productionImpact: flag(most.productionImpact)
    })
    .map((drawn) =>
      Object.fromEntries(Object.entries(drawn).filter(([name]) => missing(action[name as keyof Action])))
    )
}

type Destination = NonNullable<BehaviorSnapshot["destination"]>
const often: Destination = {
  days: 30,
  firstSeenHours: 720,
  largestEntities: Number.MAX_SAFE_INTEGER,
  largestUsdCents: Number.MAX_SAFE_INTEGER,
  lookalike: false
}
const forLittle: Destination = { ...often, largestEntities: 0, largestUsdCents: 0 }
const once: Destination = { ...forLittle, days: 1, firstSeenHours: 1 }
const never: Destination = { ...forLittle, days: 0, firstSeenHours: 0 }

const names = ({ action, behavior, words }: Question) =>
  fc
    .record({ destination: fc.constantFrom(never, once, forLittle, often), agentSeen: fc.boolean() })
    .map((drawn) => {
      const statesDestination = action.destination === undefined && numbers.classes[words.class].egress
      const statesAgent = action.agentId === undefined
      const history: Behavior =
        behavior === "unavailable"
          ? behavior
          : {
              ...behavior,
              ...(statesDestination ? { destination: drawn.destination } : {}),
              ...(statesAgent ? { agentSeen: drawn.agentSeen } : {})
            }
      return {
        behavior: history,
        stated: {
          ...(statesDestination ? { destination: "somewhere" } : {}),
          ...(statesAgent ? { agentId: "somebody" } : {})
        } satisfies Partial<Action>
      }
    })

/** The same question with everything stated, or with only some of it. */
export const completionOf = (question: Question): fc.Arbitrary<Question> => {
  const { action, words } = question
  return fc
    .tuple(
      money(action, ceilingsOf(words).usd),
      counts(question),
      claims(question),
      names(question),
      fc.subarray(["money", "counts", "claims", "names"] as const)
    )
    .map(([value, both, rest, named, left]) => {
      const kept = (part: (typeof left)[number]): boolean => !left.includes(part)
      return {
        ...question,
        behavior: kept("names") ? named.behavior : question.behavior,
        action: {
          ...action,
          ...(kept("money") ? value : {}),
          ...(kept("counts") ? both : {}),
          ...(kept("claims") ? rest : {}),
          ...(kept("names") ? named.stated : {})
        }
      }
    })
}
