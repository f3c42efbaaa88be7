/** The lexicon of a release or of the working files, ready for scoring: opened in compiled form if it has been read before, otherwise read from its files. */

import { RegExp as RegExps, Result } from "effect"
import { actionClasses } from "../../domain/Action.ts"
import type { Lexicon } from "../../scoring/reading/callArguments.ts"
import { isForClass, type PreparedSignals, type Signal } from "../../scoring/reading/readArguments.ts"
import { type Finding, type Read, succeedUnless } from "../Finding.ts"
import { keepCompiled, openCompiled } from "../compiled/compiledFiles.ts"
import { prepareCatalogue, readProviders } from "../files/providerFiles.ts"
import { digestOfFiles, type SourceFile } from "../files/readTree.ts"
import { readWords, wordFileNames } from "../files/wordFiles.ts"
import { whileInUse } from "../whileInUse.ts"
import { isAlternativeFile, prepareAlternatives, readAlternatives } from "./alternativeFile.ts"
import { isCommandFile, readCommandFiles } from "./commandFiles.ts"
import { isParameterFile, prepareParameters, readParameterFiles } from "./parameterFiles.ts"
import { prepareCommands, prepareCommandTools } from "./prepareCommands.ts"
import { prepareVocabulary, toVocabulary, type VocabularyTables } from "./prepareVocabulary.ts"

const isRead = (source: SourceFile): boolean =>
  source.folder === "providers" ||
  isParameterFile(source) ||
  isAlternativeFile(source) ||
  (source.folder === "words" ? wordFileNames.has(source.name) : isCommandFile(source))

/** Invariant: each file is either read or reported. */
const unread = (sources: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> =>
  sources
    .filter((source) => !isRead(source))
    .map(({ file }) => ({
      rule: "misplaced-file",
      file,
      path: [],
      message: "nothing reads a file with this name in this place"
    }))

const readActData = (sources: ReadonlyArray<SourceFile>) =>
  Result.gen(function* () {
    const commands = yield* readCommandFiles(sources.filter(isCommandFile))
    const parameters = yield* readParameterFiles(sources.filter(isParameterFile))
    const alternatives = yield* readAlternatives(sources.filter(isAlternativeFile))
    return { alternatives, commands, parameters }
  })

export const readLexiconData = (sources: ReadonlyArray<SourceFile>) =>
  Result.gen(function* () {
    yield* succeedUnless(unread(sources), () => undefined)
    const inFolder = (name: string) => sources.filter(({ folder }) => folder === name)
    const providers = yield* readProviders(inFolder("providers"))
    const acts = yield* readActData(sources)
    const words = yield* readWords(inFolder("words"))
    return { ...words, ...acts, providers }
  })
type LexiconData = Result.Result.Success<ReturnType<typeof readLexiconData>>

/** Keyed by the class of the act for which they apply. */
const signalsOfDestinations = (signals: ReadonlyArray<Signal>): PreparedSignals["ofDestinations"] => {
  const open = signals.filter((signal) => signal.in.includes("destination"))
  return new Map(actionClasses.map((own) => [own, open.filter((signal) => isForClass(signal, own))]))
}

export const prepareSignals = (signals: ReadonlyArray<Signal>): PreparedSignals => ({
  ofWildcards: signals.filter(({ wildcard }) => wildcard === true),
  ofDestinations: signalsOfDestinations(signals),
  anyText: new RegExp(signals.flatMap(({ text = [] }) => text.map(RegExps.escape)).join("|")),
  byFirst: Map.groupBy(
    signals.flatMap((signal) => (signal.words ?? []).map((words) => ({ words, signal }))),
    ({ words }) => words[0] ?? ""
  ),
  texts: {
    all: signals.flatMap((signal) => (signal.text ?? []).map((text) => ({ text, signal }))),
    wanted: [...new Set(signals.flatMap(({ text = [] }) => text))]
  }
})

/** A lexicon as plain data, without functions: the form that is compiled. */
export type LexiconTables = Omit<Lexicon, "vocabulary"> & { readonly vocabulary: VocabularyTables }

/** The parts that describe what commands, statements and parameters do, and safer alternatives. */
type ActTables = Pick<LexiconTables, "alternatives" | "commands" | "parameters" | "tools">

const toActTables = ({
  alternatives,
  commands: data,
  parameters
}: Pick<LexiconData, "alternatives" | "commands" | "parameters">): ActTables => {
  const commands = prepareCommands(data)
  return {
    alternatives: prepareAlternatives(alternatives),
    parameters: prepareParameters(parameters),
    tools: prepareCommandTools(data, commands),
    commands
  }
}

/** Reads only these parts from their files. */
export const prepareActs = (sources: ReadonlyArray<SourceFile>): Read<ActTables> =>
  Result.map(readActData(sources), toActTables)

/** Reads the lexicon from its files. */
export const prepareLexicon = (sources: ReadonlyArray<SourceFile>): Read<LexiconTables> =>
  Result.map(readLexiconData(sources), (data) => ({
    ...toActTables(data),
    vocabulary: prepareVocabulary(data.vocabulary),
    catalogue: prepareCatalogue(data.providers),
    impacts: data.impacts,
    signals: prepareSignals(data.signals)
  }))

const inUse = whileInUse<Lexicon>()

const toLexicon = (digest: string, tables: LexiconTables): Lexicon =>
  inUse.keep(digest, { ...tables, vocabulary: toVocabulary(tables.vocabulary) })

/** The lexicon of files with this digest, if it is in use or compiled. */
export const openLexicon = (digest: string): Lexicon | undefined => {
  const known = inUse.get(digest)
  if (known !== undefined) return known
  const tables = openCompiled<LexiconTables>("lexicon", digest)
  return tables === undefined ? undefined : toLexicon(digest, tables)
}

/** `keep`: whether to store it in compiled form for the next process. */
export const readLexicon = (sources: ReadonlyArray<SourceFile>, keep: boolean): Read<Lexicon> => {
  const digest = digestOfFiles(sources)
  const known = openLexicon(digest)
  if (known !== undefined) return Result.succeed(known)
  return Result.map(prepareLexicon(sources), (tables) => {
    if (keep) keepCompiled("lexicon", digest, tables)
    return toLexicon(digest, tables)
  })
}
