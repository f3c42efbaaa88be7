/** Loads the second edition's files, which stand under `rules/next` until they take the place of the first edition's. */

import { Result } from "effect"
import { join } from "node:path"
import { prepareCatalogue } from "../../scoring/reading/Catalogue.ts"
import { prepareVocabulary } from "../../scoring/reading/Vocabulary.ts"
import { prepareCommands } from "../../scoring/reading/commands/prepareCommands.ts"
import { readCommand } from "../../scoring/reading/commands/readCommand.ts"
import { prepareSignals } from "../../scoring/reading/readArguments.ts"
import type { Lexicon } from "../../scoring/reading/readCall.ts"
import { secondEdition } from "../../scoring/secondEdition.ts"
import type { Read } from "../Finding.ts"
import { NumbersFile } from "../files/NumbersFile.ts"
import { CurrenciesFile, toCurrencies } from "../files/RulesetFile.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { readRuleTree, type Root, type SourceFile } from "../files/readTree.ts"
import { draftDigest } from "../files/releaseDocument.ts"
import { readRules } from "../files/ruleFiles.ts"
import { readSecondLexicon } from "../files/secondLexicon.ts"
import { compileRules } from "../language/compile.ts"
import type { Prepared } from "./loadRelease.ts"

/** The name of the second edition's working files, where a release is named. */
export const nextRules = "next"

const prepareSecondLexicon = (sources: ReadonlyArray<SourceFile>): Read<Lexicon> =>
  Result.map(readSecondLexicon(sources), ({ commands, impacts, providers, signals, vocabulary }) => {
    const prepared = prepareCommands(commands)
    return {
      vocabulary: prepareVocabulary(vocabulary),
      catalogue: prepareCatalogue(providers),
      impacts,
      signals: prepareSignals(signals),
      readCommand: (text, language) => readCommand(text, language, prepared)
    }
  })

export const loadNext = (root: Root): Read<Prepared> =>
  Result.gen(function* () {
    const files = yield* readRuleTree(root, join("rules", nextRules))
    const numbers = yield* decodeFile(NumbersFile, files.ruleset)
    const currencies = yield* decodeFile(CurrenciesFile, files.currencies)
    const lexicon = yield* prepareSecondLexicon(files.lexicon)
    const rules = yield* readRules(files)
    return {
      rules,
      files,
      edition: secondEdition({
        version: numbers.version,
        digest: draftDigest(files),
        numbers,
        currencies: toCurrencies(currencies),
        lexicon,
        match: compileRules(rules)
      })
    }
  })
