/** The result of a mutation run: counts, and each surviving mutant with a case that would kill it. */

import { Schema } from "effect"
import type { Opinion } from "../../domain/Opinion.ts"
import { killerBoxesMax } from "../../limits.ts"
import type { Facts } from "../../scoring/Facts.ts"
import type { LocatedFinding } from "../Finding.ts"
import { factsUsedBy, type RuleGroup, type Scoring, scoringWithGroup } from "../Rulebook.ts"
import type { Box } from "../analysis/Box.ts"
import type { Term } from "../analysis/Term.ts"
import type { Situation } from "../cases/Situation.ts"
import { scoreInputOf, type ScoreTrace, traceScore } from "../cases/tryCase.ts"
import { shrink } from "../counterexample/findWitness.ts"
import { realize } from "../counterexample/realize.ts"
import { SituationFile } from "../files/caseFiles.ts"
import { type Locate, locateFinding } from "../files/locate.ts"
import type { Mutant } from "./Mutant.ts"
import { differingBoxes } from "./mutantScoring.ts"

export interface MutantCounts {
  readonly total: number
  /** Mutants that make some case fail. */
  readonly killed: number
  /** Mutants that make no case fail, although they can change a score. */
  readonly survived: number
  /** Mutants that are equivalent to the file for all possible facts, so that no case can fail. */
  readonly equivalent: number
}

export interface Survivor extends LocatedFinding {
  readonly code: string
  /** The name of the changed rule. */
  readonly name: string
  readonly change: string
  /** A case that would fail with the change; absent if none was found. */
  readonly killer?: KillingCase
}

/** The result of a mutation run for one file. */
export interface FileMutation {
  readonly code: string
  readonly counts: MutantCounts
  readonly survivors: ReadonlyArray<Survivor>
}

/** A file whose mutants are tried one after the other. */
export interface MutableFile {
  /** The code of a factor, the name of a typology, the id of a policy rule, or the name of a data file. */
  readonly code: string
  /** The maximum number of mutants that are tried. */
  readonly size: number
  /** Yields after each mutant: a data file has hundreds, each of which needs hundreds of scores. */
  readonly mutate: () => Generator<void, FileMutation>
}

export interface MutationReport {
  /** Whether enough mutants are killed. */
  readonly ok: boolean
  readonly mutants: MutantCounts
  /** The percentage of killed mutants among those that are not equivalent, rounded down: 100 only if all are killed. */
  readonly percent: number
  readonly byCode: ReadonlyArray<MutantCounts & { readonly code: string; readonly percent: number }>
  readonly survivors: ReadonlyArray<Survivor>
  /** Cases that fail without any change. They cannot kill a mutant. */
  readonly failing: number
}

/** A surviving mutant as a finding at its place in the file. */
export const survivorAt = (
  locate: Locate,
  { change, file, path }: { readonly file: string } & Pick<Mutant, "change" | "path">,
  message: string,
  of: Pick<Survivor, "code" | "name" | "killer">
): Survivor => ({
  ...locateFinding(locate, { rule: "surviving-mutant", file, path, message }),
  ...of,
  change
})

/** `a case with action_type contact.update, environment staging, entities_affected 1000 that expects high` */
const describeKillingCase = ({ expect, history, request }: KillingCase): string => {
  const fields = Object.entries(request).map(([field, value]) => `${field} ${value}`)
  const after = history === undefined ? "" : ", with history,"
  return typeof expect === "string"
    ? `a case with ${fields.join(", ")}${after} that expects ${expect}`
    : `a calibration case with ${fields.join(", ")}${after} that expects score ${expect.score[0]}`
}

const describeFacts = (facts: Facts, group: RuleGroup): string =>
  `a case with ${factsUsedBy(group)
    .map((fact) => `${fact} ${facts[fact]}`)
    .join(", ")}`

/** A surviving mutant as a finding: the change, its path, and a case that would notice it. */
export const survivorOf = (
  mutant: Mutant,
  differing: Facts | "undecided",
  scoring: Scoring,
  possible: Term,
  locate: Locate
): Survivor => {
  const { change, original, path, rule } = mutant
  const of = { code: original.code, name: rule }
  const unnoticed = `no case of \`${rule}\` notices ${change}`
  const survivor = (noticing: string, found: Pick<Survivor, "killer"> = {}) =>
    survivorAt(locate, { file: original.file, path, change }, `${unnoticed}${noticing}`, { ...of, ...found })
  if (differing === "undecided") return survivor("")
  const killer = findKillingCase(mutant, scoring, possible)
  return killer === undefined
    ? survivor(`; ${describeFacts(differing, original)} would`)
    : survivor(`; ${describeKillingCase(killer)} would`, { killer })
}

type Encoded = typeof SituationFile.Encoded

/** A case that would fail with a mutant: its request, its history and the expectation. */
interface KillingCase extends Encoded {
  /** For a case of the rule: a severity, `matched` or `none`. For the calibration: the level and the exact score. */
  readonly expect: string | { readonly level: string; readonly score: readonly [number, number] }
}

/** The outcome that a case of the file would expect. Hazards and floors are not part of it: they only show in the score. */
const matchOfFile = ({ code, kind }: RuleGroup, { opinion, first }: ScoreTrace, scoring: Scoring): string => {
  const matched = (holds: boolean) => (holds ? "matched" : "none")
  switch (kind) {
    case "factor":
      return opinion.riskFactors.find((factor) => factor.code === code)?.severity ?? "none"
    case "typology":
      return matched(scoring.model.match(first).typologies.some(({ name }) => name === code))
    case "policy":
      return matched(opinion.policyContext.some(({ rule }) => rule === code))
  }
}

const levelAndScore = ({ actionRisk: { level, score } }: Opinion) => ({
  level,
  score: [score, score] as const
})

const encode = Schema.encodeSync(SituationFile)

/** Undefined if none is found. */
const findKillingCase = (mutant: Mutant, scoring: Scoring, possible: Term): KillingCase | undefined => {
  let tries = 0
  for (const box of differingBoxes(mutant.original, mutant.changed, possible)) {
    const killer = killingCase(mutant, box, scoring)
    if (killer !== undefined || ++tries === killerBoxesMax) return killer
  }
  return undefined
}

/** Undefined if none is found. `box`: facts for all of which the mutant and the file differ. */
const killingCase = (mutant: Mutant, box: Box, scoring: Scoring): KillingCase | undefined => {
  const situation = realize(box, scoring.model)
  if (situation === null) return undefined
  const changed = scoringWithGroup(scoring, mutant.changed)
  const scoredByBoth = (candidate: Situation) => {
    const input = scoreInputOf(candidate, undefined, scoring.model)
    const before = traceScore(input, scoring.model, scoring.policySet)
    const after = traceScore(input, changed.model, changed.policySet)
    return {
      matches: [matchOfFile(mutant.original, before, scoring), matchOfFile(mutant.original, after, changed)],
      scores: [before, after].map(({ opinion }) => opinion.actionRisk.score),
      opinion: before.opinion
    }
  }
  const differ = ([before, after]: ReadonlyArray<unknown>) => before !== after
  if (differ(scoredByBoth(situation).matches)) {
    const small = shrink(situation, (smaller) => differ(scoredByBoth(smaller).matches))
    return { ...encode(small), expect: scoredByBoth(small).matches[0] ?? "none" }
  }
  if (differ(scoredByBoth(situation).scores)) {
    const small = shrink(situation, (smaller) => differ(scoredByBoth(smaller).scores))
    return { ...encode(small), expect: levelAndScore(scoredByBoth(small).opinion) }
  }
  return undefined
}
