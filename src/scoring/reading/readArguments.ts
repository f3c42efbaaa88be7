/** Reads the arguments of a call: explicit parameters, the things that they name, and how many. Prose is never read. */

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

/** The description is prose: it is searched only for signals that list it, and never for signals that lower risk. */
export type ArgumentField = "target_resource" | "destination" | "target_system" | "action_description"

/** A parameter that means the same for every tool: `is_destroy=true`, `type=anyone`. */
export interface Signal {
  readonly id: string
  /** Sequences of words, one of which must occur in a field. */
  readonly words?: ReadonlyArray<ReadonlyArray<string>>
  /**
   * Lower-case texts with punctuation that splitting into words would lose: `.github/workflows`. One of them must occur in a field as a
   * whole.
   */
  readonly text?: ReadonlyArray<string>
  /** A lone `*` or `%` in the resource also matches. */
  readonly wildcard?: boolean
  /** None of these word sequences may occur in the same field. */
  readonly unlessWords?: ReadonlyArray<ReadonlyArray<string>>
  /** The fields to search. */
  readonly in: ReadonlyArray<ArgumentField>
  /** Applies only to acts of these classes. Absent: to all except internal and simulate. */
  readonly classes?: ReadonlyArray<ActionClass>
  /** Applies only to, or never to, acts with these verbs. */
  readonly verbs?: ReadonlyArray<string>
  readonly unlessVerbs?: ReadonlyArray<string>
  /** Applies only to, or never to, objects of these kinds. */
  readonly kinds?: ReadonlyArray<ObjectKind>
  readonly exceptKinds?: ReadonlyArray<ObjectKind>
  /** Applies only outside production. */
  readonly outsideProduction?: boolean
  /** Applies only in production. */
  readonly onlyProduction?: boolean
  /** Its effect on the act: the least impact, the class, the extent, and the sensitivity of the data. */
  readonly impact?: Impact
  readonly class?: ActionClass
  readonly extent?: ActExtent
  readonly holds?: DataClassification
  readonly anywhere?: boolean
  readonly weakens?: boolean
  readonly credential?: boolean
  /** Makes the data public. For restricted data nothing worse can happen. */
  readonly exposes?: boolean
  /** Makes the act milder: the impact falls by `by` levels, or to `to` if `by` is absent, and never below `to`. */
  readonly lowers?: boolean
  readonly by?: number
  readonly to?: Impact
  readonly why: string
}

export interface PreparedSignals {
  readonly ofWildcards: ReadonlyArray<Signal>
  /** The signals that a destination can trigger. */
  readonly ofDestinations: ReadonlyMap<ActionClass, ReadonlyArray<Signal>>
  /** A fast test that rules out most texts without any of the wanted ones. */
  readonly anyText: RegExp
  readonly texts: {
    readonly all: ReadonlyArray<{ readonly text: string; readonly signal: Signal }>
    /** Each distinct text, because several signals share some. */
    readonly wanted: ReadonlyArray<string>
  }
  readonly byFirst: ReadonlyMap<
    string,
    ReadonlyArray<{ readonly words: ReadonlyArray<string>; readonly signal: Signal }>
  >
}

/** A signal without classes does not apply to an act that touches nothing. */
export const isForClass = ({ classes }: Signal, own: ActionClass): boolean =>
  classes?.includes(own) ?? (own !== "internal" && own !== "simulate")

export interface ArgumentReading {
  /** The words of each field. For the resource, without the text before `://`. */
  readonly words: Readonly<Record<ArgumentField, ReadonlyArray<string>>>
  readonly signals: ReadonlyArray<Signal>
  /** How many of these signals come from the resource. Those of a destination follow them. */
  readonly signalsOfResource: number
  /** The things that the resource names. */
  readonly nouns: ReadonlyArray<ObjectNoun>
  /** The things named outside of keys that only say where a thing is, such as `"project": "app"`. */
  readonly unplacedNouns: ReadonlyArray<ObjectNoun>
  /** A stated parameter is not a place. */
  readonly statesMore: boolean
  /** The resource is JSON. */
  readonly isKeyed: boolean
  /** The values of parameters that name a verb: `wipe` of `action=wipe`. */
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

/** Whether a text occurs in another without being part of a longer word: `.tf` in `main.tf`, but not in `page.tfoot`. */
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

/** The highest sensitivity of the data that the nouns usually hold. */
export const mostSensitive = (nouns: ReadonlyArray<ObjectNoun>): DataClassification | undefined => {
  let most: DataClassification | undefined
  for (const { holds } of nouns) if (holds !== undefined) most = higher(dataClassifications, holds, most)
  return most
}

const wordsOf = (text: string | undefined, { isKnown }: Vocabulary): ReadonlyArray<string> =>
  text === undefined ? [] : splitName(text, isKnown).words

/** A `*` or `%` that is a whole part of the text. In `report-*` and `100%` it is only part of a name. */
const loneWildcard = /(?:^|[\s/:.,;|="'`()[\]{}<>])[*%]+(?:$|[\s/:.,;|="'`()[\]{}<>])/

const hasLoneWildcard = (text: string): boolean =>
  (text.includes("*") || text.includes("%")) && loneWildcard.test(text)

const namedVerbsMax = 4

/** The key of the JSON object that begins at `open`: `match` in `{"match":{"action":"delete"}}`. */
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

/** Whether the signal sets nothing except the sensitivity of the data. */
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
  /** The words, except keys that name nothing. */
  readonly named: ReadonlyArray<string>
}

const noThings: NamedThings = { nouns: [], unplacedNouns: [], statesMore: false, named: [] }

/** `words`: the words of `text`. */
const thingsIn = (text: string, words: ReadonlyArray<string>, vocabulary: Vocabulary): NamedThings => {
  const { addressKeys, namelessEndings, placeKeys, plainKeys } = vocabulary.sets
  const wordsIn = (part: string) => (part === text ? words : wordsOf(part, vocabulary))
  const nounsOf = (part: string) => nounsIn(wordsIn(withoutEndings(part, namelessEndings)), vocabulary)
  const thing = withoutKeys(withoutAddresses(text, addressKeys), plainKeys)
  const unplaced = withoutKeys(thing, placeKeys)
  const nouns = nounsOf(thing)
  return {
    nouns,
    // A secret stays a noun even under a key that usually names a place.
    unplacedNouns: unplaced === thing || handsOnSecret(unplaced, vocabulary) ? nouns : nounsOf(unplaced),
    statesMore: statesMore(thing, vocabulary.sets),
    named: wordsIn(thing)
  }
}

interface HowResourceIsRead {
  /** The resource is a source file: signals in its path count, and the words of its name do not. */
  readonly isSource: boolean
  /** The part that names things and their data. Acts and receivers are looked for in the whole resource. */
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

/** Combines the readings of several resources, so that none hides another. */
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
