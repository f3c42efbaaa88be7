/** Constructs a request, and a history if needed, whose facts lie in a box, and scores it to check. */

import { type Action, environments } from "../../domain/Action.ts"
import type { Behavior, BehaviorSnapshot, Sum } from "../../domain/Behavior.ts"
import { realizeTriesMax } from "../../limits.ts"
import type { FactName, Facts } from "../../scoring/Facts.ts"
import { classNumbersOf, toStatedCall } from "../../scoring/StatedCall.ts"
import { complete, resolve } from "../../scoring/completeCall.ts"
import { gatherFacts, standingFacts } from "../../scoring/gatherFacts.ts"
import { readCall, type Reading } from "../../scoring/reading/readCall.ts"
import { type Box, contains, includes, intervalIn, valuesIn } from "../analysis/Box.ts"
import { type Situation, snapshotOf } from "../cases/Situation.ts"
import { buildHistory, plansIn, witnessDestination } from "./buildHistory.ts"
import { type Spelling, spellingsOf } from "./spellings.ts"
import { type Aspect, aspects, type SituationRequest } from "./statements.ts"
import type { RiskModel } from "../../scoring/Model.ts"

/** Null if no request is found within the limit of tries: no request has such facts, or only a fault causes them. */
export const realize = (box: Box, model: RiskModel): Situation | null => {
  if (!canBeReferenceFacts(box)) return null
  let tries = 0
  for (const situation of candidateSituations(box, model)) {
    if (situation !== null && contains(box, situationFacts(situation, model))) return situation
    if (++tries >= realizeTriesMax) return null
  }
  return null
}

/** Facts that depend on names. */
const namedFacts: ReadonlyArray<FactName> = [
  ...(["action_class", "action_category", "normalized_action_type", "object_kind"] as const),
  ...(["impact_rank", "extent_rank", "acts_anywhere", "name_unknown", "name_hinted"] as const),
  ...(["command_unread", "command_contradicts", "catalogue_entry_expired", "data_store"] as const),
  ...(["admin_named", "credential_operation", "also_exports", "safeguard_weakened_rank"] as const)
]

const placeFacts = [
  "environment",
  "environment_rank",
  "environment_claim_inconsistent",
  "remote_target_unconfirmed"
] as const
const wordFacts: ReadonlyArray<FactName> = [...namedFacts, ...placeFacts]

const statementsMax = 4

/** An action name and a stated environment, without other fields. */
interface NamedAction {
  readonly request: SituationRequest
  readonly reading: Reading
}

const fits = (box: Box, facts: Facts, names: ReadonlyArray<FactName>): boolean =>
  names.every((fact) => includes(valuesIn(box, fact), facts[fact]))

/** The named action in every environment in which the facts of its words fit the box. */
const inEnvironments = (box: Box, { names, namesProduction, reading }: Spelling, model: RiskModel) =>
  environments.flatMap((environment): ReadonlyArray<NamedAction> => {
    const effective = namesProduction ? "production" : environment
    const named = {
      request: { ...names, environment },
      reading: { ...reading, environment: effective }
    } as const
    const facts = referenceFacts(named.request, emptySnapshot, model, named.reading)
    return fits(box, facts, wordFacts) ? [named] : []
  })

/** The first few statements about one aspect for which its facts fit the box. Further ones would give the same facts. */
const fittingStatements = (box: Box, { reading, request }: NamedAction, aspect: Aspect, model: RiskModel) => {
  const found: Array<Partial<SituationRequest>> = []
  for (const statement of aspect.statements(box, model.numbers.classes[reading.class], model)) {
    const facts = referenceFacts({ ...request, ...statement }, emptySnapshot, model, reading)
    if (fits(box, facts, aspect.facts) && found.push(statement) >= statementsMax) break
  }
  return found
}

/** Every combination of statements for which the request, ignoring history, fits the box. */
function* statedRequests(box: Box, named: NamedAction, model: RiskModel): Generator<SituationRequest> {
  const choices = aspects.map((aspect) => fittingStatements(box, named, aspect, model))
  if (choices.some((statements) => statements.length === 0)) return
  const [counts = [], amounts = [], ...rest] = choices
  const plain: SituationRequest = Object.assign({}, named.request, ...rest.map(([first]) => first))
  for (const count of counts) for (const amount of amounts) yield { ...plain, ...count, ...amount }
}

/** Whether the box requires a sum, which excludes harmless acts. */
const mustBeSummed = (box: Box): boolean =>
  intervalIn(box, "cumulative_entities_step").min + intervalIn(box, "cumulative_value_step").min > 0

/** Yields null for each failed try, so that the caller can count tries and stop. */
function* candidateSituations(box: Box, model: RiskModel): Generator<Situation | null> {
  for (const spelling of spellingsOf(model.lexicon, valuesIn(box, "normalized_action_type"))) {
    if (!includes(valuesIn(box, "action_class"), spelling.reading.class)) continue
    if (mustBeSummed(box) && model.numbers.classes[spelling.reading.class].harmless) continue
    for (const named of inEnvironments(box, spelling, model)) {
      const plans = plansIn(box, classNumbersOf(named.reading, model.numbers).egress)
      yield null
      if (plans.length === 0) continue
      for (const request of statedRequests(box, named, model)) {
        const facts = referenceFacts(request, emptySnapshot, model, named.reading)
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

/** Facts that only the final match of a score knows. In the reference facts they always have these values. */
const factsOfFinalMatch = {
  confidence_percent_missing: 0,
  assessment_degraded: false,
  policy_evaluation_incomplete: false
} as const satisfies Partial<Facts>

const canBeReferenceFacts = (box: Box): boolean =>
  Object.entries(factsOfFinalMatch).every(([fact, value]) => includes(valuesIn(box, fact as FactName), value))

/**
 * The facts of the first evaluation, with every missing field at its reference. `reading`: the reading of the action by the model's
 * lexicon, for callers that have it already.
 */
export const referenceFacts = (
  action: Action,
  behavior: Behavior,
  model: RiskModel,
  reading: Reading = readCall(action, model.lexicon)
): Facts => {
  const { currencies, numbers } = model
  const stated = toStatedCall(action, reading, numbers, currencies)
  const resolved = resolve(stated, complete(stated, numbers, currencies))
  return gatherFacts(standingFacts(stated, behavior, numbers), stated, resolved, behavior, numbers)
}

const situationFacts = (situation: Situation, model: RiskModel): Facts =>
  referenceFacts(situation.request, snapshotOf(situation, model), model)

const noSum: Sum = { entities: 0, usdCents: 0 }

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
  last24Hours: noSum,
  otherSums: { destination: null, organization: noSum },
  usualDay: { days: 0, ...noSum },
  today: { units: 0, actionTypeSeen: false, destinationSeen: false }
}
