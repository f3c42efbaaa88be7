/** General words used in names, prepared for look-up: verbs, nouns, phrases, and words about extent and direction. */

import type { ActionClass, DataClassification } from "../../domain/Action.ts"
import type { ActExtent, Impact } from "./Act.ts"

/** Kinds of objects, as coarse as risk needs them. */
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

/** The meaning of a verb for a certain object. */
export interface Meaning {
  readonly class?: ActionClass
  readonly impact?: Impact
  readonly weakens?: boolean
  readonly credential?: boolean
}
export type Meanings = Readonly<Record<string, Meaning>>

export interface ObjectData {
  readonly is: ObjectKind
  /** The sensitivity of the data that it usually holds. Absent: internal. */
  readonly holds?: DataClassification
  /** How many things the noun means. Absent: one. */
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
  /** The verb already implies a wide extent (purge), and its impact includes that. */
  readonly wide?: boolean
  readonly phrase?: boolean
  /** The verb whose meanings apply: the verb itself, or the one named by `as`. */
  readonly base?: string
  /** Its own meanings, those of the verb that it is another spelling of, and shared ones. The first that has the key wins. */
  readonly meanings: ReadonlyArray<Meanings>
  readonly to?: ReadonlyMap<string, Meaning>
}

export interface ObjectNoun extends ObjectData {
  readonly name: string
  /** The keys under which a verb may define a meaning for this noun, most specific first: name, groups, last word, kind. */
  readonly keys: ReadonlyArray<string>
}

/** The grammatical form of a verb. `past` forms are adjectives (`deleted_files`); the others can act as verbs. */
export type VerbForm = "base" | "third" | "ing" | "past"

export interface Word {
  readonly verb: Verb | undefined
  readonly form: VerbForm
  readonly noun: ObjectNoun | undefined
  readonly plural: boolean
}

/** Names of several words, joined by spaces. */
export interface Sequences<A> {
  readonly byName: ReadonlyMap<string, A>
  /** For each first word, the length of the longest name that begins with it. */
  readonly longest: ReadonlyMap<string, number>
}

/** Patterns that are matched against prose, built from the word lists. */
export interface TextPatterns {
  readonly secretNamed: RegExp
  readonly secretHandedOn: RegExp
  readonly codeTold: RegExp
  readonly outsider: RegExp
}

export interface Vocabulary {
  readonly words: ReadonlyMap<string, Word>
  readonly compounds: Sequences<ObjectNoun>
  readonly phrases: Sequences<Verb>
  readonly sets: { readonly [K in keyof WordLists]: ReadonlySet<string> }
  readonly texts: TextPatterns
  readonly isKnown: (word: string) => boolean
}

/** The longest known sequence in `words` that starts at `from` and ends before `to`. */
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

/** Whether a word without an entry of its own looks like a plural. */
export const looksPlural = (word: string, { sets, words }: Vocabulary): boolean => {
  const known = words.get(word)
  if (known?.noun !== undefined) return known.plural
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") && !sets.singulars.has(word)
}

/**
 * Each word list, with what its words mean and how they affect a reading. The schema of the file is made from this table, so editors show
 * these texts. Keys of parameters are in lower case without punctuation: `pageToken` is `pagetoken`.
 */
