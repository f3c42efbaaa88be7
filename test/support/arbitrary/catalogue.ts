/** Random entries of an organization's catalogue about one action, from useful to absurd. */

import fc from "fast-check"
import {
  type Action,
  actionClasses,
  dataClassifications,
  reversibilities
} from "../../../src/domain/Action.ts"
import type { EntrySubject, OrganizationEntry } from "../../../src/scoring/knowledge/OrganizationCatalogue.ts"
import { extents, impacts } from "../../../src/scoring/reading/Act.ts"

/** Matches of an entry that cover the action. */
const subjects = ({ actionType, agentId, targetSystem }: Action): ReadonlyArray<EntrySubject> => {
  const [first = "", ...rest] = actionType.split(/[._:-]/)
  return [
    { action: actionType },
    { action: actionType.toUpperCase().replaceAll("_", "-") },
    ...(rest.length === 0 || first === "" ? [] : [{ prefix: first }]),
    ...(targetSystem === undefined ? [] : [{ targetSystem }]),
    { agentId: agentId ?? "support-bot" }
  ]
}

const maybe = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
const stepsOf = <A>(...values: ReadonlyArray<A>) => maybe(fc.constantFrom(...values))

const said = fc
  .record({
    class: stepsOf(...actionClasses.filter((name) => name !== "unknown")),
    impact: stepsOf(...impacts),
    extent: stepsOf(...extents),
    holds: stepsOf(...dataClassifications),
    environment: stepsOf("production" as const),
    entitiesAffected: stepsOf(1, 10, 5_000),
    recordsAffected: stepsOf(1, 100, 5_000_000),
    amount: stepsOf([0, "EUR"], [40, "EUR"], [900_000, "JPY"], [1_000_000, "USD"]),
    currency: stepsOf("EUR", "JPY", "USD"),
    destination: stepsOf("archive.example", "prod-archive.example"),
    dataClassification: stepsOf(...dataClassifications),
    reversibility: stepsOf(...reversibilities),
    privilegeChange: stepsOf(true, false),
    productionImpact: stepsOf(true, false)
  })
  .map(({ amount, ...fields }) => ({
    ...fields,
    ...(amount === undefined ? {} : { financialValue: amount[0], currency: amount[1] })
  }))

const entry = (action: Action): fc.Arbitrary<OrganizationEntry> =>
  fc.tuple(fc.constantFrom(...subjects(action)), said).map(([match, fields]) => {
    const stated = Object.entries(fields).filter(([, value]) => value !== undefined)
    return { id: "", match, reviewBy: "9999-12-31", ...Object.fromEntries(stated) } as OrganizationEntry
  })

export const entriesAbout = (action: Action): fc.Arbitrary<ReadonlyArray<OrganizationEntry>> =>
  fc
    .array(entry(action), { minLength: 1, maxLength: 4 })
    .map((entries) => entries.map((one, at) => ({ ...one, id: `entry-${at}` })))
