/** Finds a small request on which two rulebooks differ, and confirms it by scoring the request completely under both. */

import { Schema } from "effect"
import { actionClasses } from "../../domain/Action.ts"
import type { ActionRiskLevel } from "../../domain/Opinion.ts"
import { witnessRealizedMax } from "../../limits.ts"
import type { Matches } from "../../scoring/actionRisk.ts"
import { actionRiskLevelOf } from "../../scoring/opinion.ts"
import { prepareAction, scoreWithRange } from "../../scoring/score.ts"
import type { Rulebook } from "../Rulebook.ts"
import { type Box, narrow } from "../analysis/Box.ts"
import { type Situation, snapshotOf } from "../cases/Situation.ts"
import { SituationFile } from "../files/caseFiles.ts"
import { realize } from "./realize.ts"
import type { SituationRequest } from "./statements.ts"

interface RulebookPair {
  readonly from: Rulebook
  readonly to: Rulebook
}

interface WitnessSearch {
  /** What the witness is to show, most telling first: a less telling one counts only where none of the others is found. */
  readonly wanted: ReadonlyArray<(situation: Situation) => boolean>
  /** Situations to look among first. */
  readonly known: Iterable<Situation>
  /** Facts among which the difference lies, for situations to be made up of. */
  readonly boxes: () => Iterable<Box>
}

/** One for each box, and where a class is left open one for each class: what one class hides another may show. */
function* constructedSituations(boxes: Iterable<Box>, { from, to }: RulebookPair): Generator<Situation> {
  let made = 0
  for (const box of boxes) {
    for (const name of actionClasses) {
      const part = narrow(box, "action_class", { of: [name] })
      if (part === null) continue
      for (const { release } of [to, from]) {
        const situation = realize(part, release.model)
        if (situation === null) continue
        yield situation
        break
      }
      if (++made >= witnessRealizedMax) return
    }
  }
}

/** Undefined where nothing is found that shows any of it. */
export const findWitness = (
  pair: RulebookPair,
  eyes: SituationScorer,
  { boxes, known, wanted }: WitnessSearch
): Witness | undefined => {
  const scores = (situation: Situation) => ({
    from: eyes(pair.from, situation).score,
    to: eyes(pair.to, situation).score
  })
  const gap = (situation: Situation): number => {
    const { from, to } = scores(situation)
    return Math.abs(to - from)
  }
  const candidates: Array<Situation> = [...known]
  let invented = false
  for (const shows of wanted) {
    let found = candidates.find(shows)
    if (found === undefined && !invented) {
      invented = true
      const more = [...constructedSituations(boxes(), pair)]
      candidates.push(...more)
      found = more.find(shows)
    }
    if (found === undefined) continue
    const least = gap(found)
    const small = shrink(found, (smaller) => shows(smaller) && gap(smaller) >= least)
    return toWitness(small, scores(small))
  }
  return undefined
}

/**
 * A request, with its history where it takes one, on which two rulebooks differ: in the words of a cases file, ready to paste.
 * As `*.cases.json` spells them: snake_case, fixed instants.
 */
export type SituationJson = typeof SituationFile.Encoded

export interface Witness extends SituationJson {
  /** The action risks that are really reported: gates, floors and policies included. */
  readonly fromScore: number
  readonly toScore: number
}

const encode = Schema.encodeSync(SituationFile)

const toWitness = (
  { request, history }: Situation,
  scores: { readonly from: number; readonly to: number }
): Witness => ({
  ...encode(history === undefined ? { request } : { request, history }),
  fromScore: scores.from,
  toScore: scores.to
})

/** What a rulebook makes of a situation: the reported action risk and everything that matched. */
interface SituationScore {
  readonly score: number
  readonly level: ActionRiskLevel
  readonly confidencePercent: number
  readonly matches: Matches
}

const scoreSituation = ({ policies, release: { model } }: Rulebook, situation: Situation): SituationScore => {
  const { policySet } = policies
  const prepared = prepareAction(situation.request, snapshotOf(situation, model), model, policySet)
  const { confidencePercent, evaluation, score } = scoreWithRange(prepared)
  return {
    score,
    level: actionRiskLevelOf(score, model.numbers),
    confidencePercent,
    matches: evaluation.matches
  }
}

/** Looks at each situation once under each rulebook, however often it is asked. */
export type SituationScorer = (book: Rulebook, situation: Situation) => SituationScore

export const memoizedScorer = (): SituationScorer => {
  const seen = new WeakMap<Rulebook, WeakMap<Situation, SituationScore>>()
  return (book, situation) => {
    const looks = seen.get(book) ?? new WeakMap<Situation, SituationScore>()
    seen.set(book, looks)
    const known = looks.get(situation) ?? scoreSituation(book, situation)
    looks.set(situation, known)
    return known
  }
}

/** Makes a situation smaller, greedily, for as long as it still shows what it is to show. */
type Entry = NonNullable<Situation["history"]>["earlier"][number]

const requiredFields: ReadonlySet<string> = new Set(["actionType", "environment"])
const numericFields = ["entitiesAffected", "recordsAffected", "financialValue"] as const

const omitField = <A extends object>(value: A, key: string): A =>
  // What is left out is optional in every type that is passed here.
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)) as A

/** One digit and zeros: 487 as 400 and 500. */
const rounderNumbers = (figure: number): ReadonlyArray<number> => {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, figure)))
  return [1, Math.floor(figure / unit) * unit, Math.ceil(figure / unit) * unit].filter(
    (one) => one !== figure
  )
}

const reducedRequests = (request: SituationRequest): ReadonlyArray<SituationRequest> => [
  ...Object.keys(request)
    .filter((key) => !requiredFields.has(key))
    .map((key) => omitField(request, key)),
  ...numericFields.flatMap((key) => {
    const figure = request[key]
    return figure === undefined
      ? []
      : rounderNumbers(figure).map((rounded) => ({ ...request, [key]: rounded }))
  })
]

const reducedEntries = (entry: Entry): ReadonlyArray<Entry> => [
  ...(entry.repeat === undefined ? [] : [omitField(entry, "repeat")]),
  ...Object.keys(entry.request)
    .filter((key) => !requiredFields.has(key))
    .map((key) => ({ ...entry, request: omitField(entry.request, key) }))
]

function* reductions({ history, request }: Situation): Generator<Situation> {
  if (history !== undefined) {
    yield { request }
    for (const [i, entry] of history.earlier.entries()) {
      const { earlier, now } = history
      if (earlier.length > 1) yield { request, history: { now, earlier: earlier.toSpliced(i, 1) } }
      for (const less of reducedEntries(entry)) {
        yield { request, history: { now, earlier: earlier.with(i, less) } }
      }
    }
  }
  for (const less of reducedRequests(request)) {
    yield history === undefined ? { request: less } : { request: less, history }
  }
}

const significantDigits = (figure: number | undefined): number =>
  figure === undefined ? 0 : String(figure).replace(/0+$/, "").length

/** What a reader has to read: characters, where a digit that is not a closing zero counts for more. */
const weightOf = ({ history, request }: Situation): number => {
  const digits = numericFields.reduce((sum, key) => sum + significantDigits(request[key]), 0)
  return JSON.stringify({ history, request }).length + 10 * digits
}

/** Every step makes it lighter, so that it ends. */
export const shrink = (situation: Situation, shows: (smaller: Situation) => boolean): Situation => {
  let best = situation
  for (;;) {
    const weight = weightOf(best)
    const next = [...reductions(best)].find((less) => weightOf(less) < weight && shows(less))
    if (next === undefined) return best
    best = next
  }
}
