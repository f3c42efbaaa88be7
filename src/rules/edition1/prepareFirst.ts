/** Prepares the files of a release of 1.x for the first edition of the score. */

import { Result } from "effect"
import { firstEdition } from "../../scoring/edition1/edition.ts"
import { prepareLexicon } from "../../scoring/edition1/lexicon/Lexicon.ts"
import { type Finding, findingsOf, type Read } from "../Finding.ts"
import { CurrenciesFile, toCurrencies } from "../files/CurrenciesFile.ts"
import { FirstRulesetFile } from "./RulesetFile.ts"
import { readLexicon } from "./lexiconFiles.ts"
import { decodeFile } from "../files/decodeFile.ts"
import type { RuleFiles } from "../files/readTree.ts"
import { readRules } from "../files/ruleFiles.ts"
import { compileRules } from "../language/compile.ts"
import type { Prepared } from "../release/loadRelease.ts"

export const prepareFirstEdition = (files: RuleFiles, digest: string): Read<Prepared> => {
  const ruleset = decodeFile(FirstRulesetFile, files.ruleset)
  const currencies = decodeFile(CurrenciesFile, files.currencies)
  const lexicon = readLexicon(files.lexicon)
  const rules = readRules(files)
  return Result.all([ruleset, currencies, lexicon, rules]).pipe(
    Result.mapError(() => [ruleset, currencies, lexicon, rules].flatMap<Finding>(findingsOf)),
    Result.map(([{ version, ...numbers }, currencyFile, lexiconData, set]) => ({
      rules: set,
      files,
      edition: firstEdition({
        version,
        digest,
        numbers,
        currencies: toCurrencies(currencyFile),
        lexicon: prepareLexicon(lexiconData),
        match: compileRules(set)
      })
    }))
  )
}
