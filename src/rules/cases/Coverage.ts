/** How much of each rule the cases beside it reach, and every place that none of them does. */

/**
 * - `rule`: no case makes it hold.
 * - `atom`: one question of a condition always has the same answer.
 * - `boundary`: no case stands directly on one side of a threshold.
 */
export type GapKind = "rule" | "atom" | "boundary"

export interface Gap {
  readonly kind: GapKind
  /** A factor's code, a typology's name or a policy rule's id. */
  readonly code: string
  /** The rule's own name: `HIGH_ENTITY_COUNT.high`. */
  readonly rule: string
  readonly file: string
  /** Where in the file the rule, the atom or its value stands. */
  readonly path: ReadonlyArray<PropertyKey>
  /** `no case has entities_affected 999, directly below its threshold` */
  readonly message: string
}

/** Things to reach: each rule, each atom both ways, each threshold from both sides. */
export interface CodeCoverage {
  readonly code: string
  readonly file: string
  readonly reachable: number
  readonly reached: number
  /** 0-100, rounded down: 100 only where everything is reached. */
  readonly percent: number
}

export interface Coverage {
  readonly codes: ReadonlyArray<CodeCoverage>
  readonly gaps: ReadonlyArray<Gap>
  readonly reachable: number
  readonly reached: number
  readonly percent: number
}
