/** Describes conditions in plain English: `the action class is export, and entities_affected is at least 1,000`. */

import type { FactName } from "../../scoring/Facts.ts"
import { renderFigure } from "../../scoring/renderMessage.ts"
import {
  type ConditionAtom,
  type Choice,
  choiceHolds,
  type Comparison,
  type ComparisonOperator,
  type Condition,
  factKind,
  isComparison
} from "../language/Rule.ts"

const comparisonWords: Readonly<Record<ComparisonOperator, string>> = {
  greaterThan: "above",
  greaterThanInclusive: "at least",
  lessThan: "below",
  lessThanInclusive: "at most"
}

/** `a`, `a or b`, `a, b or c` */
const either = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`

const describeChoice = (atom: Choice): string => {
  const words = factWords[atom.fact]
  if ("yes" in words) {
    const [yes, no] = [choiceHolds(atom, true), choiceHolds(atom, false)]
    if (yes === no) return yes ? "always" : "never"
    return yes ? words.yes : words.no
  }
  const names = [atom.value].flat().map((value) => renderFigure(atom.fact, value))
  if (atom.operator === "equal" || atom.operator === "in") return `${words.subject} is ${either(names)}`
  return `${words.subject} is ${names.length > 1 ? "none of" : "not"} ${names.join(", ")}`
}

const describeComparison = ({ fact, operator, value }: Comparison): string => {
  const words = factWords[fact]
  if ("yes" in words) return words.yes
  const kind = factKind(fact)
  const greatest = kind.kind === "rank" && value === kind.max && operator === "greaterThanInclusive"
  const figure = `${renderFigure(fact, value)}${words.unit ?? ""}`
  return `${words.subject} is ${greatest ? "" : `${comparisonWords[operator]} `}${figure}`
}

export const describeAtom = (atom: ConditionAtom): string =>
  isComparison(atom) ? describeComparison(atom) : describeChoice(atom)

/** The distance to the threshold: `1 short`, `0.50 USD short`. For ranks, in steps. */
export const shortText = (fact: FactName, shortBy: number): string =>
  fact.endsWith("_rank") || fact.endsWith("_step")
    ? `${shortBy} ${shortBy === 1 ? "step" : "steps"} short`
    : `${renderFigure(fact, shortBy)} short`

/** Puts nested groups in brackets, so that readers need not know whether `and` or `or` binds tighter. */
const describeInner = (condition: Condition): string => {
  const terms = "all" in condition ? condition.all : "any" in condition ? condition.any : []
  return terms.length > 1 ? `(${describeCondition(condition)})` : describeCondition(condition)
}

export const describeCondition = (condition: Condition): string => {
  if ("all" in condition) {
    return condition.all.length === 0 ? "always" : condition.all.map(describeInner).join(", and ")
  }
  if ("any" in condition) {
    return condition.any.length === 0 ? "never" : condition.any.map(describeInner).join(", or ")
  }
  return describeAtom(condition)
}

/** The sentences for a flag that is true and for one that is false. */
interface FlagWords {
  readonly yes: string
  readonly no: string
}

/** The subject of a sentence about any other fact. */
interface FigureWords {
  readonly subject: string
  /** The text after a figure: `3` ` times the usual`. */
  readonly unit?: string
}
type FactWords = FlagWords | FigureWords

const notStated = (field: string): FlagWords => ({
  yes: `${field} is not stated`,
  no: `${field} is stated`
})

export const factWords: Readonly<Record<FactName, FactWords>> = {
  action_class: { subject: "the action class" },
  action_category: { subject: "the action category" },
  normalized_action_type: { subject: "the action type" },
  object_kind: { subject: "the kind of object" },
  impact_rank: { subject: "the impact of the bare act" },
  extent_rank: { subject: "the extent of the act" },
  acts_anywhere: {
    yes: "the act is as grave from anywhere",
    no: "the act is graver in production than elsewhere"
  },
  name_unknown: { yes: "no verb of the action type is known", no: "a verb of the action type is known" },
  name_hinted: {
    yes: "an unknown name hints at writing, at many things or at an outside party",
    no: "no unknown name hints at writing, at many things or at an outside party"
  },
  command_unread: {
    yes: "a command is missing or not understood",
    no: "no command is missing or not understood"
  },
  command_contradicts: {
    yes: "the description or the metadata contains a riskier command than the call",
    no: "neither the description nor the metadata contains a riskier command than the call"
  },
  catalogue_entry_expired: {
    yes: "the catalogue entry is past its review date",
    no: "no catalogue entry that counts is past its review date"
  },

  environment: { subject: "the environment" },
  environment_rank: { subject: "the environment" },
  environment_claim_inconsistent: {
    yes: "a non-production environment is stated although a target names production",
    no: "no target names production without production being stated"
  },
  remote_target_unconfirmed: {
    yes: "the call changes another machine or service that may be production",
    no: "the call changes this machine, or a known place"
  },
  instruction_untrusted: {
    yes: "untrusted content asked for the action",
    no: "nothing says that untrusted content asked for the action"
  },

  entities_affected: { subject: "entities_affected" },
  records_affected: { subject: "records_affected" },
  financial_value_usd_cents: { subject: "financial_value" },
  data_classification_rank: { subject: "data_classification" },
  reversibility_rank: { subject: "reversibility" },
  privilege_change: { yes: "privileges change", no: "no privileges change" },
  production_impact: {
    yes: "live operational dependencies are affected",
    no: "no live operational dependencies are affected"
  },

  data_classification_missing: notStated("data_classification"),
  reversibility_missing: notStated("reversibility"),
  entities_missing: notStated("entities_affected"),
  records_missing: notStated("records_affected"),
  financial_value_missing: notStated("financial_value"),
  currency_missing: {
    yes: "a value is stated without a known currency",
    no: "no value is stated without a known currency"
  },
  destination_missing: notStated("destination"),
  agent_missing: notStated("agent_id"),

  extent_unbounded: { yes: "the scope is unbounded", no: "the scope is bounded" },
  data_store: { yes: "a data store is named", no: "no data store is named" },
  admin_named: { yes: "something administrative is named", no: "nothing administrative is named" },
  credential_operation: {
    yes: "credentials are created, rotated or revealed",
    no: "no credentials are created, rotated or revealed"
  },
  also_exports: {
    yes: "another verb of the action type also exports data",
    no: "no other verb of the action type exports data"
  },
  safeguard_weakened_rank: { subject: "the removed safeguard" },

  privilege_claim_inconsistent: {
    yes: "access changes although privilege_change is stated as false",
    no: "privilege_change is not stated as false for a change of access"
  },
  reversibility_claim_inconsistent: {
    yes: "reversibility is stated as easier than the class allows",
    no: "reversibility is not stated as easier than the class allows"
  },
  counts_inconsistent: { yes: "the two counts contradict each other", no: "the counts agree" },
  production_impact_inconsistent: {
    yes: "production_impact is true in development or sandbox",
    no: "production_impact does not contradict the environment"
  },

  baseline_missing: { yes: "there is no history", no: "there is history" },
  action_type_unfamiliar: {
    yes: "the history lacks the action type",
    no: "the history does not lack the action type"
  },
  agent_unfamiliar: {
    yes: "the history lacks the agent",
    no: "the history does not lack the agent"
  },
  destination_novel: { yes: "the destination is novel", no: "the destination is not novel" },
  destination_unestablished: {
    yes: "the destination is seen but not established",
    no: "the destination is established, or not seen"
  },
  destination_step_up: {
    yes: "the action is many times the largest seen at its destination",
    no: "the action is not many times the largest seen at its destination"
  },
  destination_lookalike: {
    yes: "the destination imitates an established one",
    no: "the destination imitates no established one"
  },
  entity_volume_multiplier_x100: { subject: "entities_affected", unit: " times the usual" },
  financial_value_multiplier_x100: { subject: "financial_value", unit: " times the usual" },
  velocity_multiplier_x100: { subject: "the last hour", unit: " times a usual busy hour" },
  velocity_last_hour: { subject: "the last hour", unit: " assessments" },
  cumulative_entities_step: { subject: "the step that the entities of 24 h reach" },
  cumulative_value_step: { subject: "the step that the value of 24 h reaches" },

  confidence_percent_missing: { subject: "what confidence lacks", unit: " %" },
  assessment_degraded: {
    yes: "a part of the evaluation failed",
    no: "no part of the evaluation failed"
  },
  policy_evaluation_incomplete: {
    yes: "a policy rule could not be evaluated",
    no: "every policy rule could be evaluated"
  }
}
