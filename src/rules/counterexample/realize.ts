/** Constructs a request, with the history that it needs, whose facts lie in a box; scores it to check. */

import { type Action, environments } from "../../domain/Action.ts"
import type { Behavior, BehaviorSnapshot } from "../../domain/Behavior.ts"
import { realizeTriesMax } from "../../limits.ts"
import type { Edition } from "../../scoring/Edition.ts"
import type { FactName, Facts } from "../../scoring/Facts.ts"
import { allFieldsAt } from "../../scoring/edition1/FieldBounds.ts"
import type { Model } from "../../scoring/edition1/Model.ts"
import { toStatedAction } from "../../scoring/edition1/StatedAction.ts"
import { firstModelOf } from "../../scoring/edition1/edition.ts"
import { gatherFacts } from "../../scoring/edition1/gatherFacts.ts"
import type { ActionWords } from "../../scoring/edition1/lexicon/normalize.ts"
import { complete, completionsOf } from "../../scoring/edition1/missingFields.ts"
import { type Box, contains, includes, valuesIn } from "../analysis/Box.ts"
import { type Situation, snapshotOf } from "../cases/Situation.ts"
import { buildHistory, plansIn, witnessDestination } from "./buildHistory.ts"
import { type Spelling, spellingsOf } from "./spellings.ts"
import { type Aspect, aspects, type SituationRequest } from "./statements.ts"

/** Null if no request is found within the limit of tries: no request has such facts, or only a fault causes them. */
export const realize = (box: Box, edition: Edition): Situation | null => {
  if (!canBeReferenceFacts(box)) return null
  let tries = 0
  for (const situation of candidateSituations(box, firstModelOf({ edition }))) {
    if (situation !== null && contains(box, situationFacts(situation, edition))) return situation
    if (++tries >= realizeTriesMax) return null
  }
  return null
}

/** Facts that the names and the environment decide. */
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

/** A named action in a stated environment, without any other field. */
interface NamedAction {
  readonly request: SituationRequest
  readonly words: ActionWords
}

const fits = (box: Box, facts: Facts, names: ReadonlyArray<FactName>): boolean =>
  names.every((fact) => includes(valuesIn(box, fact), facts[fact]))

/** The named action in every environment for which the facts of its words fit the box. */
const inEnvironments = (box: Box, { names, namesProduction, words }: Spelling, model: Model) =>
  environments.flatMap((environment): ReadonlyArray<NamedAction> => {
    const effective = namesProduction ? "production" : environment
    const named = { request: { ...names, environment }, words: { ...words, environment: effective } } as const
    const facts = referenceFacts(named.request, emptySnapshot, model, named.words)
    return fits(box, facts, wordFacts) ? [named] : []
  })

/** The first few statements of one aspect with which its facts fit the box. Further ones would give the same facts. */
const fittingStatements = (box: Box, { request, words }: NamedAction, aspect: Aspect, model: Model) => {
  const found: Array<Partial<SituationRequest>> = []
  for (const statement of aspect.statements(box, model.numbers.classes[words.normalized.class], model)) {
    const facts = referenceFacts({ ...request, ...statement }, emptySnapshot, model, words)
    if (fits(box, facts, aspect.facts) && found.push(statement) >= statementsMax) break
  }
  return found
}

/** Every combination of statements with which the request, apart from its history, fits the box. */
function* statedRequests(box: Box, named: NamedAction, model: Model): Generator<SituationRequest> {
  const choices = aspects.map((aspect) => fittingStatements(box, named, aspect, model))
  if (choices.some((statements) => statements.length === 0)) return
  const [counts = [], amounts = [], ...rest] = choices
  const plain: SituationRequest = Object.assign({}, named.request, ...rest.map(([first]) => first))
  for (const count of counts) for (const amount of amounts) yield { ...plain, ...count, ...amount }
}

/** Yields null for each try that gave no situation, so that the caller can count tries and stop. */
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
          const withDestination =
            plan.destination === "none" ? request : { ...request, destination: witnessDestination }
          const history = buildHistory(box, { request: withDestination, facts }, plan, model)
          if (history === null) yield null
          else
            yield history === undefined ? { request: withDestination } : { request: withDestination, history }
        }
      }
    }
  }
}

/** Facts that only the last match of a score knows. In the reference facts they always have these values. */
const factsOfFinalMatch = {
  confidence_percent_missing: 0,
  gate_applied: false,
  assessment_degraded: false,
  policy_evaluation_incomplete: false
} as const satisfies Partial<Facts>

const canBeReferenceFacts = (box: Box): boolean =>
  Object.entries(factsOfFinalMatch).every(([fact, value]) => includes(valuesIn(box, fact as FactName), value))

const allAtReference = allFieldsAt("reference")

/**
 * The facts of the first evaluation, with every missing field at its reference.
 * `words`: of the action under the model's lexicon, for callers that have read them already.
 */
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

const situationFacts = (situation: Situation, edition: Edition): Facts =>
  referenceFacts(situation.request, snapshotOf(situation, edition), firstModelOf({ edition }))

/** The snapshot of an organization without history, for an action without a destination. */
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
