/** Proves that no request scores lower under a second rulebook, or finds one that does. */

import type { Situation } from "../cases.ts"
import { probesOf } from "../diff/probes.ts"
import type { Rulebook } from "../Rulebook.ts"
import { findWitness } from "../witness/findWitness.ts"
import { openEyes } from "../witness/look.ts"
import type { Witness } from "../witness/Witness.ts"
import { boxesAround } from "./boxesAround.ts"
import { fails, inWords, leftOpen, leftOpenInWords, proven } from "./covers.ts"
import { leaning } from "./leaning.ts"
import type { Proof } from "./Proof.ts"
import { samplingSeed } from "./sampleWords.ts"
import { isProven, survey } from "./survey.ts"
import { renamed, requestsIn, surveyWords } from "./surveyWords.ts"
import type { Lower } from "./walk.ts"

/** Scores both rulebooks whole; a fall of the level is told before one within a level. */
const lowerRequest = (
  from: Rulebook,
  to: Rulebook,
  known: ReadonlyArray<Situation>,
  lower: ReadonlyArray<Lower>
): Witness | undefined => {
  const eyes = openEyes()
  const looks = (situation: Situation) => [eyes(from, situation), eyes(to, situation)] as const
  const falls = (situation: Situation): boolean => {
    const [before, after] = looks(situation)
    return after.score < before.score
  }
  const fallsInLevel = (situation: Situation): boolean => {
    const [before, after] = looks(situation)
    return after.score < before.score && after.level !== before.level
  }
  return findWitness({ from, to }, eyes, {
    wanted: [fallsInLevel, falls],
    known,
    boxes: () => boxesAround(lower, from, to)
  })
}

/**
 * Exact over all facts, in which every threshold of every rule is one. Words are strings without end: where two lexicons differ,
 * each pair of readings that the changed words come to is compared exactly for actions that state everything, and requests in
 * those words are scored besides; `sampled` says how many.
 * `lifelike`: situations in which a witness is looked for first.
 */
export const proveNotLower = (
  from: Rulebook,
  to: Rulebook,
  lifelike: ReadonlyArray<Situation> = []
): Proof => {
  const found = survey(from, to)
  const requests = requestsIn(from, to)
  const sampled = requests.length === 0 ? {} : { sampled: { requests: requests.length, seed: samplingSeed } }
  if (!isProven(found)) {
    const known = [...lifelike, ...leaning(from, to, found.doubts), ...requests]
    const witness = lowerRequest(from, to, known, found.lower)
    return witness === undefined
      ? { holds: false, covers: leftOpen(found), ...sampled }
      : { holds: false, covers: fails, witness }
  }
  if (requests.length === 0) return { holds: true, covers: proven(found) }

  const witness = lowerRequest(from, to, requests, [])
  if (witness !== undefined) return { holds: false, covers: fails, witness }
  const words = surveyWords(from, to, requests)
  // What is left out counts by the class and the extent that a name is read as, so each pair is asked about in every way.
  const renamedWitness = lowerRequest(from, to, [...probesOf(words.names), ...renamed(words, from)], [])
  if (renamedWitness !== undefined) return { holds: false, covers: fails, witness: renamedWitness }
  return words.falls.length === 0
    ? { holds: true, covers: proven(found) + inWords(words), ...sampled }
    : { holds: false, covers: leftOpenInWords(words), ...sampled }
}
