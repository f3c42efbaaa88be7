/** Customer policy: rules of one organization that can raise an opinion and never lower it. */

export const policyEffects = [
  "raise_floor",
  "add_factor",
  "require_control",
  "add_recommendation",
  "annotate"
] as const
export type PolicyEffect = (typeof policyEffects)[number]

/** One matched rule, as `policy_context` reports it. */
export interface PolicyMatch {
  readonly policy: string
  readonly rule: string
  readonly effect: PolicyEffect
  /** What an `annotate` rule says. */
  readonly note?: string
}
