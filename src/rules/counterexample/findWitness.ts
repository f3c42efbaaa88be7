/** Finds a small request on which two rulebooks differ, and confirms it by fully scoring the request under both. */

import { Schema, Struct } from "effect"
import { actionClasses } from "../../domain/Action.ts"
import type { ActionRiskLevel } from "../../domain/Opinion.ts"
import { witnessRealizedMax } from "../../limits.ts"
import type { Facts } from "../../scoring/Facts.ts"
import type { PolicyMatches, RuleMatches } from "../../scoring/Model.ts"
import type { Rulebook, RulebookPair } from "../Rulebook.ts"
import { type Compared, moveBetween, type ScoreAndControl } from "../ScoreAndControl.ts"
import { type Box, narrow } from "../analysis/Box.ts"
import { readingIn, type Situation, snapshotOf } from "../cases/Situation.ts"
import { SituationFile } from "../files/caseFiles.ts"
import { realize } from "./realize.ts"
import type { SituationRequest } from "./statements.ts"
import { scoreSummary } from "../../scoring/scoreSummary.ts"

/** A request, with a history if it needs one, in the format of `*.cases.json`: snake_case, fixed times. Ready to paste. */
export type SituationJson = typeof SituationFile.Encoded

/** A request on which two rulebooks differ, with what both report about it, including floors and policies. */
export interface Witness extends SituationJson, Compared {}

interface WitnessSearch {
  /** Tests for a witness, most convincing first. A test is used only if no situation passes an earlier one. */
  readonly wanted: ReadonlyArray<(situation: Situation) => boolean>
  /** Situations to try first. */
  readonly known: Iterable<Situation>
  /** Facts for which the rulebooks may differ. If no known situation passes a test, situations are constructed for these. */
  readonly boxes: () => Iterable<Box>
}

/** Undefined if no situation passes any test. */
export const findWitness = (
  pair: RulebookPair,
  { boxes, known, wanted }: WitnessSearch
): Witness | undefined => {
  const move = (situation: Situation) =>
    moveBetween(scoreIn(pair.from, situation), scoreIn(pair.to, situation))
  const situations: Array<Situation> = [...known]
  let constructed = false
  for (const shows of wanted) {
    let found = situations.find(shows)
    if (found === undefined && !constructed) {
      constructed = true
      const more = [...constructedSituations(boxes(), pair)]
      situations.push(...more)
      found = more.find(shows)
    }
    if (found === undefined) continue
    const least = move(found)
    const small = shrink(found, (smaller) => {
      const { points, steps } = move(smaller)
      const isAsFar = Math.abs(points) >= Math.abs(least.points) && Math.abs(steps) >= Math.abs(least.steps)
      return isAsFar && shows(smaller)
    })
    return toWitness(small, pair)
  }
  return undefined
}

/** One situation per box and class in it, because one class can show a difference that another hides. */
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

const encode = Schema.encodeSync(SituationFile)

export const toWitness = (situation: Situation, { from, to }: RulebookPair): Witness => {
  const { history, request } = situation
  const reportedIn = (book: Rulebook) => Struct.pick(scoreIn(book, situation), ["score", "control"])
  return {
    ...encode(history === undefined ? { request } : { request, history }),
    from: reportedIn(from),
    to: reportedIn(to)
  }
}

/** The reported action risk and control of a situation, and everything that matched. */
export interface SituationScore extends ScoreAndControl {
  readonly level: ActionRiskLevel
  readonly confidencePercent: number
  /** The rest of the opinion as one text for comparison: the factors with their severities, the control, the level. */
  readonly told: string
  readonly matches: { readonly rules: RuleMatches; readonly policies: PolicyMatches }
}

const scoreSituation = ({ policies, release }: Rulebook, situation: Situation): SituationScore => {
  const { model } = release
  const { policySet } = policies
  const asked: { facts?: Facts; rules?: RuleMatches } = {}
  const recording = {
    ...model,
    match: (facts: Facts) => {
      const rules = model.match(facts)
      Object.assign(asked, { facts, rules })
      return rules
    }
  }
  const reading = readingIn(model, situation.request)
  const behavior = snapshotOf(situation, model, policySet)
  const summary = scoreSummary(situation.request, behavior, recording, policySet, reading)
  // The opinion reports the last match.
  const { facts, rules } = asked
  if (facts === undefined || rules === undefined) throw new Error("a score matches its rules at least once")
  const { confidencePercent, control, factors, level, score } = summary
  return {
    score,
    control,
    level,
    confidencePercent,
    // Lazy: a proof needs the scores of thousands of situations, but not this text.
    get told() {
      return JSON.stringify([factors.map(({ code, severity }) => [code, severity]), control, level])
    },
    matches: { rules, policies: policySet.match(facts) }
  }
}

const scored = new WeakMap<Rulebook, WeakMap<Situation, SituationScore>>()

/** Scores each situation once under each rulebook, across all searches. Both keys are compared by identity. */
export const scoreIn = (book: Rulebook, situation: Situation): SituationScore => {
  const scores = scored.get(book) ?? new WeakMap<Situation, SituationScore>()
  scored.set(book, scores)
  const score = scores.get(situation) ?? scoreSituation(book, situation)
  scores.set(situation, score)
  return score
}

type HistoryEntry = NonNullable<Situation["history"]>["earlier"][number]

const requiredFields: ReadonlySet<string> = new Set(["actionType", "environment"])
const numericFields = ["entitiesAffected", "recordsAffected", "financialValue"] as const

const omitField = <A extends object>(value: A, key: string): A =>
  // The cast is safe: callers omit only optional fields.
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)) as A

/** Rounder numbers close to this one: 1, and numbers with a single nonzero digit, such as 400 and 500 for 487. */
const rounderNumbers = (figure: number): ReadonlyArray<number> => {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, figure)))
  return [1, Math.floor(figure / unit) * unit, Math.ceil(figure / unit) * unit].filter(
    (rounder) => rounder !== figure
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

const reducedEntries = (entry: HistoryEntry): ReadonlyArray<HistoryEntry> => [
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

/** How much a person has to read: the characters, plus 10 for each digit of a number except trailing zeros. */
const weightOf = ({ history, request }: Situation): number => {
  const digits = numericFields.reduce((sum, key) => sum + significantDigits(request[key]), 0)
  return JSON.stringify({ history, request }).length + 10 * digits
}

/** Greedily makes a situation smaller as long as it passes the test. Terminates, because every step reduces the weight. */
export const shrink = (situation: Situation, shows: (smaller: Situation) => boolean): Situation => {
  let smallest = situation
  for (;;) {
    const weight = weightOf(smallest)
    const next = [...reductions(smallest)].find((less) => weightOf(less) < weight && shows(less))
    if (next === undefined) return smallest
    smallest = next
  }
}
