/** The lexicon as it stands in rules/lexicon and in a frozen release: plain JSON, read by people and prepared by `prepareLexicon`. */

import type { ActionClass, Extent, safeguardRanks } from "../../domain/Action.ts"

/**
 * How many things a verb touches by its name:
 * - `bulk`, `single`, `open` as in `Extent`; `single` gives way to any word that says bulk.
 * - `named`: single where an object in the singular is named (`user.delete`), open where none is.
 * - `scan`: bulk, and open where an object in the singular is named (`customer.search`).
 */
export type VerbExtent = Extent | "named" | "scan"

export type Safeguard = keyof typeof safeguardRanks

export interface VerbEntry {
  readonly class: Exclude<ActionClass, "unknown">
  readonly extent: VerbExtent
  /** Also a common noun: another verb of the same class is shown as the verb, and the word stays in the object. */
  readonly noun?: boolean
  /** What the verb does to a key, password or secret that it is used on; absent when neither. */
  readonly credential?: "makes" | "reveals"
  /** Other spellings that are shown as this verb. */
  readonly forms?: ReadonlyArray<string>
  /** Takes away or narrows what it is used on, although its class does not say so: `disable`. */
  readonly weakens?: boolean
  readonly why?: string
}

export interface VerbsData {
  readonly verbs: { readonly [verb: string]: VerbEntry }
  /** `<verb> <word> …`: the verb has this class where all the other words stand anywhere in the name. A phrase only raises. */
  readonly phrases: { readonly [phrase: string]: Pick<VerbEntry, "class" | "why"> }
}

/** Lists of lower-case words. Nouns are given in the singular; their regular plurals are known too. */
export interface WordsData {
  /** Say "many" wherever they stand. */
  readonly bulk: ReadonlyArray<string>
  /** Plural or mass nouns that do not look like it, and singulars that look like plurals. */
  readonly plurals: ReadonlyArray<string>
  readonly singulars: ReadonlyArray<string>
  /** Classes whose verbs are never `single` by their name. */
  readonly neverSingle: ReadonlyArray<ActionClass>
  readonly dataStores: ReadonlyArray<string>
  readonly admins: ReadonlyArray<string>
  /** Words or pairs of neighbouring words that name a credential. */
  readonly credentials: ReadonlyArray<string>
  /** Name a credential only for verbs that make one. */
  readonly weakCredentials: ReadonlyArray<string>
  /** Right after a credential these make it another thing: `password policy`, `secret name`. */
  readonly credentialAsides: ReadonlyArray<string>
  /** Words, or pairs of neighbouring words, of what keeps an action from doing harm or from being forgotten. Absent in early releases. */
  readonly safeguards?: { readonly [words: string]: Safeguard }
  readonly production: ReadonlyArray<string>
  /** Right before a production word these turn it around: `pre-prod`. */
  readonly negatingPrefixes: ReadonlyArray<string>
  /** Resources that mean everything there is. */
  readonly everything: ReadonlyArray<string>
  /** Join two doings: the word after one is no part of a compound with what follows, `read and share link`. */
  readonly conjunctions: ReadonlyArray<string>
  /** Left out of the canonical type; they say nothing. */
  readonly stopWords: ReadonlyArray<string>
  /** Ways of calling that stand before a provider's name: `mcp`, `tools` … */
  readonly wrappers: ReadonlyArray<string>
  /** `log in` → `login`: neighbours that are one word. */
  readonly joins: { readonly [pair: string]: string }
  /** Neighbours in which a verb is a noun: `blog post`, `mailing list`. Without another verb in the name they are not. */
  readonly compounds: ReadonlyArray<string>
  /** Nouns that give a write or configure verb their class: `create payment` transacts. They only raise. */
  readonly raising: { readonly [noun: string]: Exclude<ActionClass, "unknown"> }
  /** A name made of just one of these verbs and one of these nouns only reads: `get_refund`, `refund.get`. */
  readonly readings: { readonly verbs: ReadonlyArray<string>; readonly nouns: ReadonlyArray<string> }
}

/** A provider's own name for an action. What is left out is read from `type`, as from any other name. */
export interface NativeAction {
  /** `<object>.<verb>` */
  readonly type: string
  readonly class: ActionClass
  readonly extent?: Extent
  readonly dataStore?: boolean
  readonly admin?: boolean
  readonly credential?: boolean
  /** What the action takes away or narrows, where its type does not say so. */
  readonly safeguard?: Safeguard
  readonly why?: string
}

export interface ProviderData {
  readonly prefixes: ReadonlyArray<string>
  /** True when its names are unmistakable without a prefix; else a bare name counts only where its words say nothing. */
  readonly alone: boolean
  readonly actions: { readonly [name: string]: NativeAction }
}

export interface LexiconData {
  readonly verbs: VerbsData
  readonly words: WordsData
  readonly providers: { readonly [name: string]: ProviderData }
}
