/** Makes up a case that a surviving mutant would fail: its request, its history, and what to expect of it. */

import { Schema } from "effect"
import type { Opinion } from "../../domain/Opinion.ts"
import type { FactName, Facts } from "../../scoring/Facts.ts"
import type { Box } from "../analysis/Box.ts"
import type { Situation } from "../cases.ts"
import { type Hearing, hear, questionOf } from "../cases/hear.ts"
import { SituationFile } from "../files/CasesFile.ts"
import type { Ladder } from "../ladders.ts"
import { realize } from "../witness/realize.ts"
import { shrink } from "../witness/shrink.ts"
import type { Mutant } from "./mutateLadder.ts"
import { factsAskedBy } from "./factsAskedBy.ts"
import { type Scoring, scoringWith } from "./scoringWith.ts"

type Encoded = typeof SituationFile.Encoded

export interface KillingCase extends Encoded {
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
const seenBeside = ({ code, kind }: Ladder, { opinion, first }: Hearing, scoring: Scoring): string => {
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

const scored = ({ actionRisk: { level, score } }: Opinion) => ({ level, score: [score, score] as const })

const encode = Schema.encodeSync(SituationFile)

/** Undefined where none is found. `facts`: where the mutant means something else. */
export const killingCase = (mutant: Mutant, facts: Facts, scoring: Scoring): KillingCase | undefined => {
  const box = boxAround(facts, factsAskedBy(mutant.original))
  const situation = realize(box, scoring.model)
  if (situation === null) return undefined
  const changed = scoringWith(scoring, mutant.changed)
  const both = (one: Situation) => {
    const question = questionOf(one, undefined, scoring.model)
    const before = hear(question, scoring.model, scoring.policySet)
    const after = hear(question, changed.model, changed.policySet)
    return {
      beside: [before, after].map((heard, i) =>
        seenBeside(mutant.original, heard, i === 0 ? scoring : changed)
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
    return { ...encode(small), expect: scored(both(small).opinion) }
  }
  return undefined
}
