/** Reads the factor and typology files of a release into one rule set. */

import { Result } from "effect"
import { rulesPerSetMax } from "../Limits.ts"
import type { Finding } from "./Problem.ts"
import { findingsOf, type Read, readEvery, unless } from "./Read.ts"
import { readFactor } from "./readRules/readFactor.ts"
import { readTypology } from "./readRules/readTypology.ts"
import type { Rule, RuleSet } from "./Rule.ts"
import type { RuleFiles } from "./SourceFile.ts"

/** What can only be seen over a whole set; `file` is named in its findings. */
const checkSet = (rules: ReadonlyArray<Rule<unknown>>, file: string): ReadonlyArray<Finding> => {
  const names = rules.map(({ name }) => name)
  const repeated = new Set(names.filter((name, i) => names.indexOf(name) !== i))
  return [
    ...[...repeated].map((name) => ({ file, path: [], message: `two rules are named \`${name}\`` })),
    ...(rules.length > rulesPerSetMax
      ? [{ file, path: [], message: `${rules.length} rules are more than ${rulesPerSetMax}` }]
      : [])
  ]
}

export const readRules = (files: RuleFiles): Read<RuleSet> =>
  Result.gen(function* () {
    const factors = readEvery(files.factors.map(readFactor))
    const typologies = readEvery(files.typologies.map(readTypology))
    const [factorRules, typologyRules] = yield* Result.mapError(Result.all([factors, typologies]), () => [
      ...findingsOf(factors),
      ...findingsOf(typologies)
    ])
    const set = { factors: factorRules.flat(), typologies: typologyRules.flat() }
    return yield* unless(checkSet([...set.factors, ...set.typologies], files.ruleset.file), () => set)
  })
