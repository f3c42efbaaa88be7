/** The lexicon of a release or of the working files, ready for the score: compiled where it was read before, else read from its files. */

import { RegExp as RegExps, Result } from "effect"
import { actionClasses } from "../../domain/Action.ts"
import { keyOf } from "../../scoring/names/splitName.ts"
import type { Lexicon } from "../../scoring/reading/callArguments.ts"
import type { PreparedCommands, PreparedForm } from "../../scoring/reading/commands/Commands.ts"
import type { CommandTools } from "../../scoring/reading/commands/commandTools.ts"
import { isForClass, type PreparedSignals, type Signal } from "../../scoring/reading/readArguments.ts"
import { type Finding, type Read, succeedUnless } from "../Finding.ts"
import { keepCompiled, openCompiled } from "../compiled/compiledFiles.ts"
import { readProviders } from "../files/providerFiles.ts"
import { digestOfFiles, type SourceFile } from "../files/readTree.ts"
import { readWords, wordFileNames } from "../files/wordFiles.ts"
import { whileInUse } from "../whileInUse.ts"
import { wordsOf } from "./actText.ts"
import { isAlternativeFile, prepareAlternatives, readAlternatives } from "./alternativeFile.ts"
import { type CommandsData, isCommandFile, readCommandFiles } from "./commandFiles.ts"
import { prepareCatalogue } from "./prepareCatalogue.ts"
import { isParameterFile, prepareParameters, readParameterFiles } from "./parameterFiles.ts"
import { prepareCommands, setOf } from "./prepareCommands.ts"
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
      message: "nothing reads a file of this place and name"
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

/** By the class of the act that they are for. */
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

const firstWordsOf = (forms: ReadonlyArray<PreparedForm>): ReadonlyArray<string> =>
  forms.flatMap(({ conditions }) => {
    const first = conditions.find(({ kind }) => kind === "path")
    return first?.kind === "path" ? first.globs.filter((glob) => glob !== "*") : []
  })

/** Only programs whose arguments choose what they do: `date` and `file` are called like many other things. */
const prepareCommandTools = (
  { tools }: CommandsData,
  { acts, devicePrograms, programs }: PreparedCommands
): CommandTools => {
  const byKey = new Map<string, string>()
  const firstWords = new Map<string, ReadonlyArray<string>>()
  for (const [name, { forms, role }] of programs) {
    const chooses = forms.length > 1 || role === "sql" || role === "mongo"
    if (!chooses || !/^[a-z]/i.test(name)) continue
    byKey.set(keyOf(name), name)
    if (role !== "sql" && role !== "mongo") firstWords.set(name, firstWordsOf(forms))
  }
  for (const [aliases, program] of tools.programs)
    for (const alias of wordsOf(aliases)) byKey.set(alias, program)
  return {
    sqlWords: {
      whole: setOf(tools.sql),
      globs: wordsOf(tools.sql).filter((pattern) => pattern.includes("*"))
    },
    sqlBeginnings: setOf(tools.sqlBeginnings),
    resourceCut: tools.resourceCut,
    commandMax: tools.commandMax,
    databases: wordsOf(tools.databases),
    tooLong: acts.tooLong,
    carriers: setOf(tools.carriers),
    parameters: {
      command: setOf(tools.parameters.command),
      arguments: setOf(tools.parameters.arguments),
      beside: setOf(tools.parameters.beside),
      besideOfDevice: setOf(tools.parameters.besideOfDevice),
      deviceCommands: devicePrograms
    },
    textTools: {
      brands: setOf(tools.textTools.brands),
      names: setOf(tools.textTools.names),
      acts: tools.textTools.acts.map(([verbs, objects]) => [setOf(verbs), setOf(objects)])
    },
    shell: setOf(tools.shell),
    device: {
      sequences: tools.device.map((sequence) => ` ${sequence} `),
      firstWords: new Set(tools.device.map((sequence) => sequence.split(" ", 1)[0] ?? ""))
    },
    fillers: setOf(tools.fillers),
    programs: byKey,
    firstWords,
    files: {
      providers: setOf(tools.files.providers),
      fillers: setOf(tools.files.fillers),
      keys: wordsOf(tools.files.keys),
      programs: tools.files.programs.map(([program, verbs, objects]) => ({
        program,
        verbs: setOf(verbs),
        objects: setOf(objects)
      }))
    }
  }
}

/** A lexicon as plain data, without functions: the form that is compiled. */
export type LexiconTables = Omit<Lexicon, "vocabulary"> & { readonly vocabulary: VocabularyTables }

/** The parts that say what commands, statements and parameters do, and what would be safer. */
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

/** These parts alone, from their files. */
export const prepareActs = (sources: ReadonlyArray<SourceFile>): Read<ActTables> =>
  Result.map(readActData(sources), toActTables)

/** From the files themselves. */
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

/** The lexicon of files with this digest, where it is in use or compiled. */
export const openLexicon = (digest: string): Lexicon | undefined => {
  const known = inUse.get(digest)
  if (known !== undefined) return known
  const tables = openCompiled<LexiconTables>("lexicon", digest)
  return tables === undefined ? undefined : toLexicon(digest, tables)
}

/** `keep`: whether the next process is to find it compiled. */
export const readLexicon = (sources: ReadonlyArray<SourceFile>, keep: boolean): Read<Lexicon> => {
  const digest = digestOfFiles(sources)
  const known = openLexicon(digest)
  if (known !== undefined) return Result.succeed(known)
  return Result.map(prepareLexicon(sources), (tables) => {
    if (keep) keepCompiled("lexicon", digest, tables)
    return toLexicon(digest, tables)
  })
}
