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
import { type Read, readEvery } from "../Finding.ts"
import { NumbersFile, toNumbers } from "../files/NumbersFile.ts"
import { CurrenciesFile, toCurrencies } from "../files/RulesetFile.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { readCommandsFile } from "../files/lexiconFiles.ts"
import { readProviders } from "../files/providerFiles.ts"
import { readFolder, readSource, type Root, type RuleFiles, type SourceFile } from "../files/readTree.ts"
import { draftDigest } from "../files/releaseDocument.ts"
import { readRules } from "../files/ruleFiles.ts"
import { readWords } from "../files/wordFiles.ts"
import { compileRules } from "../language/compile.ts"
import type { Prepared } from "./loadRelease.ts"

/** The name of the second edition's working files, where a release is named. */
export const nextRules = "next"

const readNextTree = (root: Root): Read<RuleFiles> =>
  Result.gen(function* () {
    const folder = join(root, "rules", "next")
    const [ruleset, currencies] = yield* readEvery([
      readSource(root, join(folder, "ruleset.json")),
      readSource(root, join(root, "rules", "currencies.json"))
    ])
    const [lexicon = [], factors = [], typologies = []] = yield* readEvery(
      ["lexicon", "factors", "typologies"].map((name) => readFolder(root, join(folder, name)))
    )
    if (ruleset === undefined || currencies === undefined) return yield* Result.fail([])
    return { ruleset, currencies, lexicon, factors, typologies }
  })

const inFolder = (sources: ReadonlyArray<SourceFile>, folder: string): ReadonlyArray<SourceFile> =>
  sources.filter((source) => source.folder === folder)

const readNextLexicon = (sources: ReadonlyArray<SourceFile>): Read<Lexicon> =>
  Result.gen(function* () {
    const words = yield* readWords(inFolder(sources, "words"))
    const providers = yield* readProviders(inFolder(sources, "providers"))
    const commands = prepareCommands(yield* readCommandsFile(inFolder(sources, "lexicon")))
    return {
      vocabulary: prepareVocabulary(words.vocabulary),
      catalogue: prepareCatalogue(providers),
      impacts: words.impacts,
      signals: prepareSignals(words.signals),
      readCommand: (text, language) => readCommand(text, language, commands)
    }
  })

export const loadNext = (root: Root): Read<Prepared> =>
  Result.gen(function* () {
    const files = yield* readNextTree(root)
    const numbers = yield* decodeFile(NumbersFile, files.ruleset)
    const currencies = yield* decodeFile(CurrenciesFile, files.currencies)
    const lexicon = yield* readNextLexicon(files.lexicon)
    const rules = yield* readRules(files)
    return {
      rules,
      files,
      edition: secondEdition({
        version: numbers.version,
        digest: draftDigest(files),
        numbers: toNumbers(numbers),
        currencies: toCurrencies(currencies),
        lexicon,
        match: compileRules(rules)
      })
    }
  })
