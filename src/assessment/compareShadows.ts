/** Compares served opinions with the opinions of shadow releases: one comparison per shadow release. */

import { Effect } from "effect"
import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import { evidencePageRows } from "../limits.ts"
import type { Backtest } from "../rules/backtest/Backtest.ts"
import { countRecord, emptyTally, getOrCreate, type Tally, toBacktest } from "../rules/backtest/Tally.ts"
import type { ScoreSummary } from "../scoring/Edition.ts"
import { type ShadowedAssessment, ShadowOpinions } from "../storage/ShadowOpinions.ts"
import type { Owner } from "../storage/assessments/AssessmentRecord.ts"
import { idAtInstant, leastId } from "../storage/timeOrderedId.ts"

interface ShadowComparison {
  readonly version: string
  /** SHA-256, hex. */
  readonly digest: string
  /** The difference from the served opinions to the shadow opinions. */
  readonly movement: Backtest
}

export interface ShadowComparisons {
  readonly releases: ReadonlyArray<ShadowComparison>
  /** Assessments after the first one with a shadow opinion that have none themselves: the shadow was off or missed them. */
  readonly withoutShadow: number
}

interface ShadowQuery {
  readonly owners: ReadonlyArray<Owner>
  /** RFC 3339 date-time; null means from the beginning. */
  readonly since: string | null
  readonly onProgress: (assessments: number) => void
}

interface ReleaseTally {
  readonly version: string
  readonly digest: string
  readonly tally: Tally
}

const parseInput = (input: Uint8Array) => JSON.parse(Buffer.from(input).toString("utf8"))

export const compareShadows = Effect.fn("Shadow.compare")(function* ({
  onProgress,
  owners,
  since
}: ShadowQuery) {
  const { page } = yield* ShadowOpinions
  const from = (since === null ? undefined : idAtInstant(since)) ?? leastId
  const releases = new Map<string, ReleaseTally>()
  let seen = 0
  let withoutShadow = 0

  const compare = ({ assessmentId, input, response, shadow }: ShadowedAssessment): void => {
    onProgress(++seen)
    if (shadow === null) {
      withoutShadow++
      return
    }
    const { rulesDigest: digest, rulesVersion: version, summary } = shadow
    const { tally } = getOrCreate(releases, digest, () => ({ version, digest, tally: emptyTally() }))
    countRecord(tally, {
      line: seen,
      assessmentId,
      request: parseInput(input),
      from: servedSummary(response, summary.class),
      to: summary
    })
  }

  for (const owner of owners) {
    let after: string | null = null
    do {
      const rows: ReadonlyArray<ShadowedAssessment> = yield* page(owner, from, after, evidencePageRows)
      for (const row of rows) compare(row)
      after = rows.length < evidencePageRows ? null : (rows.at(-1)?.assessmentId ?? null)
    } while (after !== null)
  }
  const comparisons: ShadowComparisons = {
    releases: [...releases.values()].map(({ digest, tally, version }) => ({
      version,
      digest,
      movement: toBacktest("served", `${version}+${digest.slice(0, 8)}`, tally)
    })),
    withoutShadow
  }
  return comparisons
})

/**
 * The summary of a stored answer, in the form of a shadow opinion. An answer does not contain the action class, so the
 * caller passes the class of the shadow opinion.
 */
const servedSummary = (response: Uint8Array, actionClass: ScoreSummary["class"]): ScoreSummary => {
  // Invariant: this service encoded these bytes, and stored rows never change.
  const answer = JSON.parse(Buffer.from(response).toString("utf8")) as AssessmentResponse
  return {
    complete: answer.assessment_status === "complete",
    score: answer.action_risk.score,
    level: answer.action_risk.level,
    category: answer.action_category,
    class: actionClass,
    factors: answer.risk_factors,
    control: answer.recommended_control.type
  }
}
