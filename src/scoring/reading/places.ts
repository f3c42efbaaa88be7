/** Where a call acts, where it sends data, and every way to read a destination that is missing. */

import type { Action, Environment } from "../../domain/Action.ts"
import type { Lexicon } from "./callArguments.ts"
import type { CommandReading } from "./commands/CommandReading.ts"
import { globFits } from "./commands/paths.ts"
import { plainText } from "./commands/readCommand.ts"
import { visibleText } from "../names/lookalike.ts"
import type { ArgumentReading, PreparedSignals, Signal } from "./readArguments.ts"
import type { CallSources } from "./readSources.ts"
import { appliesTo, type Weighable } from "./signals.ts"
import { isDigit, splitName } from "../names/splitName.ts"
import { extents } from "./Act.ts"
import type { Vocabulary } from "./Vocabulary.ts"

/** `prod2` counts as `prod`. */
const withoutNumber = (word: string): string =>
  isDigit(word.charCodeAt(word.length - 1)) ? word.replace(/(?<!\d)\d+$/, "") : word

const namesProduction = (words: ReadonlyArray<string>, { sets }: Vocabulary): boolean =>
  words.some(
    (word, at) => sets.production.has(withoutNumber(word)) && !sets.negations.has(words[at - 1] ?? "")
  )

/** `primary`, `master-db`: the live system, unless another word of the name marks it as a rehearsal. */
const isLiveSystem = (words: ReadonlyArray<string>, { sets }: Vocabulary): boolean =>
  !words.some((word) => sets.rehearsals.has(word) || sets.negations.has(word)) &&
  (sets.productionSystems.has(words.join(" ")) ||
    words.some((word, at) => sets.productionSystems.has(`${word} ${words[at + 1] ?? ""}`)))

/** A text without the commands that only act on the workspace. A nested command stays if it does more. */
const withoutLocal = (text: string, { commands }: CommandReading): string => {
  const units = text.split("")
  for (const { isLocal, span } of commands) if (isLocal) units.fill(" ", span.pos, span.end)
  for (const { isLocal, span } of commands)
    if (!isLocal) for (let at = span.pos; at < span.end; at++) units[at] = text[at] ?? ""
  return units.join("")
}

/** Whether the resource can name the place where the call acts. Files, branches and messages of a workspace do not. */
const namesPlace = (
  { action, command, nameOfCall, read, runs }: CallSources,
  { commands: { placelessActs }, vocabulary }: Lexicon
): boolean => {
  if (!runs)
    return nameOfCall.provided === undefined || !placelessActs.some((glob) => globFits(glob, read.type))
  // The program's name may have been added in front of the resource.
  if (command?.reading === undefined || !command.text.endsWith(action.targetResource ?? "")) return true
  return namesProduction(
    splitName(withoutLocal(plainText(command.text), command.reading), vocabulary.isKnown).words,
    vocabulary
  )
}

/** The first field that names production. */
export const productionIn = (
  call: CallSources,
  lexicon: Lexicon
): "target_system" | "target_resource" | "destination" | undefined => {
  const {
    action: { targetResource },
    args: { words }
  } = call
  const { vocabulary } = lexicon
  // The text before `://` is not part of the resource's words, but it can name production.
  const resource =
    targetResource?.includes("://") === true
      ? splitName(targetResource, vocabulary.isKnown).words
      : words.target_resource
  const fields = [
    ["target_system", words.target_system],
    ["target_resource", resource],
    ["destination", words.destination]
  ] as const
  const [field] =
    fields.find(
      ([name, list]) =>
        namesProduction(list, vocabulary) && (name !== "target_resource" || namesPlace(call, lexicon))
    ) ?? []
  return field ?? (isLiveSystem(words.target_system, vocabulary) ? "target_system" : undefined)
}

export const readEnvironment = (call: CallSources, lexicon: Lexicon): Environment =>
  call.action.environment === "production" || productionIn(call, lexicon) !== undefined
    ? "production"
    : call.action.environment

/** The parts of a destination that affect the reading. */
interface DestinationReading {
  readonly signals: ReadonlyArray<Signal>
  readonly namesProduction: boolean
}

/** Whether no destination is stated. */
export const lacksDestination = ({ destination }: Action): boolean =>
  destination === undefined || visibleText(destination) === ""

/**
 * For each extent, the signals that widen an act no further than that. A wider act touches fewer things per stated record, so the widest is
 * not always the worst.
 */
const byExtent = (open: ReadonlyArray<Signal>): ReadonlyArray<ReadonlyArray<Signal>> =>
  [undefined, ...new Set(open.flatMap(({ extent }) => extent ?? []))].map((widest) =>
    open.filter(
      ({ extent }) =>
        extent === undefined || (widest !== undefined && extents.indexOf(extent) <= extents.indexOf(widest))
    )
  )

/**
 * Every set of signals by which a destination could make an act the worst of its class and extent, or change its class. Signals only raise
 * an act, and the last one that names a class decides it. So for each class, all its signals together are the worst case, and each single
 * one is a mildest case.
 */
const worstSignals = (open: ReadonlyArray<Signal>): ReadonlyArray<ReadonlyArray<Signal>> =>
  byExtent(open).flatMap((some) => {
    const plain = some.filter((signal) => signal.class === undefined)
    const classes = new Set(some.flatMap((signal) => signal.class ?? []))
    const sets = plain.length === 0 ? [] : [plain]
    for (const one of classes) {
      const own = some.filter((signal) => signal.class === one)
      sets.push([...some.filter((signal) => signal.class !== one), ...own])
      for (const alone of own) if (some.length > 1) sets.push([alone])
    }
    return sets
  })

