/** Reads a call: which verb acts on which object of which provider, judged by catalogue, name, command, and arguments. */

import { type Action, type Environment, environments } from "../../domain/Action.ts"
import type { KnownAct } from "../knowledge/OrganizationCatalogue.ts"
import { type Act, changes, changesGravely, higher, join, riskiest, riskOf } from "./Act.ts"
import type { ToolArguments } from "./arguments/readToolArguments.ts"
import { type ActionPart, partsOfCall, type StatedToolCall, toolCallOf } from "./arguments/toolCall.ts"
import type { ObjectKind, Vocabulary } from "./Vocabulary.ts"
import type { Lexicon } from "./callArguments.ts"
import { readSources, type CallSources, withCountedSignals } from "./readSources.ts"
import {
  couldLeave,
  destinationReadings,
  lacksDestination,
  leavesTo,
  readEnvironment,
  withThose
} from "./places.ts"
import { isForDevelopment } from "./commands/landing.ts"
import type { NameReading } from "./readName.ts"

export interface Reading extends PlainReading {
  /** The possible readings with a destination, for a call without one. Undefined: the call has one, or none would change the reading. */
  readonly elsewhere?: ReadonlyArray<PlainReading> | undefined
  /** The reading of the tool's arguments, if the call states them. */
  readonly toldBy?: Omit<ToolArguments, "signalled"> | undefined
}

interface PlainReading extends Act {
  readonly by: "catalogue" | "provider" | "name" | "command"
  readonly provider: string | undefined
  readonly verb: string | undefined
  readonly object: string | undefined
  readonly kind: ObjectKind
  readonly soft: boolean
  readonly admin: boolean
  readonly environment: Environment
  readonly everything: boolean
  /** The resource of such a call is a command, whether or not it could be read. */
  readonly takesCommand: boolean
  /** The command was not understood, or a tool that executes came without one. */
  readonly unread: boolean
  /** The description or the metadata holds a riskier command than the call. */
  readonly contradicted: boolean
  /** The name has no known verb, but a word hints at writing, many things, or outside. */
  readonly hinted: boolean
  /** The name also has a verb that exports, in addition to the verb that gives the class. */
  readonly alsoExports: boolean
  /** The provider acts on remote machines or accounts. */
  readonly hosted: boolean
}

/** Whether a read looks for a pattern in data that is not secret. Such a read is unbounded by nature, but touches nothing. */
const looksForPattern = ({ class: own, holds, verb }: NameReading, { sets }: Vocabulary): boolean =>
  own === "read" && sets.patterned.has(verb ?? "") && (holds === "public" || holds === "internal")

const isCritical = ({ impact }: Pick<Reading, "impact">): boolean => impact === "critical"

/** A command runs locally even if a target system is named, unless the provider lists the tool. */
const isHosted = ({ nameOfCall, provider, runs }: CallSources, { catalogue }: Lexicon): boolean =>
  provider !== undefined && catalogue.hosted.has(provider) && (!runs || nameOfCall.provided !== undefined)

/** `read`: the act of the call with its signals. `leaves`: whether the act takes data out. */
const toReading = (
  call: CallSources,
  { environment, leaves, read }: { environment: Environment; leaves: boolean; read: NameReading },
  lexicon: Lexicon
): Reading => {
  const { args, command, given, isCut, isNamed, nameOfCall, named, prose, provider, runs } = call
  const act = isCut ? withUnreadRest(read, lexicon) : read
  // Compares acts without signals: a signal can make a message as grave as the command in its prose and so hide the contradiction.
  const own = !isCut && riskOf(act) > riskOf(call.read) ? call.read : act
  const contradicted =
    prose !== undefined &&
    // Knowledge about a tool in the organization's catalogue must not hide a contradiction in the caller's own words.
    (isNamed
      ? readAlone(given, lexicon).contradicted
      : riskOf(prose.act) > riskOf(own) && prose.act.impact !== own.impact)
  const gone = leaves ? asExport(read, lexicon) : read
  const sent = isCut ? withUnreadRest(gone, lexicon) : gone
  const done: NameReading = contradicted ? join(act, [prose.act]) : sent
  const source = isNamed ? "catalogue" : nameOfCall.provided === undefined ? "name" : "provider"
  // `development` says where the caller works. A change on another machine can still hit production.
  const isUnconfirmed = done.remote && environment === "development"
  // People share `staging`, so a critical change there counts as in production, unless a name marks the place as development.
  const isShared = done.remote && environment === "staging" && [done, ...done.others].some(isCritical)
  // Written out field by field: an opinion reads such a record some thousand times, and engines are fastest on records of one shape.
  return {
    type: done.type,
    class: done.class,
    impact: done.impact,
    others: done.others,
    extent: done.extent,
    holds: done.holds,
    anywhere: done.anywhere || isUnconfirmed || isShared,
    credential: done.credential,
    weakens: done.weakens,
    remote: done.remote && (environment === "development" || environment === "staging"),
    reversibility: done.reversibility,
    verb: done.verb,
    object: done.object,
    kind: done.kind,
    soft: done.soft,
    // Many things have an owner. The owner counts as a matter of rights only in a change of rights.
    admin: sent.admin || (sent.class === "access" && args.admin),
    hinted: done.hinted,
    alsoExports: done.alsoExports,
    hosted: isHosted(call, lexicon),
    by: runs || contradicted ? "command" : source,
    provider,
    environment,
    everything: command === undefined && args.everything && !looksForPattern(act, lexicon.vocabulary),
    takesCommand: command !== undefined,
    unread:
      isCut || (named.class === "execute" && (command?.reading === undefined || command.reading.unread)),
    contradicted,
    elsewhere: undefined,
    toldBy: undefined
  }
}

