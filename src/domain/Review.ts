/** Reviews: a person records a judgment about an assessment, which authorizes nothing (contract 4). */

export const reviewStates = ["open", "closed"] as const
export type ReviewState = (typeof reviewStates)[number]

export const reviewOutcomes = [
  "acknowledged",
  "risk_accepted",
  "risk_rejected",
  "false_positive",
  "escalated"
] as const
export type ReviewOutcome = (typeof reviewOutcomes)[number]

/** Why a review was opened: the level is high or critical, or the opinion is incomplete. */
export const reviewReasons = ["level", "incomplete"] as const
