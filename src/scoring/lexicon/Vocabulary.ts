/** Everything known of single words, prepared so that reading a name costs one lookup per word. */

import type { SafeguardRank } from "../../domain/ActionType.ts"
import type { VerbEntry, VerbExtent } from "../LexiconData.ts"

export interface Phrase {
  /** Of each of these, one spelling stands in the name, anywhere. */
  readonly others: ReadonlyArray<ReadonlyArray<string>>
  readonly rank: number
}

export interface Verb {
  /** The canonical spelling. */
  readonly name: string
  /** Index into `actionClasses`: smaller is riskier. */
  readonly rank: number
  readonly extent: VerbExtent
  /** Also a common noun. */
  readonly noun: boolean
  readonly credential: VerbEntry["credential"]
  readonly weakens: boolean
  readonly phrases: ReadonlyArray<Phrase>
}

export interface Word {
  readonly verb: Verb | undefined
  readonly bulk: boolean
  /** Undefined: its spelling tells. */
  readonly plural: boolean | undefined
  /** Rank of the class that this noun gives to write and configure verbs; `noRank` when it gives none. */
  readonly raisesTo: number
  /** Left out, as `conjunction` words are. */
  readonly stop: boolean
  readonly conjunction: boolean
  /** A way of calling, which stands in front of a provider. */
  readonly wrapper: boolean
  /** A provider or a way of calling that says nothing else: left out at the start of an object. */
  readonly prefix: boolean
  readonly dataStore: boolean
  readonly admin: boolean
  readonly credential: boolean
  readonly weakCredential: boolean
  readonly credentialAside: boolean
  readonly production: boolean
  readonly negates: boolean
  readonly everything: boolean
  /** By the word that follows. */
  readonly joins: ReadonlyMap<string, string> | undefined
  readonly compounds: ReadonlySet<string> | undefined
  readonly credentialPairs: ReadonlySet<string> | undefined
  /** By itself. */
  readonly safeguard: SafeguardRank
  /** With the word that follows. */
  readonly safeguardPairs: ReadonlyMap<string, SafeguardRank> | undefined
}

export interface Vocabulary {
  readonly words: ReadonlyMap<string, Word>
  /** Ranks of classes whose verbs are never single by their name. */
  readonly neverSingle: ReadonlySet<number>
}
