/** The general words of names, as they are looked up: verbs, nouns, phrases, and words about extent and direction. */

import type { ActionClass, DataClassification } from "../../domain/Action.ts"
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

/**
 * Each list with the meaning of its words and their effect on a reading. The schema of the file is made from it, so editors show these
 * texts. Keys of parameters are in lower case and without signs: `pageToken` is `pagetoken`.
 */
export const wordLists = {
  bulk: "Words that mean many, anywhere in a name: the call touches many things.",
  everything:
    "Words that mean all there is, anywhere in a name or in a resource: the call touches everything.",
  hints:
    "In a name without a known verb, these words hint at writing, at many things or at the outside: the impact is high at least.",
  readings: "A name without a verb that ends in such a word reads it: `pods_log`, `conversations_history`.",
  states: "What an act can be in or leave behind. Behind a verb of `stateful` it is read: `transfer_status`.",
  stateful:
    "Verbs that are nouns in front of a word of `states`: `export_history` reads the history of exports.",
  things:
    "Objects that end in a word of `states` and are things all the same, so that the verb counts: `import_bank_details`.",
  prepositions: "End the object of a verb: `add_note_to_incident` adds a note.",
  directions: "Those of `prepositions` behind which a name says where a thing is taken: `to`.",
  generic:
    "Nouns that say nothing behind another noun, which stays the object: `user record`, `secret value`.",
  sayingNothing: "Objects that say nothing: what the resource names is the object. `get_resource`.",
  turning: 'Verbs that may be done to the key or to the place itself: `rotate` of `{"project":"app"}`.',
  conjunctions: "Join two acts in a name, each of which is read: `export_and_delete`.",
  wrappers: "In front of a name, these words say how it is called, and are left out: `mcp`, `tools`.",
  stopWords: "Say nothing in a name.",
  singulars: "Words that look like a plural and are none: `access`, `status`.",
  metadata:
    "Verbs that show that a thing is there, and not what it holds: only regulated data makes such a read worse.",
  doings:
    "Nouns for doing something, and for what does it. A name of nouns that ends in one is unknown, and no read.",
  doers: "What does something is called so behind what it does, and is left out: `payment_service`.",
  nameless:
    "Words that name no thing. A name of such words alone, or of none, is unknown, and no read: `slack`.",
  batching: "In front of nouns alone, these words make a name change all of them: `batch_products`.",
  seeking:
    "Verbs that find what a verb behind `and` is done to: `search_and_delete` deletes what is found, and no search.",
  thingsInFront: "Verbs that are things in front of another verb: `backup_restore` restores.",
  admins: "Words that name an owner or an administrator: the act is about a right to everything.",
  assignments:
    "Nouns for who works on a record, or whose a file is: an owner in such a name has no right to everything.",

  production:
    "Words that name production, with a number behind them or without: the call is one in production.",
  productionSystems:
    "A target system that is called so is production (`primary`, `master-db`), unless a word of `rehearsals` is next to it.",
  rehearsals: "Words for systems that people rehearse on: `staging`.",
  negations:
    "In front of a word for production or for a place, these words say that it is not meant: `non-prod`.",
  outward:
    "Verbs that take a thing to where the destination says: with a destination, the write is an export.",
  putting:
    "Verbs that put a thing where the destination says: with a destination outside, the write is an export.",
  ownPlaces: "Words, or pairs of words, of a destination that is one's own.",
  outsidePlaces: "Words, or pairs of words, of a destination that is outside.",
  otherParties: "Words for others, whose name a URL can hold: a destination with such a URL is outside.",
  sharedHosts: "Parts of hosts that many customers share: such a host may be one's own.",
  publicEndings: "What public hosts end in: such a host is outside, unless it is the target system.",
  silentParameters:
    "Parameters of a URL that name no place: the place is the same with another value of them.",

  sourceEndings:
    "What files of source code end in. Such a file is about what it is called after: `src/token.ts` is no token.",
  proseEndings: "What files of prose end in: they are about what they are called after, too.",
  sourceFolders: "Where source is kept: a file there holds no secret, whatever it is called.",
  secretFolders: "Where people keep secrets: a file that is called like a secret is one there.",
  secretFiles: "What files of secrets are called: outside the folders of source, such a file is a secret.",
  configFiles: "What files of settings are called: a change of one is a change of how things run.",
  systemFolders: "Folders at the root that belong to the system: a file in one is no file of source.",
  namelessEndings: "What a file can end in that names no thing: a `txt` is no text message.",

  addressKeys:
    "Keys of JSON that say where a thing is, or whose, and name none: `owner` makes nobody an owner.",
  plainKeys: "Keys of parameters that name no thing: `pageToken`, `issue_key`.",
  placeKeys:
    "Keys of parameters that say where a thing is. They are the thing of an act that deletes or turns it, and of no other: `project`.",
  stateKeys: "Keys of parameters that say what a place is switched to: `enabled`.",
  speakers: 'Who speaks in a conversation, `{"role":"user"}`, which is no right.',
  pathKeys: "Keys of JSON that hold the path of the file that a tool works on.",
  actionKeys: "Keys of parameters whose value is a verb, which counts as well: `action=wipe`.",
  conditions:
    'Keys of objects whose parameters say which things are meant, and not what is done: `{"match":{"action":"delete"}}`.',
  readingRoles: "Roles that only read: who shares a file as `role=viewer` changes no role.",
  proseKeys:
    "Keys of JSON whose values are texts for people, which do nothing of what they say: `title`, `body`.",
  textHolders:
    "Objects that hold such texts and nothing that takes effect: a page and an issue, but no file and no policy.",
  listedHolders:
    "Objects that hold such texts in products that a catalogue lists: the `event` of a calendar, but not that of a queue.",
  texted: "Words in the names of writes that take a text, which does nothing of what it says: `commit`.",
  seekers:
    "Verbs of reads whose parameters say what is looked for: `search` of `service:checkout` buys nothing.",
  patterned: "Verbs of reads that look for a pattern: a `*` is what they are asked for, and not everything.",

  dispatchers: "Verbs that only hand on an object of `dispatched`: the resource says what is done.",
  dispatched: "Objects that the verbs of `dispatchers` hand on: `call_service` of `light.turn_on` turns on.",
  dispatchKeys: "Keys of the thing, and then of what is done to it: `domain=light service=turn_off`.",
  modelMethods:
    "What can be called of every model of an ERP, also without a bracket behind it: `sale.order search_read`.",
  pressers:
    "Verbs that press an object of `pressed` on a page: the button, or the address of its form, says what is done.",
  pressed: "What the verbs of `pressers` press: `button`.",
  requesters: "A tool with a name of such words alone makes whatever HTTP request it is given.",
  requestMethods: "Keys of JSON whose value is the method of an HTTP request.",
  requestPlaces: "Keys of JSON whose value is the address of an HTTP request.",
  requestBodies: "Keys of JSON whose value is sent by an HTTP request, which without a method is a POST.",
  requestPairs: "Collections in a path whose things have two names: `/repos/{owner}/{name}`.",
  requestFigures: "Parameters with which a GET does what its path ends in: `/transfer?amount=5`.",
  requestDeeds: "Nouns at the end of a path that a GET may do all the same: `/restart`.",
  requestPages:
    "First words of hosts, and segments of paths, behind which pages stand: a GET there reads a page.",
  requestSections: "Further segments of paths behind which pages stand.",
  requestShelves: "Segments right behind which the name of a thing stands: a GET of `/crates/shred` reads.",
  requestTexts:
    "Verbs that look for a text, and objects that are one: nothing makes a request that stands in it.",
  requestStores:
    "Words of hosts, and ports, of stores whose collections are the only segment of a path: `DELETE http://es:9200/orders`."
} as const

export type WordLists = Readonly<Record<keyof typeof wordLists, ReadonlyArray<string>>>
