/** The question to the oracle: a call whose words are already understood, its history, a few policies. */

import type {
  Action,
  ActionClass,
  DataClassification,
  Environment,
  Reversibility
} from "../../src/domain/Action.ts"
import type { Behavior } from "../../src/domain/Behavior.ts"
import type { ControlType, PolicyEffect, Severity } from "../../src/domain/Opinion.ts"
import type { Facts } from "../../src/scoring/Facts.ts"

export const impactOrder = ["low", "moderate", "high", "critical"] as const
export type Impact = (typeof impactOrder)[number]
export const extentOrder = ["single", "list", "bulk", "everything"] as const
export const kindNames = [
  "nothing",
  "ephemeral",
  "test",
  "record",
  "message",
  "code",
  "person",
  "money",
  "claim",
  "operational",
  "audience",
  "physical",
  "right",
  "credential",
  "guard",
  "container",
  "danger"
] as const

/** One act of a call. */
export interface Done {
  readonly class: ActionClass
  readonly impact: Impact
  readonly soft?: boolean
  readonly reversibility?: Reversibility
}

/** A person's description of the words of a call. */
export interface Words {
  /** `<object>.<verb>` */
  readonly type: string
  readonly class: ActionClass
  readonly impact: Impact
  /** The other acts of the call. */
  readonly others: ReadonlyArray<Done>
  readonly extent: (typeof extentOrder)[number]
  readonly holds: DataClassification
  readonly kind: (typeof kindNames)[number]
  readonly anywhere: boolean
  readonly credential: boolean
  readonly weakens: boolean
  /** Changes another machine that may be production. Only in development, where it is as grave as in production, and in staging. */
  readonly remote: boolean
  readonly soft: boolean
  readonly admin: boolean
  readonly hinted: boolean
  readonly everything: boolean
  readonly unread: boolean
  readonly contradicted: boolean
  /** A verb other than that of the class exports. */
  readonly alsoExports: boolean
  /** The environment that counts: production if a target names it. */
  readonly environment: Environment
  readonly reversibility?: Reversibility
  /** The same for the call with each kind of destination. Absent: destinations add nothing. */
  readonly elsewhere?: ReadonlyArray<Words>
}

export type PolicyFacts = Pick<
  Facts,
  | "action_class"
  | "environment_rank"
  | "entities_affected"
  | "financial_value_usd_cents"
  | "data_classification_rank"
  | "privilege_change"
  | "destination_novel"
  | "agent_missing"
>

export interface Policy {
  readonly id: string
  readonly when: (facts: PolicyFacts) => boolean
  /** The rule cannot be evaluated; it counts as matched. */
  readonly broken: boolean
  readonly effect: PolicyEffect
  readonly floor?: number
  readonly severity?: Severity
  readonly control?: ControlType
  readonly recommendations: ReadonlyArray<string>
}

export interface Question {
  readonly action: Action
  readonly words: Words
  readonly behavior: Behavior
  readonly policies: ReadonlyArray<Policy>
}
