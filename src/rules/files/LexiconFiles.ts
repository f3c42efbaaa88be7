/** `rules/lexicon/*.json`: verbs, words, and what each provider calls its own actions. */

import { Schema } from "effect"
import { actionClasses } from "../../domain/ActionType.ts"
import { fileStruct } from "./fileStruct.ts"
import { Sentence } from "./vocabulary.ts"

/** What an entry may say of itself to a reviewer. */
const Why = Schema.optionalKey(Sentence)
const Words = Schema.Array(Sentence)
const ClassName = Schema.Literals(actionClasses)
const KnownClassName = Schema.Literals(actionClasses.filter((name) => name !== "unknown"))
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

export const VerbsFile = fileStruct({
  verbs: Schema.Record(Schema.String, VerbEntryFile),
  phrases: Schema.Record(Schema.String, fileStruct({ class: KnownClassName, why: Why }))
})

export const WordsFile = fileStruct({
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

export const ProviderFile = fileStruct({
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
