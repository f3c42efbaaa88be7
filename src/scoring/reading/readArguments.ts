/** The arguments of a call: explicit parameters, the things that they name, and how many. Prose is never read. */

import { type ActionClass, type DataClassification, dataClassifications } from "../../domain/Action.ts"
import { type ActExtent, higher, type Impact } from "./Act.ts"
import { type ObjectNoun, type ObjectKind, sequenceAt, type Vocabulary } from "./Vocabulary.ts"
import { parametersOf, splitName, type SplitName } from "../names/splitName.ts"
import {
  handsOnSecret,
  isJson,
  statesMore,
  withoutAddresses,
  withoutEndings,
  withoutKeys,
  withoutSchemes
} from "./namingWords.ts"

/** The description is prose: it is searched only for signals that name it, and for none that lowers. */
export type ArgumentField = "target_resource" | "destination" | "target_system" | "action_description"

/** A parameter with one meaning whatever the tool is: `is_destroy=true`, `type=anyone`. */
export interface Signal {
  readonly id: string
  /** Each is a sequence of words. One of them must be in a field. */
  readonly words?: ReadonlyArray<ReadonlyArray<string>>
  /** Lower-case texts with signs that no word shows: `.github/workflows`. One of them must be in a field, between signs. */
  readonly text?: ReadonlyArray<string>
  /** A lone `*` or `%` stands for it in the resource. */
  readonly wildcard?: boolean
  /** None of these words may be in the same field. */
  readonly unlessWords?: ReadonlyArray<ReadonlyArray<string>>
  /** The fields that are searched for it. */
  readonly in: ReadonlyArray<ArgumentField>
  /** Only for acts of these classes. Absent: for all except internal and simulate. */
  readonly classes?: ReadonlyArray<ActionClass>
  /** Only for, or never for, acts of these verbs. */
  readonly verbs?: ReadonlyArray<string>
  readonly unlessVerbs?: ReadonlyArray<string>
  /** Only for, or never for, objects of these kinds. */
  readonly kinds?: ReadonlyArray<ObjectKind>
  readonly exceptKinds?: ReadonlyArray<ObjectKind>
  /** Only where the call is not one of production. */
  readonly outsideProduction?: boolean
  /** Only where it is. */
  readonly onlyProduction?: boolean
  /** Its effect on the act: the least impact, the class, the extent, and the data that it holds. */
  readonly impact?: Impact
  readonly class?: ActionClass
  readonly extent?: ActExtent
  readonly holds?: DataClassification
  readonly anywhere?: boolean
  readonly weakens?: boolean
  readonly credential?: boolean
  /** Everything it holds becomes public: for restricted data, nothing worse can happen. */
  readonly exposes?: boolean
  /** An explicit parameter makes the act milder: the impact falls by this many levels (absent: to `to`), never below `to`. */
  readonly lowers?: boolean
  readonly by?: number
  readonly to?: Impact
  readonly why: string
}

export interface PreparedSignals {
  readonly ofWildcards: ReadonlyArray<Signal>
  /** The signals that a destination can give. */
  readonly ofDestinations: ReadonlyMap<ActionClass, ReadonlyArray<Signal>>
  /** Finds out quickly that another text has none of the texts. */
  readonly anyText: RegExp
  readonly texts: {
    readonly all: ReadonlyArray<{ readonly text: string; readonly signal: Signal }>
    /** Each text once: several signals have the same ones. */
    readonly wanted: ReadonlyArray<string>
  }
  readonly byFirst: ReadonlyMap<
    string,
    ReadonlyArray<{ readonly words: ReadonlyArray<string>; readonly signal: Signal }>
  >
}

/** A signal that names no class does not apply to an act that touches nothing. */
export const isForClass = ({ classes }: Signal, own: ActionClass): boolean =>
  classes?.includes(own) ?? (own !== "internal" && own !== "simulate")

