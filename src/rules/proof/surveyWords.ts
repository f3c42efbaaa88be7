/** What two rulebooks make of names that they read differently, as far as that can be known exactly. */

import { isDeepStrictEqual } from "node:util"
import { proofFallsMax } from "../../Limits.ts"
import type { Situation } from "../cases.ts"
import type { Rulebook } from "../Rulebook.ts"
import { realize } from "../witness/realize.ts"
import { compareReadings, type Rereading, rereadings } from "./rereadings.ts"
import { changedWords, sampleRequests } from "./sampleWords.ts"
import { sideOf } from "./Side.ts"
import type { Lower } from "./walk.ts"
import { walked } from "./walked.ts"

interface Fall {
  readonly reading: Rereading
  readonly lower: ReadonlyArray<Lower>
}

export interface WordSurvey {
  /** Pairs of different readings of one name among the requests, compared to the end. */
  readonly readings: number
  /** Those that take more steps than they may. */
  readonly undecided: number
  /** Those for which some action, everything about it stated, evaluates lower; the first few. */
  readonly falls: ReadonlyArray<Fall>
  /** One name for each pair. */
  readonly names: ReadonlyArray<Rereading["names"]>
}

const wordsOf = ({ release }: Rulebook): unknown =>
  release.files.lexicon.map(({ name, json }) => [name, json])

/** Requests in the words that changed; none where both read all words alike. */
export const requestsIn = (from: Rulebook, to: Rulebook): ReadonlyArray<Situation> =>
  isDeepStrictEqual(wordsOf(from), wordsOf(to))
    ? []
    : sampleRequests(changedWords(from.release.files, to.release.files))

export const surveyWords = (from: Rulebook, to: Rulebook, requests: ReadonlyArray<Situation>): WordSurvey => {
  const readings = rereadings(requests, from.release.model.lexicon, to.release.model.lexicon)
  const sides = [sideOf(from), sideOf(to)] as const
  const falls: Array<Fall> = []
  let undecided = 0
  for (const reading of readings) {
    const walks = compareReadings(reading, ...sides).map(walked)
    const lower = walks.flatMap((walk) => walk.lower)
    if (lower.length > 0) falls.push({ reading, lower })
    else if (walks.some(({ ended }) => !ended)) undecided++
    if (falls.length >= proofFallsMax) break
  }
  return {
    readings: readings.length - undecided,
    undecided,
    falls,
    names: readings.map(({ names }) => names)
  }
}

/** What was found of other names of the same reading, asked by the name that is read differently. */
export function* renamed({ falls }: WordSurvey, from: Rulebook): Generator<Situation> {
  for (const { lower, reading } of falls) {
    for (const { box } of lower) {
      const made = realize(box, from.release.model)
      if (made !== null) yield { ...made, request: { ...made.request, ...reading.names } }
    }
  }
}
