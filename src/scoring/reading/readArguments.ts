/** What the arguments of a call tell of it: explicit parameters, the things that they name, and how many. Prose is never read. */

import { type DataClassification, dataClassifications } from "../../domain/Action.ts"
import { type ActClass, actClasses, type ActExtent, extents, higher, type Impact, impacts } from "./Act.ts"
import { type ObjectNoun, type ObjectKind, sequenceAt, type Vocabulary } from "./Vocabulary.ts"
import { keyOf, parametersOf, splitName, type SplitName } from "./splitName.ts"

/** The description is prose: only signals that name it are looked for in it, and none that lowers. */
export type ArgumentField = "target_resource" | "destination" | "target_system" | "action_description"

/** A parameter with one meaning whatever the tool is: `is_destroy=true`, `type=anyone`. */
export interface Signal {
  readonly id: string
  /** Each a sequence of words. One of them must stand in a field. */
  readonly words?: ReadonlyArray<ReadonlyArray<string>>
  /** Lower-case texts with signs that no word shows: `.github/workflows`. One of them must stand in a field, between signs. */
  readonly text?: ReadonlyArray<string>
  /** A lone `*` or `%` stands for it in the resource. */
  readonly wildcard?: boolean
  /** None of these words may stand in the same field. */
  readonly unlessWords?: ReadonlyArray<ReadonlyArray<string>>
  /** Absent: in all three. */
  readonly in?: ReadonlyArray<ArgumentField>
  /** Only for acts of these classes. Absent: for all but internal and simulate. */
  readonly classes?: ReadonlyArray<ActClass>
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
  /** The act has at least this impact, is of this class, touches this many, holds this. */
  readonly impact?: Impact
  readonly class?: ActClass
  readonly extent?: ActExtent
  readonly holds?: DataClassification
  readonly anywhere?: boolean
  readonly weakens?: boolean
  readonly credential?: boolean
  /** Whatever it holds becomes public: of restricted data that is the worst that can happen to it. */
  readonly exposes?: boolean
  /** An explicit parameter says that the act is milder: the impact falls by so many levels (absent: to `to`), never below `to`. */
  readonly lowers?: boolean
  readonly by?: number
  readonly to?: Impact
  readonly why: string
}

