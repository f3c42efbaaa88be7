/** Loads the second edition's files, which stand under `rules/next` until they take the place of the first edition's. */

import { Result } from "effect"
import { prepareCatalogue } from "../../scoring/reading/Catalogue.ts"
import { prepareVocabulary } from "../../scoring/reading/Vocabulary.ts"
import { prepareCommands } from "../../scoring/reading/commands/prepareCommands.ts"
import { readCommand } from "../../scoring/reading/commands/readCommand.ts"
import { prepareSignals } from "../../scoring/reading/readArguments.ts"
import type { Lexicon } from "../../scoring/reading/readCall.ts"
import { secondEdition } from "../../scoring/secondEdition.ts"
import { type Finding, type Read, succeedUnless } from "../Finding.ts"
import { readCommandsFile } from "../files/CommandsFile.ts"
import { readProviders } from "../files/providerFiles.ts"
import { NumbersFile } from "../files/NumbersFile.ts"
import { CurrenciesFile, toCurrencies } from "../files/RulesetFile.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { readRuleTree, type Root, type SourceFile } from "../files/readTree.ts"
import { draftDigest } from "../files/releaseDocument.ts"
import { readRules } from "../files/ruleFiles.ts"
import { readWords, wordFileNames } from "../files/wordFiles.ts"
import { compileRules } from "../language/compile.ts"
import type { Prepared } from "./loadRelease.ts"

/** The name of the second edition's working files, where a release is named. */
export const nextRules = "next"

const isRead = ({ folder, name }: SourceFile): boolean =>
  folder === "providers" || (folder === "words" ? wordFileNames.has(name) : name === "commands")

/** Invariant: each file is either read or reported. */
const unread = (sources: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> =>
  sources
    .filter((source) => !isRead(source))
    .map(({ file }) => ({
      rule: "unreadable-file",
      file,
      path: [],
      message: "nothing reads it: expected `providers/`, `words/` or `commands.json`"
    }))

export const readSecondLexicon = (sources: ReadonlyArray<SourceFile>) =>
  Result.gen(function* () {
    yield* succeedUnless(unread(sources), () => undefined)
    const inFolder = (name: string) => sources.filter(({ folder }) => folder === name)
    const providers = yield* readProviders(inFolder("providers"))
    const commands = yield* readCommandsFile(sources.filter(({ folder }) => folder !== "providers"))
    const words = yield* readWords(inFolder("words"))
    return { ...words, commands, providers }
  })

const readLexicon = (sources: ReadonlyArray<SourceFile>): Read<Lexicon> =>
  Result.map(
    readSecondLexicon(sources),
    ({ commands: commandsData, impacts, providers, signals, vocabulary }) => {
      const commands = prepareCommands(commandsData)
      return {
        vocabulary: prepareVocabulary(vocabulary),
        catalogue: prepareCatalogue(providers),
        impacts,
        signals: prepareSignals(signals),
        readCommand: (text, language) => readCommand(text, language, commands)
      }
    }
  )

export const loadNext = (root: Root): Read<Prepared> =>
  Result.gen(function* () {
    const files = yield* readRuleTree(root, "rules/next")
    const { edition: _, version, ...numbers } = yield* decodeFile(NumbersFile, files.ruleset)
    const currencies = yield* decodeFile(CurrenciesFile, files.currencies)
    const lexicon = yield* readLexicon(files.lexicon)
    const rules = yield* readRules(files)
    return {
      rules,
      files,
      edition: secondEdition({
        version,
        digest: draftDigest(files),
        numbers,
        currencies: toCurrencies(currencies),
        lexicon,
        match: compileRules(rules)
      })
    }
  })
