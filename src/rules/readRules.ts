/** Reads the factor and typology files of a release into one rule set. */

import { Result } from "effect"
import { inFile } from "./Problem.ts"
import { findingsOf, type Read, readEvery, unless } from "./Read.ts"
import { checkNumber, checkRuleNames, type NamedRule } from "./readRules/checkSet.ts"
import { readFactor } from "./readRules/readFactor.ts"
import { readTypology } from "./readRules/readTypology.ts"
import type { Rule, RuleSet } from "./Rule.ts"
import type { RuleFiles, SourceFile } from "./SourceFile.ts"

const named = (
  sources: ReadonlyArray<SourceFile>,
  rules: ReadonlyArray<ReadonlyArray<Rule<unknown>>>
): ReadonlyArray<NamedRule> =>
  sources.flatMap(({ file }, i) => (rules[i] ?? []).map(({ name }, index) => ({ name, file, index })))

export const readRules = (files: RuleFiles): Read<RuleSet> =>
  Result.gen(function* () {
    const factors = readEvery(files.factors.map(readFactor))
    const typologies = readEvery(files.typologies.map(readTypology))
    const [factorRules, typologyRules] = yield* Result.mapError(Result.all([factors, typologies]), () => [
      ...findingsOf(factors),
      ...findingsOf(typologies)
    ])
    const set = { factors: factorRules.flat(), typologies: typologyRules.flat() }
    const findings = [
      ...checkRuleNames([...named(files.factors, factorRules), ...named(files.typologies, typologyRules)]),
      ...inFile(files.ruleset.file, checkNumber(set.factors.length + set.typologies.length))
    ]
    return yield* unless(findings, () => set)
  })