export interface PreparedSignals {
  readonly ofWildcards: ReadonlyArray<Signal>
  /** Those that a destination can say. None in releases before 2.6.0, where signals without `in` are looked for in it too. */
  readonly ofDestinations: ReadonlyMap<ActClass, ReadonlyArray<Signal>>
  /** Finds out quickly that none of the texts stands in another text. */
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

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")

/** By the class of the act that they are for. */
const signalsOfDestinations = (signals: ReadonlyArray<Signal>): PreparedSignals["ofDestinations"] => {
  const isStated = signals.every((signal) => signal.in !== undefined)
  const open = isStated ? signals.filter((signal) => signal.in?.includes("destination")) : []
  return new Map(actClasses.map((own) => [own, open.filter((signal) => isForClass(signal, own))]))
}

/** No signal that names no class says something of an act that touches nothing. */
const isForClass = ({ classes }: Signal, own: ActClass): boolean =>
  classes?.includes(own) ?? (own !== "internal" && own !== "simulate")

export const prepareSignals = (signals: ReadonlyArray<Signal>): PreparedSignals => ({
  ofWildcards: signals.filter(({ wildcard }) => wildcard === true),
  ofDestinations: signalsOfDestinations(signals),
  anyText: new RegExp(signals.flatMap(({ text = [] }) => text.map(escaped)).join("|")),
  byFirst: Map.groupBy(
    signals.flatMap((signal) => (signal.words ?? []).map((words) => ({ words, signal }))),
    ({ words }) => words[0] ?? ""
  ),
  texts: {
    all: signals.flatMap((signal) => (signal.text ?? []).map((text) => ({ text, signal }))),
    wanted: [...new Set(signals.flatMap(({ text = [] }) => text))]
  }
})

export interface ArgumentReading {
  /** Of a resource without what stands before `://`. */
  readonly words: Readonly<Record<ArgumentField, ReadonlyArray<string>>>
  readonly signals: ReadonlyArray<Signal>
  /** How many of them stand in the resource: those of a destination come behind these. */
  readonly signalsOfResource: number
  /** The things that the resource names. */
  readonly nouns: ReadonlyArray<ObjectNoun>
  /** The values of parameters that say what is done: `wipe` of `action=wipe`. */
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
    if (signal.in?.includes(field) === false) return
    if (field === "action_description" && (signal.in === undefined || signal.lowers === true)) return
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

/** Whether a text stands in another and is no part of a longer word: `.tf` in `main.tf`, and not in `page.tfoot`. */
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

/** The most sensitive of what the nouns usually hold. */
export const mostSensitive = (nouns: ReadonlyArray<ObjectNoun>): DataClassification | undefined => {
  let most: DataClassification | undefined
  for (const { holds } of nouns) {
    if (holds === undefined) continue
    if (most === undefined || dataClassifications.indexOf(holds) > dataClassifications.indexOf(most))
      most = holds
  }
  return most
}

const wordsOf = (text: string | undefined, { isKnown }: Vocabulary): ReadonlyArray<string> =>
  text === undefined ? [] : splitName(text, isKnown).words

/** `s3://` says where a thing is, and not what. */
const withoutSchemes = (text: string): string => {
  let kept = ""
  let from = 0
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 1)) {
    let begin = at
    while (begin > from && /[a-z0-9+.-]/i.test(text.charAt(begin - 1))) begin--
    // It begins with a letter, and behind no other sign of a word.
    while (begin < at && !(/[a-z]/i.test(text.charAt(begin)) && !/\w/.test(text.charAt(begin - 1)))) begin++
    if (begin === at) continue
    kept += `${text.slice(from, begin)} `
    from = at + "://".length
  }
  return kept + text.slice(from)
}

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
    if (open > close && sets.conditions?.has(keyBefore(text, open)) === true) continue
    found.push(splitName(value, isKnown))
    if (found.length === namedVerbsMax) break
  }
  return found
}

/** `notes.txt` is a note, and no text message: an ending that names no thing is left out. */
const withoutEndings = (text: string, namelessEndings: ReadonlySet<string>): string =>
  text.replaceAll(/\.([a-z]+)(?![\w.])/gi, (found, ending: string) =>
    namelessEndings.has(ending.toLowerCase()) ? " " : found
  )

const keyed = /"([\w.-]+)"\s*:/g

/** In `{"owner":"acme","repo":"app"}` nobody is made an owner: keys that say where a thing is name none. */
const withoutAddresses = (text: string, addressKeys: ReadonlySet<string> | undefined): string =>
  addressKeys === undefined || !text.trimStart().startsWith("{")
    ? text
    : text.replaceAll(keyed, (found, key: string) => (addressKeys.has(keyOf(key)) ? " " : found))

/** The path in the arguments of a tool as JSON, where it names one. */
export const pathInJson = (text: string, pathKeys: ReadonlySet<string> | undefined): string | undefined => {
  if (pathKeys === undefined || !text.trimStart().startsWith("{")) return undefined
  const paths = Array.from(text.matchAll(/"([\w.-]+)"\s*:\s*"([^"\\]*)"/g)).filter(([, key = ""]) =>
    pathKeys.has(keyOf(key))
  )
  return paths.length === 1 ? paths[0]?.[2] : undefined
}