/** Reads a call by its fields. With `toolArguments`, also by the arguments of its tool, without the code in them. */
const readAlone = (
  given: Action,
  lexicon: Lexicon,
  known?: KnownAct,
  toolArguments?: ToolArguments
): Reading => {
  const { vocabulary } = lexicon
  const call = readSources(given, lexicon, known, toolArguments)
  const { action, args } = call
  const environment = readEnvironment(call, lexicon)
  const read = withCountedSignals(call, args.signals, environment)
  const leaves = leavesTo(read, action, vocabulary)
  const reading = toReading(call, { environment, leaves, read }, lexicon)
  if (!lacksDestination(action)) return reading
  const withoutSignals = call.runs && call.ofFile === undefined ? undefined : call.read
  const elsewhere = destinationReadings(
    withoutSignals,
    environment === "production",
    lexicon.signals
  ).flatMap(({ namesProduction, signals }) => {
    const place = namesProduction ? "production" : environment
    const sent = withCountedSignals(call, withThose(args, signals), place)
    return couldLeave(sent, action, vocabulary).map((goes) =>
      toReading(call, { environment: place, leaves: goes, read: sent }, lexicon)
    )
  })
  return elsewhere.length === 1 && elsewhere[0]?.class === reading.class ? reading : { ...reading, elsewhere }
}

/** Joins two readings of one call: every deed counts, and so does every flag that either sets. */
const joinPlain = (one: PlainReading, other: PlainReading): PlainReading => ({
  ...join(one, [other]),
  admin: one.admin || other.admin,
  environment: higher(environments, one.environment, other.environment),
  everything: one.everything || other.everything,
  takesCommand: one.takesCommand || other.takesCommand,
  unread: one.unread || other.unread,
  contradicted: one.contradicted || other.contradicted,
  hinted: one.hinted || other.hinted,
  alsoExports: one.alsoExports || other.alsoExports,
  hosted: one.hosted || other.hosted,
  ...(riskOf(other) > riskOf(one) ? { verb: other.verb, object: other.object, kind: other.kind } : {})
})

const joinReadings = (one: Reading, other: Reading): Reading => {
  const [ones, others] = [one.elsewhere ?? [one], other.elsewhere ?? [other]]
  const isOpen = one.elsewhere !== undefined || other.elsewhere !== undefined
  return {
    ...joinPlain(one, other),
    toldBy: one.toldBy,
    elsewhere: isOpen
      ? Array.from({ length: Math.max(ones.length, others.length) }, (_, at) =>
          joinPlain(ones[at] ?? one, others[at] ?? other)
        )
      : undefined
  }
}

/** One part of a call, read separately. */
export interface ReadPart extends ActionPart {
  readonly reading: Reading
  readonly counts: boolean
}

/**
 * Reads a call with its arguments in parts, all of which count. The hint of the name is dropped if code was read, or if an argument names
 * the verb.
 */
export const readParts = (
  given: Action,
  call: StatedToolCall,
  lexicon: Lexicon,
  known: KnownAct | undefined
): { readonly toolArguments: ToolArguments; readonly parts: ReadonlyArray<ReadPart> } => {
  const { multiplexes, toolArguments, ...parts } = partsOfCall(given, call, lexicon, known)
  const read = (part: ActionPart): ReadPart => ({
    ...part,
    reading: readAlone(part.action, lexicon, known, part.toolArguments),
    counts: true
  })
  const name = read(parts.name)
  const whole = read(parts.withArguments)
  const others = parts.others
    .map(read)
    .filter(({ kind, reading }) => kind !== "code" || countsAsCode(reading, name.reading))
  // A tool that executes runs its code, even if part of the code is not understood. Another tool may do more than its code does.
  const isStated = others.some(
    ({ kind, reading: { by, unread } }) =>
      (kind === "code" && by === "command" && (!unread || name.reading.class === "execute")) ||
      (kind === "deed" && multiplexes)
  )
  const isHint = isStated && riskOf(whole.reading) <= riskOf(name.reading)
  // Only a rule for an argument's value can make the tool milder than its name.
  const isLowered = toolArguments.reading.signals.some(({ lowers }) => lowers)
  return {
    toolArguments,
    parts: [...(isHint ? [] : [whole]), { ...name, counts: !isHint && !isLowered }, ...others]
  }
}

