/** Why one question of a condition cannot be read, and which part of it is to blame. */

import type { Problem } from "../Problem.ts"

export interface Refusal extends Pick<Problem, "rule" | "message" | "suggestion"> {
  readonly at: "fact" | "operator" | "value"
  /** Which of several values. */
  readonly index?: number
}

/** What the file says, as it says it. */
export const quote = (value: unknown): string => `\`${JSON.stringify(value) ?? String(value)}\``