export const wordLists = {
  bulk: "Words that mean many, anywhere in a name: the call touches many things.",
  everything: "Words that mean everything, anywhere in a name or in a resource: the call touches everything.",
  hints:
    "In a name without a known verb, these words hint at writing, at many things or at the outside: the impact is high at least.",
  readings: "A name without a verb that ends in such a word reads it: `pods_log`, `conversations_history`.",
  states: "States and traces of an act. After a verb of `stateful`, the name reads them: `transfer_status`.",
  stateful: "Verbs that are nouns before a word of `states`: `export_history` reads the history of exports.",
  things:
    "Objects that end in a word of `states` and are things all the same, so that the verb counts: `import_bank_details`.",
  prepositions: "End the object of a verb: `add_note_to_incident` adds a note.",
  directions: "Those of `prepositions` after which a name says where a thing is taken: `to`.",
  generic:
    "Nouns that say nothing after another noun, which stays the object: `user record`, `secret value`.",
  sayingNothing: "Objects that say nothing: what the resource names is the object. `get_resource`.",
  turning: 'Verbs that may be done to the key or to the place itself: `rotate` of `{"project":"app"}`.',
  conjunctions: "Join two acts in a name, each of which is read: `export_and_delete`.",
  wrappers: "Before a name, these words say how it is called, and are left out: `mcp`, `tools`.",
  stopWords: "Say nothing in a name.",
  singulars: "Words that look like a plural and are none: `access`, `status`.",
  metadata:
    "Verbs that show that a thing is there, and not what it holds: only regulated data makes such a read worse.",
  doings:
    "Nouns for an activity, or for something that acts. A name of nouns that ends in one is unknown, and no read.",
  doers:
    "Nouns for something that acts, after the noun for what it does. They are left out: `payment_service`.",
  nameless:
    "Words that name no thing. A name of only such words, or of none, is unknown, and no read: `slack`.",
  batching: "Before nouns alone, these words make a name change all of them: `batch_products`.",
  seeking:
    "Verbs that find the things for the verb after `and`: `search_and_delete` deletes the things found, and no search.",
  thingsInFront: "Verbs that are things before another verb: `backup_restore` restores.",
  admins: "Words that name an owner or an administrator: the act is about a right to everything.",
  assignments:
    "Nouns for the person who works on a record or owns a file: an owner in such a name has no right to everything.",

  production:
    "Words that name production, with a number after them or without: the call is one in production.",
  productionSystems:
    "A target system that is called so is production (`primary`, `master-db`), unless a word of `rehearsals` is next to it.",
  rehearsals: "Words for systems that people rehearse on: `staging`.",
  negations: "Before a word for production or for a place, these words say that it is not meant: `non-prod`.",
  outward:
    "Verbs that take a thing to where the destination says: with a destination, the write is an export.",
  putting:
    "Verbs that put a thing where the destination says: with a destination outside, the write is an export.",
  ownPlaces: "Words, or pairs of words, of a destination that is one's own.",
  outsidePlaces: "Words, or pairs of words, of a destination that is outside.",
  otherParties: "Words for others, whose name a URL can hold: a destination with such a URL is outside.",
  sharedHosts: "Parts of hosts that many customers share: such a host may be one's own.",
  publicEndings: "Endings of public hosts: such a host is outside, unless it is the target system.",
  silentParameters:
    "Parameters of a URL that name no place: the place is the same with another value of them.",

  sourceEndings:
    "Endings of files of source code. Such a file only bears the name of a thing: `src/token.ts` is no token.",
  proseEndings: "Endings of files of prose, which only bear the names of things, too.",
  sourceFolders: "Where source is kept: a file there holds no secret, whatever it is called.",
  secretFolders: "Where people keep secrets: a file that is called like a secret is one there.",
  secretFiles: "Names of files of secrets: outside the folders of source, such a file is a secret.",
  configFiles: "Names of files of settings: a change of one changes how things run.",
  systemFolders: "Folders at the root that belong to the system: a file in one is no file of source.",
  namelessEndings: "Endings of files that name no thing: a `txt` is no text message.",

  addressKeys:
    "Keys of JSON that say where or whose a thing is, and name none: `owner` makes no person an owner.",
  plainKeys: "Keys of parameters that name no thing: `pageToken`, `issue_key`.",
  placeKeys:
    "Keys of parameters that say where a thing is. They are the thing of an act that deletes or turns it, and of no other: `project`.",
  stateKeys: "Keys of parameters for the state to which a place is switched: `enabled`.",
  speakers: 'Speakers in a conversation, `{"role":"user"}`, which is no right.',
  pathKeys: "Keys of JSON that hold the path of the file that a tool works on.",
  actionKeys: "Keys of parameters whose value is a verb, which counts as well: `action=wipe`.",
  conditions:
    'Keys of objects whose parameters say which things are meant, and not what is done: `{"match":{"action":"delete"}}`.',
  readingRoles: "Roles that only read: sharing a file as `role=viewer` changes no role.",
  proseKeys:
    "Keys of JSON whose values are texts for people, which do nothing of what they say: `title`, `body`.",
  textHolders:
    "Objects that hold such texts and nothing that takes effect: a page and an issue, but no file and no policy.",
  listedHolders:
    "Objects that hold such texts in products that a catalogue lists: the `event` of a calendar, but not that of a queue.",
  texted: "Words in the names of writes that take a text, which does nothing of what it says: `commit`.",
  outsiders:
    "Parts of names of receivers outside the organization. A text for them counts like any other argument.",
  secretNames:
    "Names for secrets. A text hands a secret on if a value follows its name: `password: hunter2`.",
  codeNames:
    "Names for codes. A text hands a code on if the sentence goes on with a digit: `the code for the door is 4711`.",
  secretMarks: "Prefixes of tokens and keys. A text that has one hands it on.",
  secretPhrases: "Phrases that only come with a secret: `seed phrase`.",
  numberNames: "Names for numbers of people and accounts. A text hands the number on if digits follow.",
  seekers:
    "Verbs of reads whose parameters describe the things to find: `search` of `service:checkout` buys nothing.",
  patterned:
    "Verbs of reads that look for a pattern: a `*` is part of the question, and does not mean everything.",

  dispatchers: "Verbs that only hand on an object of `dispatched`: the resource says what is done.",
  dispatched: "Objects that the verbs of `dispatchers` hand on: `call_service` of `light.turn_on` turns on.",
  dispatchKeys: "Keys of the thing, and then of what is done to it: `domain=light service=turn_off`.",
  modelMethods:
    "Methods of every model of an ERP, even without a bracket after them: `sale.order search_read`.",
  pressers:
    "Verbs that press an object of `pressed` on a page: the button, or the address of its form, says what is done.",
  pressed: "Objects that the verbs of `pressers` press: `button`.",
  requesters: "A tool with a name of only such words makes whatever HTTP request it is given.",
  requestMethods: "Keys of JSON whose value is the method of an HTTP request.",
  requestPlaces: "Keys of JSON whose value is the address of an HTTP request.",
  requestBodies: "Keys of JSON whose value is sent by an HTTP request, which without a method is a POST.",
  requestPairs: "Collections in a path whose things have two names: `/repos/{owner}/{name}`.",
  requestFigures: "Parameters with which a GET performs the last segment of its path: `/transfer?amount=5`.",
  requestDeeds: "Nouns at the end of a path that a GET may do all the same: `/restart`.",
  requestPages:
    "First words of hosts, and segments of paths, after which pages follow: a GET there reads a page.",
  requestSections: "Further segments of paths after which pages follow.",
  requestShelves: "Segments that are followed by the name of a thing: a GET of `/crates/shred` reads.",
  requestTexts: "Verbs that look for a text, and objects that are one: a request in that text is never made.",
  requestStores:
    "Words of hosts, and ports, of stores whose collections are the only segment of a path: `DELETE http://es:9200/orders`."
} as const

export type WordLists = Readonly<Record<keyof typeof wordLists, ReadonlyArray<string>>>