/**
 * Every way to read a missing destination, the neutral one first: by the signals that it could trigger, and by whether it is production.
 * `act`: the act before its signals; undefined for a command, which signals do not change.
 */
export const destinationReadings = (
  act: Weighable | undefined,
  isProduction: boolean,
  { ofDestinations }: PreparedSignals
): ReadonlyArray<DestinationReading> => {
  const forClass = act === undefined ? [] : (ofDestinations.get(act.class) ?? [])
  const open = act === undefined ? [] : forClass.filter((signal) => appliesTo(signal, act))
  const said = open.length === 0 ? [[]] : [[], ...worstSignals(open)]
  return (isProduction ? [false] : [false, true]).flatMap((namesProduction) =>
    said.map((signals) => ({ signals, namesProduction }))
  )
}

type Words = ReadonlyArray<string>

/** A list may contain pairs of words: `another account`. */
const names = (words: Words, list: ReadonlySet<string>, { sets }: Vocabulary): boolean =>
  words.some(
    (word, at) =>
      (list.has(word) || list.has(`${word} ${words[at + 1] ?? ""}`)) &&
      !sets.negations.has(words[at - 1] ?? "")
  )

const mailAddress = /^[^\s@/]+@[^\s@/]+$/
const address = /^[a-z][a-z\d+.-]*:\/\/(?:[^\s/@]*@)?([^\s/:?#]+)\S*/i
const bareHost = /^((?:[a-z\d-]+\.)+[a-z]+)(?:[/:]\S*)?(?=$|[\s(,;])/i

/** `acme.zendesk.com` is the system `zendesk`. */
const isOfSystem = (labels: Words, targetSystem: string | undefined): boolean => {
  const system = targetSystem?.trim().toLowerCase() ?? ""
  return system !== "" && (labels.join(".") === system || labels.at(-2) === system)
}

/** Whether a host name ends in a public domain and is not a multi-tenant host, on which the place could also be the organization's own. */
const isPublic = (labels: Words, { sets }: Vocabulary): boolean =>
  labels.length > 1 &&
  sets.publicEndings.has(labels.at(-1) ?? "") &&
  !labels.some((label) => sets.sharedHosts.has(label))

/**
 * Whether a stated destination is outside the organization: a foreign host, or a place whose name says so. A place known to be one's own is
 * never outside.
 */
const isOutside = (
  destination: string,
  targetSystem: string | undefined,
  vocabulary: Vocabulary
): boolean => {
  const { isKnown, sets } = vocabulary
  // Invited people are not a place where data goes.
  if (mailAddress.test(destination)) return false
  const wordsOf = (text: string): Words => splitName(text, isKnown).words
  const named = address.exec(destination)
  const place = named ?? bareHost.exec(destination)
  const labels = place?.[1]?.toLowerCase().split(".") ?? []
  // Text after a host is a path on that host: `https://files.partner.example/internal`.
  const said = wordsOf(destination.slice(place?.[0].length ?? 0))
  if (labels.some((label) => sets.ownPlaces.has(label)) || names(said, sets.ownPlaces, vocabulary))
    return false
  if (names(said, sets.outsidePlaces, vocabulary)) return true
  if (labels.length > 0 && isPublic(labels, vocabulary)) return !isOfSystem(labels, targetSystem)
  return named !== null && names([...wordsOf(labels.join(" ")), ...said], sets.otherParties, vocabulary)
}

/** `POST /ingest`, `PUT /files/cohort.csv`: these methods send data to the destination. */
const sendingMethod = /^(?:POST|PUT)\s+\//i

/** Uploads and copies take data out to any destination. Putting and posting do so only to an outside destination. */
const leaving = (
  { class: own, verb }: Weighable,
  { actionType }: Action,
  { sets: { outward, putting } }: Vocabulary
): "always" | "outside" | "never" => {
  if (own !== "write") return "never"
  if (outward.has(verb ?? "")) return "always"
  return putting.has(verb ?? "") || sendingMethod.test(actionType) ? "outside" : "never"
}

/** Whether an act takes data out to its stated destination. */
export const leavesTo = (act: Weighable, action: Action, vocabulary: Vocabulary): boolean => {
  const { destination, targetSystem } = action
  if (destination === undefined) return false
  const leaves = leaving(act, action, vocabulary)
  return leaves === "always" || (leaves === "outside" && isOutside(destination, targetSystem, vocabulary))
}

/** Whether an act could take data out to a destination that is not stated yet: every possible answer. */
export const couldLeave = (
  act: Weighable,
  action: Action,
  vocabulary: Vocabulary
): ReadonlyArray<boolean> => {
  const leaves = leaving(act, action, vocabulary)
  return leaves === "outside" ? [false, true] : [leaves === "always"]
}

/** The signals of a call with those of a destination inserted after the resource's signals. */
export const withThose = (
  { signals, signalsOfResource }: ArgumentReading,
  sent: ArgumentReading["signals"]
): ArgumentReading["signals"] =>
  sent.length === 0
    ? signals
    : [...new Set([...signals.slice(0, signalsOfResource), ...sent, ...signals.slice(signalsOfResource)])]
