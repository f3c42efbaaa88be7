/** The lexicon as JSON, as in rules/lexicon and in a frozen release. People edit it, and `prepareLexicon` prepares it for look-ups. */

import type { Edition1Class, Extent, safeguardRanks } from "../NormalizedAction.ts"

/**
 * How many things a verb touches by its name:
 * - `bulk`, `single`, `open` as in `Extent`; a word that says bulk overrides `single`.
 * - `named`: single if the name has an object in the singular (`user.delete`), else open.
 * - `scan`: open if the name has an object in the singular (`customer.search`), else bulk.
 */
export type VerbExtent = Extent | "named" | "scan"

export type Safeguard = keyof typeof safeguardRanks

export interface VerbEntry {
  readonly class: Exclude<Edition1Class, "unknown">
  readonly extent: VerbExtent
  /** Also a common noun: if the name has another verb of the same class, that one is the verb and this word stays in the object. */
  readonly noun?: boolean
  /** What the verb does to a key, password or secret. Absent if it does neither. */
  readonly credential?: "makes" | "reveals"
  /** Other spellings. The canonical type has this verb in their place. */
  readonly forms?: ReadonlyArray<string>
  /** Removes or weakens its object, although its class does not say so: `disable`. */
  readonly weakens?: boolean
  readonly why?: string
}

export interface VerbsData {
  readonly verbs: { readonly [verb: string]: VerbEntry }
  /** `<verb> <word> …`: the verb has this class if the name contains all the other words. A phrase only raises. */
  readonly phrases: { readonly [phrase: string]: Pick<VerbEntry, "class" | "why"> }
}

/** Lists of lower-case words. Nouns are in the singular; their regular plurals count as well. */
export interface WordsData {
  /** Mean "many" anywhere in a name. */
  readonly bulk: ReadonlyArray<string>
  /** Plural or mass nouns that do not look like plurals. `singulars`: singulars that do. */
  readonly plurals: ReadonlyArray<string>
  readonly singulars: ReadonlyArray<string>
  /** Classes whose verbs are never `single`. */
  readonly neverSingle: ReadonlyArray<Edition1Class>
  readonly dataStores: ReadonlyArray<string>
  readonly admins: ReadonlyArray<string>
  /** Words or pairs of neighbouring words that name a credential. */
  readonly credentials: ReadonlyArray<string>
  /** Name a credential only for verbs that make one. */
  readonly weakCredentials: ReadonlyArray<string>
  /** Right after a credential these make it another thing: `password policy`, `secret name`. */
  readonly credentialAsides: ReadonlyArray<string>
  /** Words, or pairs of neighbouring words, that name a protection or a trace. Absent in early releases. */
  readonly safeguards?: { readonly [words: string]: Safeguard }
  readonly production: ReadonlyArray<string>
  /** Right before a production word these negate it: `pre-prod`. */
  readonly negatingPrefixes: ReadonlyArray<string>
  /** Resources that mean everything there is. */
  readonly everything: ReadonlyArray<string>
  /** Join two actions: the word after a conjunction forms no compound with the next one, `read and share link`. */
  readonly conjunctions: ReadonlyArray<string>
  /** Words without meaning, left out of the canonical type. */
  readonly stopWords: ReadonlyArray<string>
  /** Words in front of a provider's name that say how it is called: `mcp`, `tools` … */
  readonly wrappers: ReadonlyArray<string>
  /** `log in` → `login`: neighbours that are one word. */
  readonly joins: { readonly [pair: string]: string }
  /** Neighbours in which a verb is a noun: `blog post`, `mailing list`. If the name has no other verb, it stays a verb. */
  readonly compounds: ReadonlyArray<string>
  /** Nouns that give their class to a write or configure verb: `create payment` transacts. They only raise. */
  readonly raising: { readonly [noun: string]: Exclude<Edition1Class, "unknown"> }
  /** A name made of just one of these verbs and one of these nouns only reads: `get_refund`, `refund.get`. */
  readonly readings: { readonly verbs: ReadonlyArray<string>; readonly nouns: ReadonlyArray<string> }
}

/** The meaning of a provider's own name for an action. Absent fields are read from `type`, as from any other name. */
export interface NativeAction {
  /** `<object>.<verb>` */
  readonly type: string
  readonly class: Edition1Class
  readonly extent?: Extent
  readonly dataStore?: boolean
  readonly admin?: boolean
  readonly credential?: boolean
  /** The safeguard that the action removes or weakens, if its type does not say so. */
  readonly safeguard?: Safeguard
  readonly why?: string
}

export interface ProviderData {
  readonly prefixes: ReadonlyArray<string>
  /** True if its names are clear without a prefix. Otherwise a bare name counts only if its words have no known verb. */
  readonly alone: boolean
  readonly actions: { readonly [name: string]: NativeAction }
}

export interface LexiconData {
  readonly verbs: VerbsData
  readonly words: WordsData
  readonly providers: { readonly [name: string]: ProviderData }
}
