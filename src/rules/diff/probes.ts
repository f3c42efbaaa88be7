/** Situations all over the model: every class, stated as nothing, as small, as middling and as grave. */

import type { Lexicon } from "../../scoring/Lexicon.ts"
import type { Situation } from "../cases.ts"
import { spellingsOf } from "../witness/realize/spellings.ts"

type Request = Situation["request"]
type Statement = Partial<Request>

const named = { agentId: "agent-7", currency: "USD" }
const harmless = { privilegeChange: false, productionImpact: false }

const small: Statement = {
  ...named,
  ...harmless,
  entitiesAffected: 1,
  recordsAffected: 1,
  financialValue: 0,
  dataClassification: "public"
}

const middling: Statement = {
  ...named,
  ...harmless,
  entitiesAffected: 300,
  recordsAffected: 3_000,
  financialValue: 30_000,
  dataClassification: "confidential",
  reversibility: "partially_reversible"
}

const grave: Statement = {
  ...named,
  entitiesAffected: 20_000,
  recordsAffected: 200_000,
  financialValue: 300_000,
  dataClassification: "restricted",
  reversibility: "irreversible",
  privilegeChange: true,
  productionImpact: true
}

const statements: ReadonlyArray<Statement> = [{}, small, middling, grave]

/** The names in every environment that scores otherwise, with every statement. */
export const probesOf = (
  names: ReadonlyArray<Statement & Pick<Request, "actionType">>
): ReadonlyArray<Situation> =>
  names.flatMap((name) =>
    (["staging", "production", "development"] as const).flatMap((environment) =>
      statements.map((statement) => ({ request: { ...statement, ...name, environment } }))
    )
  )

const over = new WeakMap<Lexicon, ReadonlyArray<Situation>>()

/** By what is aimed at nothing in particular, each class and extent once; the same situations every time. */
export const probesOver = (lexicon: Lexicon): ReadonlyArray<Situation> => {
  const plain = spellingsOf(lexicon, { not: [] }).filter(
    ({ names }) => names.targetResource === undefined && names.targetSystem === undefined
  )
  const probes = over.get(lexicon) ?? probesOf(plain.map(({ names }) => names))
  over.set(lexicon, probes)
  return probes
}
