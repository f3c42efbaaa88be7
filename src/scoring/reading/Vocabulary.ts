/** The general words of names, as they are looked up: verbs, nouns, phrases, and words about extent and direction. */

import type { ActionClass, DataClassification } from "../../domain/Action.ts"
import type { WordLists } from "./wordLists.ts"
import type { ActExtent, Impact } from "./Act.ts"

/** The kind of thing that an object is, as far as risk depends on it. */
export const objectKinds = [
  "nothing",
  "ephemeral",
  "test",
  "record",
  "message",
  "code",
  "person",
  "money",
  "claim",
  "operational",
  "audience",
  "physical",
  "right",
  "credential",
  "guard",
  "container",
  "danger"
] as const
export type ObjectKind = (typeof objectKinds)[number]

/** The meaning of a verb with some object. */
export interface Meaning {
  readonly class?: ActionClass
  readonly impact?: Impact
  readonly weakens?: boolean
  readonly credential?: boolean
}
export type Meanings = Readonly<Record<string, Meaning>>

export interface ObjectData {
  readonly is: ObjectKind
  /** The data that it usually holds. Absent: internal. */
  readonly holds?: DataClassification
  /** How much of it one name means. Absent: one. */
  readonly amount?: "many" | "everything"
  readonly forms?: ReadonlyArray<string>
}

export interface Verb {
  readonly name: string
  readonly class: ActionClass
  readonly impact?: Impact | undefined
  readonly extent?: ActExtent | undefined
  readonly noun?: true | "mostly" | undefined
  readonly pure?: boolean
  readonly soft?: boolean
  readonly weakens?: boolean
  readonly credential?: boolean
  /** The extent is part of the verb's meaning, as in purge, so its impact already counts it. */
  readonly wide?: boolean
  readonly phrase?: boolean
  /** The verb whose meanings it has: itself, or that of `as`. */
  readonly base?: string
  /**
   * Its own meanings, those of the verb that it is another spelling of, and those that it shares. The first that has the key counts.
   */
  readonly meanings: ReadonlyArray<Meanings>
  readonly to?: ReadonlyMap<string, Meaning>
}

export interface ObjectNoun extends ObjectData {
  readonly name: string
  /** The keys under which a verb may have a meaning for it, most specific first: name, groups, last word, kind. */
  readonly keys: ReadonlyArray<string>
}

/** In which form a word is a verb. `past` forms are adjectives (`deleted_files`), the others can be verbs. */
export type VerbForm = "base" | "third" | "ing" | "past"

export interface Word {
  readonly verb: Verb | undefined
  readonly form: VerbForm
  readonly noun: ObjectNoun | undefined
  readonly plural: boolean
}

/** Names of several words, joined by blanks. */
export interface Sequences<A> {
  readonly byName: ReadonlyMap<string, A>
  /** For each first word, the length of the longest name that begins with it. */
  readonly longest: ReadonlyMap<string, number>
}

export interface Vocabulary {
  readonly words: ReadonlyMap<string, Word>
  readonly compounds: Sequences<ObjectNoun>
  readonly phrases: Sequences<Verb>
  readonly sets: { readonly [K in keyof WordLists]: ReadonlySet<string> }
  readonly isKnown: (word: string) => boolean
}

/** The longest sequence in `words` that begins at `from` and ends before `to`. */
export const sequenceAt = <A>(
  { byName, longest }: Sequences<A>,
  words: ReadonlyArray<string>,
  from: number,
  to: number
): { readonly means: A; readonly length: number } | undefined => {
  let name = words[from] ?? ""
  const most = longest.get(name)
  if (most === undefined) return undefined
  let found: { readonly means: A; readonly length: number } | undefined
  for (let length = 2; length <= most && length <= to - from; length++) {
    name += ` ${words[from + length - 1] ?? ""}`
    const means = byName.get(name)
    if (means !== undefined) found = { means, length }
  }
  return found
}

/** Whether a word that no entry names looks like a plural. */
export const looksPlural = (word: string, { sets, words }: Vocabulary): boolean => {
  const known = words.get(word)
  if (known?.noun !== undefined) return known.plural
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") && !sets.singulars.has(word)
}
