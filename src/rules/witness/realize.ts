/** Makes up a request, with the history that it takes, whose facts lie in a box: constructed, and never without a check. */

import { environments } from "../../domain/Action.ts"
import type { FactName, Facts } from "../../scoring/Facts.ts"
import type { Model } from "../../scoring/Model.ts"
import type { Words } from "../../scoring/Words.ts"
import { realizeTriesMax } from "../../Limits.ts"
import { type Box, contains, valuesIn } from "../analysis/Box.ts"
import { includes } from "../analysis/Values.ts"
import type { Situation } from "../cases.ts"
import { factsAsked, factsOf, noHistory } from "./factsOf.ts"
import { destination, historyOf } from "./realize/historyOf.ts"
import { plansIn } from "./realize/plans.ts"
import { type Spelling, spellingsOf } from "./realize/spellings.ts"
import { type Aspect, aspects, type Request } from "./realize/statements.ts"

const wordFacts: ReadonlyArray<FactName> = [
  ...(["action_class", "action_category", "normalized_action_type", "data_store", "admin_named"] as const),
  ...([
    "credential_operation",
    "also_exports",
    "safeguard_weakened_rank",
    "environment",
    "environment_rank",
    "environment_claim_inconsistent"
  ] as const)
]

const statementsMax = 4

/** A named action in a stated environment, before anything is said of it. */
interface Named {
  readonly request: Request
  readonly words: Words
}

const fits = (box: Box, facts: Facts, names: ReadonlyArray<FactName>): boolean =>
  names.every((fact) => includes(valuesIn(box, fact), facts[fact]))

/** In every environment that it can be stated in, where the words alone fit the box. */
const inEnvironments = (box: Box, { names, namesProduction, words }: Spelling, model: Model) =>
  environments.flatMap((environment): ReadonlyArray<Named> => {
    const counts = namesProduction ? "production" : environment
    const named = { request: { ...names, environment }, words: { ...words, environment: counts } } as const
    const facts = factsAsked(named.request, noHistory, model, named.words)
    return fits(box, facts, wordFacts) ? [named] : []
  })

/** The first statements of one aspect that bring its facts into the box: more would only say the same otherwise. */
const fitting = (box: Box, { request, words }: Named, aspect: Aspect, model: Model) => {
  const found: Array<Partial<Request>> = []
  for (const statement of aspect.statements(box, model.numbers.classes[words.normalized.class], model)) {
    const facts = factsAsked({ ...request, ...statement }, noHistory, model, words)
    if (fits(box, facts, aspect.facts) && found.push(statement) >= statementsMax) break
  }
  return found
}

/** Every way of stating the action that fits the box, as far as it is a matter of the request alone. */
function* stated(box: Box, named: Named, model: Model): Generator<Request> {
  const choices = aspects.map((aspect) => fitting(box, named, aspect, model))
  if (choices.some((statements) => statements.length === 0)) return
  const [scopes = [], worths = [], ...rest] = choices
  const plain: Request = Object.assign({}, named.request, ...rest.map(([first]) => first))
  for (const scope of scopes) for (const worth of worths) yield { ...plain, ...scope, ...worth }
}

/** Null for each try that came to nothing, so that whoever asks can bound the search. */
function* situations(box: Box, model: Model): Generator<Situation | null> {
  for (const spelling of spellingsOf(model.lexicon, valuesIn(box, "normalized_action_type"))) {
    if (!includes(valuesIn(box, "action_class"), spelling.words.normalized.class)) continue
    for (const named of inEnvironments(box, spelling, model)) {
      const plans = plansIn(box, model.numbers.classes[named.words.normalized.class].egress)
      yield null
      if (plans.length === 0) continue
      for (const request of stated(box, named, model)) {
        const facts = factsAsked(request, noHistory, model, named.words)
        for (const plan of plans) {
          const whole = plan.destination === "none" ? request : { ...request, destination }
          const history = historyOf(box, { request: whole, facts }, plan, model)
          if (history === null) yield null
          else yield history === undefined ? { request: whole } : { request: whole, history }
        }
      }
    }
  }
}

/** What only the rest of the score, or a fault, can tell: the first question never has it. */
const silent = {
  confidence_percent_missing: 0,
  gate_applied: false,
  assessment_degraded: false,
  policy_evaluation_incomplete: false
} as const satisfies Partial<Facts>

const canBeAsked = (box: Box): boolean =>
  Object.entries(silent).every(([fact, value]) => includes(valuesIn(box, fact as FactName), value))

/** Null where it finds none within its tries: facts that no request has, or that only a fault brings about. */
export const realize = (box: Box, model: Model): Situation | null => {
  if (!canBeAsked(box)) return null
  let tries = 0
  for (const situation of situations(box, model)) {
    if (situation !== null && contains(box, factsOf(situation, model))) return situation
    if (++tries >= realizeTriesMax) return null
  }
  return null
}
