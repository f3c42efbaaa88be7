/** Requests that state everything but one or two things, so that what these are taken for decides. */

import type { Model } from "../../../scoring/Model.ts"
import type { Situation } from "../../cases.ts"
import { spellingsOf } from "../../witness/realize/spellings.ts"

type Request = Situation["request"]

const small: Partial<Request> = {
  agentId: "agent-7",
  entitiesAffected: 1,
  recordsAffected: 1,
  financialValue: 0,
  dataClassification: "public",
  reversibility: "fully_reversible",
  privilegeChange: false,
  productionImpact: false,
  destination: "partner.example"
}

const left = (silent: ReadonlyArray<string>): Partial<Request> =>
  Object.fromEntries(Object.entries(small).filter(([field]) => !silent.includes(field)))

const fields = Object.keys(small)

/** Leaving out one, then two. */
const statements: ReadonlyArray<Partial<Request>> = [
  ...fields.map((field) => left([field])),
  ...fields.flatMap((one, i) => fields.slice(i + 1).map((other) => left([one, other])))
]

/** One name for each class and extent. */
export const silences = ({ lexicon }: Model): ReadonlyArray<Situation> => {
  const plain = spellingsOf(lexicon, { not: [] }).filter(
    ({ names, words: { normalized } }) =>
      names.targetResource === undefined &&
      names.targetSystem === undefined &&
      !normalized.admin &&
      !normalized.credential &&
      !normalized.dataStore
  )
  return statements.flatMap((statement) =>
    plain.flatMap(({ names }) =>
      (["staging", "production"] as const).map((environment) => ({
        request: { ...statement, ...names, environment }
      }))
    )
  )
}