/** The lexicon for an organization whose catalogue declares these places to be outside production. */
const withPlaces = (lexicon: Lexicon, { places }: Pick<KnownAct, "places"> = {}): Lexicon => {
  if (places === undefined) return lexicon
  const { commands } = lexicon
  return {
    ...lexicon,
    commands: { ...commands, landings: { ...commands.landings, own: [...places.keys()] } }
  }
}

/** `development` says where the caller works. A tool that acts elsewhere, or the command that it passes on, can still change production. */
const actingElsewhere = <A extends PlainReading>(reading: A): A =>
  reading.environment === "development" &&
  [reading, ...reading.others].some(reading.by === "command" ? changes : changesGravely)
    ? { ...reading, anywhere: true, remote: true }
    : reading

/** `names`: places named in the tool's arguments. A name that means development confirms that the act lands there. */
const landed = (
  reading: Reading,
  { targetResource = "", targetSystem = "" }: Action,
  names: ReadonlyArray<string>,
  { commands: { landings } }: Lexicon
): Reading => {
  if (
    !reading.hosted ||
    [targetSystem, targetResource, ...names].some((name) => isForDevelopment(name.toLowerCase(), landings))
  )
    return reading
  const { elsewhere } = reading
  return { ...actingElsewhere(reading), elsewhere: elsewhere?.map(actingElsewhere) }
}

/** `known`: what the organization's catalogue states about the tool. It replaces the provider's catalogue and the name. */
export const readCall = (given: Action, words: Lexicon, known?: KnownAct): Reading => {
  const lexicon = withPlaces(words, known)
  const call = toolCallOf(given.metadata)
  if (call === undefined) return landed(readAlone(given, lexicon, known), given, [], lexicon)
  const { parts, toolArguments } = readParts(given, call, lexicon, known)
  const renamed = parts.find(({ kind }) => kind === "renamed")
  const readings = parts
    .filter(({ counts, kind }) => counts && kind !== "renamed")
    .map(({ reading }) => reading)
  const joined = readings.reduce(joinReadings)
  // If the call names two tools, the riskier one counts.
  const isWorse = renamed !== undefined && riskOf(renamed.reading) > riskOf(joined)
  const reading = renamed === undefined ? joined : joinReadings(joined, renamed.reading)
  const { signalled: _, ...reported } = toolArguments
  const unread = [...toolArguments.unread, ...call.unread]
  return {
    ...landed(reading, given, toolArguments.places, lexicon),
    toldBy: { ...reported, unread },
    contradicted: reading.contradicted || isWorse,
    unread: reading.unread || unread.length > 0
  }
}

/**
 * Whether text under a key for code counts as code. For a tool that reads, text that is not clearly code counts only if it would do more.
 */
const countsAsCode = (one: Reading, name: Reading): boolean =>
  one.takesCommand ||
  one.by === "command" ||
  name.class !== "read" ||
  (one.class !== "read" && riskOf(one) > riskOf(name))

/** The act as an export of its data. */
export const asExport = (act: NameReading, { impacts: table }: Lexicon): NameReading =>
  riskiest({ ...act, class: "export", impact: table.holds.export?.[act.holds] ?? act.impact }, act)

/** The unread rest of a command counts as a command that is too long to read. */
const withUnreadRest = (act: NameReading, { tools }: Lexicon): NameReading => join(act, [tools.tooLong])

/** The length prefix keeps joined fields apart: no field's text can imitate the boundary to the next one. */
const lengthPrefixed = (text: string | undefined): string =>
  text === undefined ? "-" : `${text.length} ${text}`

/** Every text of an action that `readCall` reads. Invariant: two actions have equal keys only if their readings are equal. */
export const readingKey = (action: Action): string => {
  const command = action.metadata?.["command"]
  const call = action.metadata?.["tool_call"]
  return [
    action.actionType,
    action.targetSystem,
    action.targetResource,
    action.destination,
    action.environment,
    action.actionDescription,
    typeof command === "string" ? command : undefined,
    call === undefined ? undefined : JSON.stringify(call)
  ]
    .map(lengthPrefixed)
    .join("")
}
