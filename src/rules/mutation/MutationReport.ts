/** The result of a mutation run: counts, and each surviving mutant with a case that would kill it. */

import { Schema } from "effect"
import type { Opinion } from "../../domain/Opinion.ts"
import type { FactName, Facts } from "../../scoring/Facts.ts"
import { lints, type LocatedFinding } from "../Finding.ts"
import type { RuleGroup } from "../Rulebook.ts"
import type { Box } from "../analysis/Box.ts"
import type { ForAllAnswer } from "../analysis/satisfiability.ts"
import type { Situation } from "../cases/Situation.ts"
import { scoreInputOf, type ScoreTrace, traceScore } from "../cases/tryCase.ts"
import { shrink } from "../counterexample/findWitness.ts"
import { realize } from "../counterexample/realize.ts"
import { SituationFile } from "../files/caseFiles.ts"
import type { FindingLocation, TextPosition } from "../files/locate.ts"
import { atomsOf } from "../language/Rule.ts"
import type { Mutant } from "./Mutant.ts"
import { type Scoring, scoringWithGroup } from "./mutantScoring.ts"

export interface MutantCounts {
  readonly total: number
  /** Some case fails with the change. */
  readonly killed: number
  /** No case does, although the change means something. */
  readonly survived: number
  /** The change means the same for everything that can be asked, so that no case could fail. */
  readonly equivalent: number
}

export interface Survivor extends LocatedFinding {
  readonly code: string
  /** The name of the changed rule. */
  readonly name: string
  readonly change: string
  /** A case that would fail with the change; absent where none was found. */
  readonly killer?: KillingCase
}

export interface MutationReport {
  /** Whether enough are killed. */
  readonly ok: boolean
  readonly mutants: MutantCounts
  /** Of the mutants that mean something, rounded down: 100 only where all are killed. */
  readonly percent: number
  readonly byCode: ReadonlyArray<MutantCounts & { readonly code: string; readonly percent: number }>
  readonly survivors: ReadonlyArray<Survivor>
  /** Cases that fail without any change; they kill nothing. */
  readonly failing: number
}

/** A surviving mutant as a finding: what was changed, where, and which case would notice. */
const rule = "surviving-mutant"

/** `a case with action_type contact.update, environment staging, entities_affected 1000 that expects high` */
const describeKillingCase = ({ expect, history, request }: KillingCase): string => {
  const fields = Object.entries(request).map(([field, value]) => `${field} ${value}`)
  const after = history === undefined ? "" : ", with history,"
  return typeof expect === "string"
    ? `a case with ${fields.join(", ")}${after} that expects ${expect}`
    : `a calibration case with ${fields.join(", ")}${after} that expects score ${expect.score[0]}`
}

const describeFacts = (facts: Facts, ladder: RuleGroup): string =>
  `a case with ${factsUsedBy(ladder)
    .map((fact) => `${fact} ${facts[fact]}`)
    .join(", ")}`

export const survivorOf = (
  mutant: Mutant,
  same: ForAllAnswer,
  scoring: Scoring,
  locate: (spot: FindingLocation) => TextPosition
): Survivor => {
  const { change, original, path } = mutant
  const killer = same.is === "no" ? killingCase(mutant, same.example, scoring) : undefined
  const told =
    killer === undefined
      ? same.is === "no"
        ? describeFacts(same.example, original)
        : null
      : describeKillingCase(killer)
  return {
    rule,
    severity: lints[rule].severity,
    file: original.file,
    ...locate({ file: original.file, path }),
    message: `no case of \`${mutant.rule}\` notices ${change}${told === null ? "" : `; ${told} would`}`,
    code: original.code,
    name: mutant.rule,
    change,
    ...(killer === undefined ? {} : { killer })
  }
}

/** Makes up a case that a surviving mutant would fail: its request, its history, and what to expect of it. */
type Encoded = typeof SituationFile.Encoded

interface KillingCase extends Encoded {
  /** Beside the rule: a severity, matched or none. In the calibration: the level and the exact score. */
  readonly expect: string | { readonly level: string; readonly score: readonly [number, number] }
}

/** These facts exactly, as far as the file asks them. */
const boxAround = (facts: Facts, names: ReadonlyArray<FactName>): Box =>
  Object.fromEntries(
    names.map((name) => {
      const value = facts[name]
      return [name, typeof value === "number" ? { min: value, max: value } : { of: [value] }]
    })
  )

/** What a case beside the file would say; a hazard and a floor only show in the score. */
const matchOfFile = ({ code, kind }: RuleGroup, { opinion, first }: ScoreTrace, scoring: Scoring): string => {
  const matched = (held: boolean) => (held ? "matched" : "none")
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

/** Undefined where none is found. `facts`: where the mutant means something else. */
const killingCase = (mutant: Mutant, facts: Facts, scoring: Scoring): KillingCase | undefined => {
  const box = boxAround(facts, factsUsedBy(mutant.original))
  const situation = realize(box, scoring.model)
  if (situation === null) return undefined
  const changed = scoringWithGroup(scoring, mutant.changed)
  const both = (one: Situation) => {
    const question = scoreInputOf(one, undefined, scoring.model)
    const before = traceScore(question, scoring.model, scoring.policySet)
    const after = traceScore(question, changed.model, changed.policySet)
    return {
      beside: [before, after].map((heard, i) =>
        matchOfFile(mutant.original, heard, i === 0 ? scoring : changed)
      ),
      scores: [before, after].map(({ opinion }) => opinion.actionRisk.score),
      opinion: before.opinion
    }
  }
  const differs = ([before, after]: ReadonlyArray<unknown>) => before !== after
  if (differs(both(situation).beside)) {
    const small = shrink(situation, (smaller) => differs(both(smaller).beside))
    return { ...encode(small), expect: both(small).beside[0] ?? "none" }
  }
  if (differs(both(situation).scores)) {
    const small = shrink(situation, (smaller) => differs(both(smaller).scores))
    return { ...encode(small), expect: levelAndScore(both(small).opinion) }
  }
  return undefined
}

/** The facts that the rules of a file ask, each once, in the order of the file. */
const factsUsedBy = ({ rules }: Pick<RuleGroup, "rules">): ReadonlyArray<FactName> => [
  ...new Set(rules.flatMap(({ condition }) => atomsOf(condition).map(({ fact }) => fact)))
]