export interface ArgumentReading {
  /** For a resource, without the text before `://`. */
  readonly words: Readonly<Record<ArgumentField, ReadonlyArray<string>>>
  readonly signals: ReadonlyArray<Signal>
  /** How many of these signals are in the resource. Those of a destination come after them. */
  readonly signalsOfResource: number
  /** The things that the resource names. */
  readonly nouns: ReadonlyArray<ObjectNoun>
  /** The things that are named outside keys that say where a thing is: `"project": "app"`. */
  readonly unplacedNouns: ReadonlyArray<ObjectNoun>
  /** A parameter is stated that is no place. */
  readonly statesMore: boolean
  /** The resource is JSON. */
  readonly isKeyed: boolean
  /** The values of parameters for verbs: `wipe` of `action=wipe`. */
  readonly verbs: ReadonlyArray<SplitName>
  /** The resource means everything: `*`, `all`. */
  readonly everything: boolean
  /** The resource names an administrator, an owner or root. */
  readonly admin: boolean
  /** The role that the resource names only reads: `role=viewer`. */
  readonly readingRole: boolean
}

interface Arguments {
  readonly targetResource?: string
  readonly destination?: string
  readonly targetSystem?: string
  readonly actionDescription?: string
}

const startsWith = (words: ReadonlyArray<string>, at: number, sequence: ReadonlyArray<string>): boolean => {
  for (let i = 0; i < sequence.length; i++) if (words[at + i] !== sequence[i]) return false
  return true
}

const stands = (words: ReadonlyArray<string>, sequence: ReadonlyArray<string>): boolean =>
  words.some((_, at) => startsWith(words, at, sequence))

const signalsIn = (
  field: ArgumentField,
  text: string,
  words: ReadonlyArray<string>,
  { anyText, byFirst, texts }: PreparedSignals
): ReadonlyArray<Signal> => {
  const found: Array<Signal> = []
  const seen = new Set<Signal>()
  const add = (signal: Signal): void => {
    if (seen.has(signal)) return
    seen.add(signal)
    if (!signal.in.includes(field)) return
    if (field === "action_description" && signal.lowers === true) return
    if (signal.unlessWords?.some((sequence) => stands(words, sequence)) === true) return
    found.push(signal)
  }
  for (let at = 0; at < words.length; at++) {
    const begun = byFirst.get(words[at] ?? "")
    if (begun === undefined) continue
    for (const { signal, words: sequence } of begun)
      if (!seen.has(signal) && startsWith(words, at, sequence)) add(signal)
  }
  const lower = text.toLowerCase()
  if (anyText.test(lower)) {
    const standing = new Set(texts.wanted.filter((wanted) => standsBetweenSigns(lower, wanted)))
    for (const { signal, text: wanted } of standing.size === 0 ? [] : texts.all)
      if (standing.has(wanted)) add(signal)
  }
  return found
}

const isLetterOrDigit = (sign: string): boolean =>
  (sign >= "a" && sign <= "z") || (sign >= "0" && sign <= "9")

/** Whether a text occurs in another and is no part of a longer word: `.tf` in `main.tf`, and not in `page.tfoot`. */
const standsBetweenSigns = (text: string, wanted: string): boolean => {
  const startsWord = isLetterOrDigit(wanted.charAt(0))
  const endsWord = isLetterOrDigit(wanted.charAt(wanted.length - 1))
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const continued = startsWord && isLetterOrDigit(text.charAt(at - 1))
    if (!continued && !(endsWord && isLetterOrDigit(text.charAt(at + wanted.length)))) return true
  }
  return false
}

const nounsIn = (words: ReadonlyArray<string>, vocabulary: Vocabulary): ReadonlyArray<ObjectNoun> => {
  const found: Array<ObjectNoun> = []
  let at = 0
  while (at < words.length) {
    const word = words[at] ?? ""
    const compound = sequenceAt(vocabulary.compounds, words, at, words.length)
    const noun = compound?.means ?? vocabulary.words.get(word)?.noun
    if (noun !== undefined) found.push(noun)
    at += compound?.length ?? 1
  }
  return found
}

