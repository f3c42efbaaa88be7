/** Constructs a request, with the history that it needs, whose facts lie in a box; scores it to check. */

import { type Action, environments } from "../../domain/Action.ts"
import type { Behavior, BehaviorSnapshot } from "../../domain/Behavior.ts"
import { realizeTriesMax } from "../../limits.ts"
import type { FactName, Facts } from "../../scoring/Facts.ts"
import { allFieldsAt } from "../../scoring/FieldBounds.ts"
import type { Model } from "../../scoring/Model.ts"
import { toStatedAction } from "../../scoring/StatedAction.ts"
import { gatherFacts } from "../../scoring/gatherFacts.ts"
import type { ActionWords } from "../../scoring/lexicon/normalize.ts"
import { complete, completionsOf } from "../../scoring/missingFields.ts"
import { type Box, contains, includes, valuesIn } from "../analysis/Box.ts"
import { type Situation, snapshotOf } from "../cases/Situation.ts"
import { buildHistory, plansIn, witnessDestination } from "./buildHistory.ts"
import { type Spelling, spellingsOf } from "./spellings.ts"
import { type Aspect, aspects, type SituationRequest } from "./statements.ts"

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
interface NamedAction {
  readonly request: SituationRequest
  readonly words: ActionWords
}

const fits = (box: Box, facts: Facts, names: ReadonlyArray<FactName>): boolean =>
  names.every((fact) => includes(valuesIn(box, fact), facts[fact]))

/** In every environment that it can be stated in, where the words alone fit the box. */
const inEnvironments = (box: Box, { names, namesProduction, words }: Spelling, model: Model) =>
  environments.flatMap((environment): ReadonlyArray<NamedAction> => {
    const counts = namesProduction ? "production" : environment
    const named = { request: { ...names, environment }, words: { ...words, environment: counts } } as const
    const facts = referenceFacts(named.request, emptySnapshot, model, named.words)
    return fits(box, facts, wordFacts) ? [named] : []
  })

/** The first statements of one aspect that bring its facts into the box: more would only say the same otherwise. */
const fittingStatements = (box: Box, { request, words }: NamedAction, aspect: Aspect, model: Model) => {
  const found: Array<Partial<SituationRequest>> = []
  for (const statement of aspect.statements(box, model.numbers.classes[words.normalized.class], model)) {
    const facts = referenceFacts({ ...request, ...statement }, emptySnapshot, model, words)
    if (fits(box, facts, aspect.facts) && found.push(statement) >= statementsMax) break
  }
  return found
}

/** Every way of stating the action that fits the box, as far as it is a matter of the request alone. */
function* statedRequests(box: Box, named: NamedAction, model: Model): Generator<SituationRequest> {
  const choices = aspects.map((aspect) => fittingStatements(box, named, aspect, model))
  if (choices.some((statements) => statements.length === 0)) return
  const [scopes = [], worths = [], ...rest] = choices
  const plain: SituationRequest = Object.assign({}, named.request, ...rest.map(([first]) => first))
  for (const scope of scopes) for (const worth of worths) yield { ...plain, ...scope, ...worth }
}

/** Null for each try that came to nothing, so that whoever asks can bound the search. */
function* candidateSituations(box: Box, model: Model): Generator<Situation | null> {
  for (const spelling of spellingsOf(model.lexicon, valuesIn(box, "normalized_action_type"))) {
    if (!includes(valuesIn(box, "action_class"), spelling.words.normalized.class)) continue
    for (const named of inEnvironments(box, spelling, model)) {
      const plans = plansIn(box, model.numbers.classes[named.words.normalized.class].egress)
      yield null
      if (plans.length === 0) continue
      for (const request of statedRequests(box, named, model)) {
        const facts = referenceFacts(request, emptySnapshot, model, named.words)
        for (const plan of plans) {
          const whole =
            plan.destination === "none" ? request : { ...request, destination: witnessDestination }
          const history = buildHistory(box, { request: whole, facts }, plan, model)
          if (history === null) yield null
          else yield history === undefined ? { request: whole } : { request: whole, history }
        }
      }
    }
  }
}

/** What only the rest of the score, or a fault, can tell: the first question never has it. */
const factsOfFinalMatch = {
  confidence_percent_missing: 0,
  gate_applied: false,
  assessment_degraded: false,
  policy_evaluation_incomplete: false
} as const satisfies Partial<Facts>

const canBeReferenceFacts = (box: Box): boolean =>
  Object.entries(factsOfFinalMatch).every(([fact, value]) => includes(valuesIn(box, fact as FactName), value))

/** Null where it finds none within its tries: facts that no request has, or that only a fault brings about. */
export const realize = (box: Box, model: Model): Situation | null => {
  if (!canBeReferenceFacts(box)) return null
  let tries = 0
  for (const situation of candidateSituations(box, model)) {
    if (situation !== null && contains(box, situationFacts(situation, model))) return situation
    if (++tries >= realizeTriesMax) return null
  }
  return null
}

/** The facts of a situation that the score asks first, with everything missing at its reference: what conditions are judged by. */
const allAtReference = allFieldsAt("reference")

/** `words`: of the action under the model's lexicon, for callers that have read them already. */
export const referenceFacts = (
  action: Action,
  behavior: Behavior,
  model: Model,
  words?: ActionWords
): Facts => {
  const stated = toStatedAction(action, model, words)
  const resolved = complete(stated, completionsOf(stated, model), allAtReference)
  return gatherFacts(stated, resolved, behavior, model.numbers, allAtReference)
}

const situationFacts = (situation: Situation, model: Model): Facts =>
  referenceFacts(situation.request, snapshotOf(situation, model), model)

/** An organization without history, asked about an action without destination. */
const emptySnapshot: BehaviorSnapshot = {
  takenAt: "",
  windowDays: 0,
  sampleSize: 0,
  entityVolume: { units: 0, median: null },
  financialValue: { units: 0, medianUsdCents: null },
  velocity: { lastHour: 1, p95PerHour: null, days: 0, hours: 0 },
  destination: null,
  actionTypeSeen: false,
  agentSeen: false,
  last24Hours: { entities: 0, usdCents: 0 }
}
