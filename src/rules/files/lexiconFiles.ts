/** `rules/lexicon/*.json`: verbs, words, the names that each provider gives its own actions, and commands. */

import { Result, Schema } from "effect"
import { dataClassifications } from "../../domain/Action.ts"
import { edition1Classes } from "../../scoring/edition1/NormalizedAction.ts"
import type { LexiconData } from "../../scoring/edition1/lexicon/LexiconData.ts"
import { impacts } from "../../scoring/reading/Act.ts"
import { type CommandsData, namedActs, programRoles } from "../../scoring/reading/commands/commandsData.ts"
import { type Read, readEvery } from "../Finding.ts"
import { decodeFile } from "./decodeFile.ts"
import type { SourceFile } from "./readTree.ts"
import { fileStruct, Sentence } from "./vocabulary.ts"

/** The reason for an entry, for reviewers. */
const Why = Schema.optionalKey(Sentence)
const Words = Schema.Array(Sentence)
const ClassName = Schema.Literals(edition1Classes)
const KnownClassName = Schema.Literals(edition1Classes.filter((name) => name !== "unknown"))
const SafeguardName = Schema.Literals(["protection", "trace"])
const extents = ["bulk", "single", "open"] as const

const VerbEntryFile = fileStruct({
  class: KnownClassName,
  extent: Schema.Literals([...extents, "named", "scan"]),
  noun: Schema.optionalKey(Schema.Boolean),
  credential: Schema.optionalKey(Schema.Literals(["makes", "reveals"])),
  forms: Schema.optionalKey(Words),
  weakens: Schema.optionalKey(Schema.Boolean),
  why: Why
})

export const LexiconVerbsFile = fileStruct({
  verbs: Schema.Record(Schema.String, VerbEntryFile),
  phrases: Schema.Record(Schema.String, fileStruct({ class: KnownClassName, why: Why }))
})

export const LexiconWordsFile = fileStruct({
  bulk: Words,
  plurals: Words,
  singulars: Words,
  neverSingle: Schema.Array(ClassName),
  dataStores: Words,
  admins: Words,
  credentials: Words,
  weakCredentials: Words,
  credentialAsides: Words,
  safeguards: Schema.optionalKey(Schema.Record(Schema.String, SafeguardName)),
  production: Words,
  negatingPrefixes: Words,
  everything: Words,
  stopWords: Words,
  wrappers: Words,
  conjunctions: Words,
  joins: Schema.Record(Schema.String, Sentence),
  compounds: Words,
  raising: Schema.Record(Schema.String, KnownClassName),
  readings: fileStruct({ verbs: Words, nouns: Words })
})

export const LexiconProviderFile = fileStruct({
  prefixes: Words,
  alone: Schema.Boolean,
  actions: Schema.Record(
    Schema.String,
    fileStruct({
      type: Sentence,
      class: ClassName,
      extent: Schema.optionalKey(Schema.Literals(extents)),
      dataStore: Schema.optionalKey(Schema.Boolean),
      admin: Schema.optionalKey(Schema.Boolean),
      credential: Schema.optionalKey(Schema.Boolean),
      safeguard: Schema.optionalKey(SafeguardName),
      why: Why
    })
  )
})

/** Every other file of the folder belongs to one provider. `commands` is the vocabulary of src/scoring/reading/commands. */
const sharedFiles = new Set(["verbs", "words", "commands"])

const sourceNamed = (sources: ReadonlyArray<SourceFile>, name: string): Read<SourceFile> => {
  const found = sources.find((source) => source.name === name)
  return found === undefined
    ? Result.fail([
        {
          rule: "unreadable-file",
          file: `rules/lexicon/${name}.json`,
          path: [],
          message: "there is no such file"
        }
      ])
    : Result.succeed(found)
}

export const readLexicon = (sources: ReadonlyArray<SourceFile>): Read<LexiconData> =>
  Result.gen(function* () {
    const verbs = yield* decodeFile(LexiconVerbsFile, yield* sourceNamed(sources, "verbs"))
    const words = yield* decodeFile(LexiconWordsFile, yield* sourceNamed(sources, "words"))
    const providers = yield* readEvery(
      sources
        .filter(({ name }) => !sharedFiles.has(name))
        .map((source) =>
          Result.map(decodeFile(LexiconProviderFile, source), (provider) => [source.name, provider] as const)
        )
    )
    return { verbs, words, providers: Object.fromEntries(providers) }
  })

const ImpactName = Schema.Literals(impacts)
/** Words with spaces between them. */
const WordList = Schema.String.check(Schema.isMinLength(1))
const Count = Schema.Int.check(Schema.isGreaterThan(0))

const structOf = <const Keys extends ReadonlyArray<string>, S extends Schema.Constraint>(
  keys: Keys,
  schema: S
) => fileStruct(Object.fromEntries(keys.map((key) => [key, schema])) as { [Key in Keys[number]]: S })

const ProgramFile = fileStruct({
  names: WordList,
  values: Schema.optionalKey(WordList),
  flags: Schema.optionalKey(Schema.Literals(["word", "slash"])),
  role: Schema.optionalKey(Schema.Literals(programRoles)),
  runs: Schema.optionalKey(Schema.Literals(["rest", "joined", "dashes"])),
  skip: Schema.optionalKey(Count),
  runsFor: Schema.optionalKey(Schema.Array(Sentence)),
  runsFlag: Schema.optionalKey(Sentence),
  root: Schema.optionalKey(Schema.Boolean),
  forms: Schema.Array(Schema.Tuple([Schema.String, Schema.String]))
})

export const LexiconCommandsFile = fileStruct({
  limits: structOf(
    [
      "textMax",
      "parsedMax",
      "printMax",
      "commandsMax",
      "nestingMax",
      "actsMax",
      "openingsMax",
      "separatorsMax",
      "sqlTokensMax",
      "pathsMax",
      "pathLengthMax",
      "wordsMax",
      "sampleMax",
      "proseMin"
    ],
    Count
  ),
  programs: Schema.Array(ProgramFile),
  paths: Schema.Array(Schema.Tuple([Sentence, WordList])),
  acts: structOf(namedActs, Sentence),
  holds: Schema.Record(Schema.Literals(dataClassifications), Schema.optionalKey(WordList)),
  sqlReadImpacts: Schema.Record(
    Schema.Literals(dataClassifications),
    Schema.optionalKey(Schema.Tuple([ImpactName, ImpactName, ImpactName, ImpactName]))
  ),
  sqlFunctions: Schema.Array(Schema.Tuple([WordList, Schema.Literals(namedActs)])),
  superRoles: WordList,
  temporaryTables: WordList,
  runsVariables: WordList,
  vitalTables: WordList,
  accessTables: WordList,
  localHosts: WordList,
  functionWords: WordList
})

export const readCommandsFile = (sources: ReadonlyArray<SourceFile>): Read<CommandsData> =>
  Result.flatMap(sourceNamed(sources, "commands"), (source) => decodeFile(LexiconCommandsFile, source))
