/** What was served beside what shadow releases said of it: one comparison for each release that has been a shadow. */

import { Effect } from "effect"
import { evidencePageRows } from "../../Limits.ts"
import type { Backtest } from "../../rules/backtest/Backtest.ts"
import { countRecord, emptyTally, entry, type Tally } from "../../rules/backtest/Tally.ts"
import { toBacktest } from "../../rules/backtest/toBacktest.ts"
import type { Owner } from "../../storage/AssessmentRecord.ts"
import { idAtCursor, leastId } from "../../storage/assessmentId.ts"
import { ShadowOpinions } from "../../storage/ShadowOpinions.ts"
import type { Shadowed } from "../../storage/shadowOpinions/read.ts"
import { servedGist } from "./servedGist.ts"

export interface ShadowComparison {
  readonly version: string
  /** SHA-256, hex. */
  readonly digest: string
  /** From what was served to what the shadow said. */
  readonly movement: Backtest
}

export interface ShadowComparisons {
  readonly releases: ReadonlyArray<ShadowComparison>
  /** Assessments since the first with a shadow that have none: the shadow was off, or has missed them. */
  readonly withoutShadow: number
}

export interface ShadowQuestion {
  readonly owners: ReadonlyArray<Owner>
  /** RFC 3339 date-time; null is all. */
  readonly since: string | null
  readonly onProgress: (assessments: number) => void
}

interface Compared {
  readonly version: string
  readonly digest: string
  readonly tally: Tally
}

const parseInput = (input: Uint8Array) => JSON.parse(Buffer.from(input).toString("utf8"))

export const compareShadows = Effect.fn("Shadow.compare")(function* ({
  onProgress,
  owners,
  since
}: ShadowQuestion) {
  const { page } = yield* ShadowOpinions
  const from = (since === null ? undefined : idAtCursor(since)) ?? leastId
  const releases = new Map<string, Compared>()
  let seen = 0
  let withoutShadow = 0

  const compare = ({ assessmentId, input, response, shadow }: Shadowed): void => {
    onProgress(++seen)
    if (shadow === null) {
      withoutShadow++
      return
    }
    const { gist, rulesDigest: digest, rulesVersion: version } = shadow
    const { tally } = entry(releases, digest, () => ({ version, digest, tally: emptyTally() }))
    countRecord(tally, {
      line: seen,
      assessmentId,
      request: parseInput(input),
      from: servedGist(response, gist.class),
      to: gist
    })
  }

  for (const owner of owners) {
    let after: string | null = null
    do {
      const rows: ReadonlyArray<Shadowed> = yield* page(owner, from, after, evidencePageRows)
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