/** `isSource`: the resource is a file of source, which only its path tells anything of, and not what it is called. */
export const readArguments = (
  { actionDescription, destination, targetResource, targetSystem }: Arguments,
  vocabulary: Vocabulary,
  prepared: PreparedSignals,
  isSource = false
): ArgumentReading => {
  const { addressKeys, namelessEndings } = vocabulary.sets
  const text = targetResource === undefined ? undefined : withoutSchemes(targetResource)
  const resource = wordsOf(text, vocabulary)
  const telling = isSource ? [] : resource
  const words: ArgumentReading["words"] = {
    target_resource: resource,
    destination: wordsOf(destination, vocabulary),
    target_system: wordsOf(targetSystem, vocabulary),
    action_description: wordsOf(actionDescription, vocabulary)
  }
  const fields = [
    ["target_resource", targetResource],
    ["destination", destination],
    ["target_system", targetSystem],
    ["action_description", actionDescription]
  ] as const
  const signals = new Set<Signal>()
  let signalsOfResource = 0
  for (const [field, value] of fields) {
    if (value === undefined) continue
    const said = field === "target_resource" ? telling : words[field]
    for (const signal of signalsIn(field, value, said, prepared)) signals.add(signal)
    if (field === "target_resource") signalsOfResource = signals.size
  }
  const isWild = targetResource !== undefined && hasLoneWildcard(targetResource)
  for (const signal of isWild ? prepared.ofWildcards : []) signals.add(signal)
  const thing = text === undefined ? undefined : withoutAddresses(text, addressKeys)
  const told = isSource || thing === text ? telling : wordsOf(thing, vocabulary)
  const named =
    namelessEndings === undefined || thing === undefined
      ? told
      : wordsOf(withoutEndings(thing, namelessEndings), vocabulary)
  return {
    words,
    signals: [...signals],
    signalsOfResource,
    nouns: isSource ? [] : nounsIn(named, vocabulary),
    verbs: targetResource === undefined ? [] : namedVerbs(targetResource, vocabulary),
    everything:
      targetResource !== undefined &&
      (isWild || telling.some((word) => vocabulary.sets.everything.has(word))),
    admin: told.some((word) => vocabulary.sets.admins.has(word)),
    readingRole: resource.some(
      (word, at) =>
        vocabulary.sets.readingRoles?.has(word) === true &&
        vocabulary.words.get(resource[at - 1] ?? "")?.noun?.is === "right"
    )
  }
}

export interface Weighable {
  readonly class: ActClass
  readonly impact: Impact
  readonly extent: ActExtent
  readonly holds: DataClassification
  readonly anywhere: boolean
  readonly weakens: boolean
  readonly credential: boolean
  readonly kind: ObjectKind
  readonly verb: string | undefined
}

export const appliesTo = (signal: Signal, act: Weighable): boolean =>
  isForClass(signal, act.class) &&
  signal.verbs?.includes(act.verb ?? "") !== false &&
  signal.unlessVerbs?.includes(act.verb ?? "") !== true &&
  signal.kinds?.includes(act.kind) !== false &&
  signal.exceptKinds?.includes(act.kind) !== true

const exposesSecrets = ({ holds }: Weighable, { exposes }: Signal): boolean =>
  exposes === true && dataClassifications.indexOf(holds) >= dataClassifications.indexOf("restricted")

const raisedBy = <A extends Weighable>(act: A, signal: Signal): A => ({
  ...act,
  class: signal.class ?? act.class,
  impact: higher(impacts, act.impact, exposesSecrets(act, signal) ? "critical" : signal.impact),
  extent: higher(extents, act.extent, signal.extent),
  holds: higher(dataClassifications, act.holds, signal.holds),
  anywhere: act.anywhere || signal.anywhere === true,
  weakens: act.weakens || signal.weakens === true,
  credential: act.credential || signal.credential === true
})

const loweredBy = <A extends Weighable>(act: A, signal: Signal): A => {
  const least = impacts.indexOf(signal.to ?? "low")
  const fallen = signal.by === undefined ? least : impacts.indexOf(act.impact) - signal.by
  const impact = impacts[Math.max(least, fallen)] ?? act.impact
  if (impacts.indexOf(impact) > impacts.indexOf(act.impact)) return act
  return { ...act, impact, class: signal.class ?? act.class }
}

/**
 * An act with its signals. Signals that raise count first, and one that lowers counts only where none of them asks for an impact:
 * `dry_run=true` beside `acl=public` lowers nothing.
 */
export const withSignals = <A extends Weighable>(act: A, signals: ReadonlyArray<Signal>): A => {
  const applying = signals.filter((signal) => appliesTo(signal, act))
  let raised = act
  for (const signal of applying) if (signal.lowers !== true) raised = raisedBy(raised, signal)
  if (
    raised.impact !== act.impact ||
    applying.some(({ impact, lowers }) => impact !== undefined && lowers !== true)
  )
    return raised
  for (const signal of applying) if (signal.lowers === true) raised = loweredBy(raised, signal)
  return raised
}
