/** Reads the numbers and the words of a release of 1.x into the first edition of the score. */

import { Result } from "effect"
import type { Edition } from "../../scoring/Edition.ts"
import type { SharedParts } from "../../scoring/Model.ts"
import { firstEdition } from "../../scoring/edition1/edition.ts"
import { prepareLexicon } from "../../scoring/edition1/lexicon/Lexicon.ts"
import { findingsOf, type Read } from "../Finding.ts"
import { decodeFile } from "../files/decodeFile.ts"
import type { RuleFiles } from "../files/readTree.ts"
import { FirstRulesetFile } from "./RulesetFile.ts"
import { readLexicon } from "./lexiconFiles.ts"

/** The edition, once its rules and its currencies are read. */
export const prepareFirstEdition = (files: RuleFiles): Read<(shared: SharedParts) => Edition> => {
  const ruleset = decodeFile(FirstRulesetFile, files.ruleset)
  const lexicon = readLexicon(files.lexicon)
  return Result.all([ruleset, lexicon]).pipe(
    Result.mapError(() => [...findingsOf(ruleset), ...findingsOf(lexicon)]),
    Result.map(([{ version, ...numbers }, words]) => {
      const model = { version, numbers, lexicon: prepareLexicon(words) }
      return (shared) => firstEdition({ ...model, ...shared })
    })
  )
}