/** The most sensitive data that the nouns usually hold. */
export const mostSensitive = (nouns: ReadonlyArray<ObjectNoun>): DataClassification | undefined => {
  let most: DataClassification | undefined
  for (const { holds } of nouns) if (holds !== undefined) most = higher(dataClassifications, holds, most)
  return most
}

const wordsOf = (text: string | undefined, { isKnown }: Vocabulary): ReadonlyArray<string> =>
  text === undefined ? [] : splitName(text, isKnown).words

/** A `*` or `%` that is a whole part of the text. In `report-*` and `100%` it is part of a name. */
const loneWildcard = /(?:^|[\s/:.,;|="'`()[\]{}<>])[*%]+(?:$|[\s/:.,;|="'`()[\]{}<>])/

const hasLoneWildcard = (text: string): boolean =>
  (text.includes("*") || text.includes("%")) && loneWildcard.test(text)

const namedVerbsMax = 4

/** The key of the object of JSON that begins at a place: `match` of `{"match":{"action":"delete"}}`. */
const keyBefore = (text: string, open: number): string =>
  /(\w+)["']?\s*:\s*$/.exec(text.slice(Math.max(0, open - keyMax), open))?.[1]?.toLowerCase() ?? ""
const keyMax = 40

/** `action: wipe`, `"operation":"delete"`, `service=turn_off`. */
const namedVerbs = (text: string, { isKnown, sets }: Vocabulary): ReadonlyArray<SplitName> => {
  const found: Array<SplitName> = []
  let [open, close, seen] = [-1, -1, 0]
  for (const { index, key, value } of parametersOf(text)) {
    for (; seen < index; seen++) {
      if (text[seen] === "{") open = seen
      else if (text[seen] === "}") close = seen
    }
    const { words } = splitName(key, isKnown)
    if (!sets.actionKeys.has(words.join("")) && !sets.actionKeys.has(words.at(-1) ?? "")) continue
    if (open > close && sets.conditions.has(keyBefore(text, open))) continue
    found.push(splitName(value, isKnown))
    if (found.length === namedVerbsMax) break
  }
  return found
}

/** The signal only gives the kind of data. */
export const onlyHolds = ({
  class: own,
  credential,
  exposes,
  extent,
  holds,
  impact,
  weakens
}: Signal): boolean =>
  holds !== undefined &&
  [own, credential, exposes, extent, impact, weakens].every((effect) => effect === undefined)

interface NamedThings extends Pick<ArgumentReading, "nouns" | "unplacedNouns" | "statesMore"> {
  /** The words without keys that name nothing. */
  readonly named: ReadonlyArray<string>
}

const noThings: NamedThings = { nouns: [], unplacedNouns: [], statesMore: false, named: [] }

/** `words`: those of the text. */
const thingsIn = (text: string, words: ReadonlyArray<string>, vocabulary: Vocabulary): NamedThings => {
  const { addressKeys, namelessEndings, placeKeys, plainKeys } = vocabulary.sets
  const wordsIn = (part: string) => (part === text ? words : wordsOf(part, vocabulary))
  const nounsOf = (part: string) => nounsIn(wordsIn(withoutEndings(part, namelessEndings)), vocabulary)
  const thing = withoutKeys(withoutAddresses(text, addressKeys), plainKeys)
  const unplaced = withoutKeys(thing, placeKeys)
  const nouns = nounsOf(thing)
  return {
    nouns,
    // A secret under a key is a key, and no place.
    unplacedNouns: unplaced === thing || handsOnSecret(unplaced, vocabulary) ? nouns : nounsOf(unplaced),
    statesMore: statesMore(thing, vocabulary.sets),
    named: wordsIn(thing)
  }
}

interface HowResourceIsRead {
  /** It is a file of source: signals in its path count, and the words of its name do not. */
  readonly isSource: boolean
  /** The part that names things and the data in them. Acts and receivers are looked for in the whole resource. */
  readonly naming: string | undefined
}

export const readArguments = (
  { actionDescription, destination, targetResource, targetSystem }: Arguments,
  vocabulary: Vocabulary,
  prepared: PreparedSignals,
  { isSource, naming }: HowResourceIsRead = { isSource: false, naming: targetResource }
): ArgumentReading => {
  const text = targetResource === undefined ? undefined : withoutSchemes(targetResource)
  const isPart = naming !== targetResource && naming !== undefined
  const part = isPart ? withoutSchemes(naming) : text
  const whole = wordsOf(text, vocabulary)
  const resource = isPart ? wordsOf(part, vocabulary) : whole
  const words: ArgumentReading["words"] = {
    target_resource: resource,
    destination: wordsOf(destination, vocabulary),
    target_system: wordsOf(targetSystem, vocabulary),
    action_description: wordsOf(actionDescription, vocabulary)
  }
  const resourceSignals = (value: string): ReadonlyArray<Signal> => {
    const found = signalsIn("target_resource", value, isSource ? [] : whole, prepared)
    if (!isPart) return found
    const named = signalsIn("target_resource", naming, resource, prepared)
    return found.filter((signal) => !onlyHolds(signal) || named.includes(signal))
  }
  const others = [
    ["destination", destination],
    ["target_system", targetSystem],
    ["action_description", actionDescription]
  ] as const
  const signals = new Set(targetResource === undefined ? [] : resourceSignals(targetResource))
  const signalsOfResource = signals.size
  for (const [field, value] of others)
    if (value !== undefined)
      for (const signal of signalsIn(field, value, words[field], prepared)) signals.add(signal)
  const isWild = naming !== undefined && hasLoneWildcard(naming)
  for (const signal of isWild ? prepared.ofWildcards : []) signals.add(signal)
  const { named, ...things } =
    isSource || part === undefined ? noThings : thingsIn(part, resource, vocabulary)
  return {
    words,
    signals: [...signals],
    signalsOfResource,
    ...things,
    isKeyed: targetResource !== undefined && isJson(targetResource),
    verbs: targetResource === undefined ? [] : namedVerbs(targetResource, vocabulary),
    everything: isWild || (!isSource && resource.some((word) => vocabulary.sets.everything.has(word))),
    admin: named.some((word) => vocabulary.sets.admins.has(word)),
    readingRole: resource.some(
      (word, at) =>
        vocabulary.sets.readingRoles.has(word) &&
        vocabulary.words.get(resource[at - 1] ?? "")?.noun?.is === "right"
    )
  }
}

export const noArguments: ArgumentReading = {
  words: { target_resource: [], destination: [], target_system: [], action_description: [] },
  signals: [],
  signalsOfResource: 0,
  nouns: [],
  unplacedNouns: [],
  statesMore: false,
  isKeyed: true,
  verbs: [],
  everything: false,
  admin: false,
  readingRole: false
}

/** Combines the readings of several resources. None of them hides another. */
export const mergeArguments = (readings: ReadonlyArray<ArgumentReading>): ArgumentReading => {
  if (readings.length === 0) return noArguments
  const signals = [...new Set(readings.flatMap((one) => one.signals))]
  return {
    words: { ...noArguments.words, target_resource: readings.flatMap(({ words }) => words.target_resource) },
    signals,
    signalsOfResource: signals.length,
    nouns: readings.flatMap(({ nouns }) => nouns),
    unplacedNouns: readings.flatMap(({ unplacedNouns }) => unplacedNouns),
    statesMore: readings.some(({ statesMore: one }) => one),
    isKeyed: true,
    verbs: readings.flatMap(({ verbs }) => verbs),
    everything: readings.some(({ everything }) => everything),
    admin: readings.some(({ admin }) => admin),
    readingRole: readings.some(({ readingRole }) => readingRole)
  }
}
