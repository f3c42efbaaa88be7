/** Reads all files of a release and prepares the model that scores with them. */

import { Result } from "effect"
import type { Model } from "../scoring/Model.ts"
import { prepareLexicon } from "../scoring/Lexicon.ts"
import { compileRules } from "./compile.ts"
import { decodeFile } from "./decodeFile.ts"
import { CurrenciesFile, toCurrencies } from "./files/CurrenciesFile.ts"
import { RulesetFile } from "./files/RulesetFile.ts"
import type { Finding } from "./Problem.ts"
import { findingsOf, type Read } from "./Read.ts"
import { readLexicon } from "./readLexicon.ts"
import { readRules } from "./readRules.ts"
import type { RuleSet } from "./Rule.ts"
import type { RuleFiles } from "./SourceFile.ts"

export interface Prepared {
  readonly model: Model
  /** What the model's `match` was compiled from. */
  readonly rules: RuleSet
  /** What all of it was read from. */
  readonly files: RuleFiles
}

export const prepareModel = (files: RuleFiles, digest: string): Read<Prepared> => {
  const ruleset = decodeFile(RulesetFile, files.ruleset)
  const currencies = decodeFile(CurrenciesFile, files.currencies)
  const lexicon = readLexicon(files.lexicon)
  const rules = readRules(files)
  return Result.all([ruleset, currencies, lexicon, rules]).pipe(
    Result.mapError(() => [ruleset, currencies, lexicon, rules].flatMap<Finding>(findingsOf)),
    Result.map(([{ version, ...numbers }, currencyFile, lexiconData, set]) => ({
      rules: set,
      files,
      model: {
        version,
        digest,
        numbers,
        currencies: toCurrencies(currencyFile),
        lexicon: prepareLexicon(lexiconData),
        match: compileRules(set)
      }
    }))
  )
}
