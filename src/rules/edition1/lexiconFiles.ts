/** `rules/lexicon/*.json` of the first edition: verbs, words, and the names that each provider gives its own actions. */

import { Result, Schema } from "effect"
import { edition1Classes } from "../../scoring/edition1/NormalizedAction.ts"
import type { LexiconData } from "../../scoring/edition1/lexicon/LexiconData.ts"
import { type Read, readEvery } from "../Finding.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { fileNamed, type SourceFile } from "../files/readTree.ts"
import { fileStruct, Sentence } from "../files/vocabulary.ts"

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

/** Every other file of the folder belongs to one provider. */
const sharedFiles = new Set(["verbs", "words"])

export const readLexicon = (sources: ReadonlyArray<SourceFile>): Read<LexiconData> =>
  Result.gen(function* () {
    const verbs = yield* decodeFile(LexiconVerbsFile, yield* fileNamed(sources, "verbs", "rules/lexicon"))
    const words = yield* decodeFile(LexiconWordsFile, yield* fileNamed(sources, "words", "rules/lexicon"))
    const providers = yield* readEvery(
      sources
        .filter(({ name }) => !sharedFiles.has(name))
        .map((source) =>
          Result.map(decodeFile(LexiconProviderFile, source), (provider) => [source.name, provider] as const)
        )
    )
    return { verbs, words, providers: Object.fromEntries(providers) }
  })
