/** Reads a call: which verb on which object of which provider it is, by catalogue, by name, by its command, and by its arguments. */

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
  /** How the call can be read with a destination, if it has none. Undefined: it has one, or no destination changes the reading. */
  readonly elsewhere?: ReadonlyArray<PlainReading> | undefined
  /** The reading of the tool's arguments, where the call states them. */
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
  /** The resource of such a call is a command, read or not. */
  readonly takesCommand: boolean
  /** The command was not understood, or an execute tool came without one. */
  readonly unread: boolean
  /** The description or the metadata holds a riskier command than the call. */
  readonly contradicted: boolean
  /** In a name without a known verb: a word hints at writing, many or outside. */
  readonly hinted: boolean
  /** Another verb of the name than that of the class exports. */
  readonly alsoExports: boolean
  /** The provider acts on machines or accounts elsewhere. */
  readonly hosted: boolean
}

/** Whether a read looks for a pattern in data that is not secret. Such a read has no bound by nature, and touches nothing. */
const looksForPattern = ({ class: own, holds, verb }: NameReading, { sets }: Vocabulary): boolean =>
  own === "read" && sets.patterned.has(verb ?? "") && (holds === "public" || holds === "internal")

const isCritical = ({ impact }: Pick<Reading, "impact">): boolean => impact === "critical"

/** `read`: the act of the call with its signals. `leaves`: whether the act takes something out. */
/** A command at a system runs here, unless the provider lists the tool. */
const isHosted = ({ nameOfCall, provider, runs }: CallSources, { catalogue }: Lexicon): boolean =>
  provider !== undefined && catalogue.hosted.has(provider) && (!runs || nameOfCall.provided !== undefined)

const toReading = (
  call: CallSources,
  { environment, leaves, read }: { environment: Environment; leaves: boolean; read: NameReading },
  lexicon: Lexicon
): Reading => {
  const { args, command, given, isCut, isNamed, nameOfCall, named, prose, provider, runs } = call
  const act = isCut ? withUnreadRest(read, lexicon) : read
  // Compares without signals: a signal can make a message as grave as the command in its prose, and would hide the contradiction.
  const own = !isCut && riskOf(act) > riskOf(call.read) ? call.read : act
  const contradicted =
    prose !== undefined &&
    // The organization's knowledge of a tool hides no contradiction between the words of its caller.
    (isNamed
      ? readAlone(given, lexicon).contradicted
      : riskOf(prose.act) > riskOf(own) && prose.act.impact !== own.impact)
  const gone = leaves ? asExport(read, lexicon) : read
  const sent = isCut ? withUnreadRest(gone, lexicon) : gone
  const done: NameReading = contradicted ? join(act, [prose.act]) : sent
  const source = isNamed ? "catalogue" : nameOfCall.provided === undefined ? "name" : "provider"
  // `development` is where the caller works. A change elsewhere can hit production.
  const isUnconfirmed = done.remote && environment === "development"
  // Others depend on `staging`: a critical change there counts as in production, unless a name says that the place is for development.
  const isShared = done.remote && environment === "staging" && [done, ...done.others].some(isCritical)
  // Field by field: an opinion reads a reading some thousand times, and engines read records of one shape fastest.
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
    remote: isUnconfirmed,
    reversibility: done.reversibility,
    verb: done.verb,
    object: done.object,
    kind: done.kind,
    soft: done.soft,
    // Many things have an owner. Only a change of rights makes the owner a matter of rights.
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

/** Reads a call by its fields, and with `toolArguments` by the arguments of its tool, apart from the code in them. */
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

/** Joins two readings of one call: each deed counts, and all that either says. */
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

/** A part of a call, as it is read by itself. */
export interface ReadPart extends ActionPart {
  readonly reading: Reading
  readonly counts: boolean
}

/**
 * Reads a call with its arguments in parts, all of which count. A hint of the name gives way to code that was read, and to a verb under
 * a key for it.
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
  // A tool that executes runs its code, also where a part of it is not understood. Another tool may do more than such code does.
  const isStated = others.some(
    ({ kind, reading: { by, unread } }) =>
      (kind === "code" && by === "command" && (!unread || name.reading.class === "execute")) ||
      (kind === "deed" && multiplexes)
  )
  const isHint = isStated && riskOf(whole.reading) <= riskOf(name.reading)
  // Only a rule for a value makes the tool milder than its name.
  const isLowered = toolArguments.reading.signals.some(({ lowers }) => lowers)
  return {
    toolArguments,
    parts: [...(isHint ? [] : [whole]), { ...name, counts: !isHint && !isLowered }, ...others]
  }
}

/** The lexicon for an organization that has these places outside of production. */
const withPlaces = (lexicon: Lexicon, { places }: Pick<KnownAct, "places"> = {}): Lexicon => {
  if (places === undefined) return lexicon
  const { commands } = lexicon
  return {
    ...lexicon,
    commands: { ...commands, landings: { ...commands.landings, own: [...places.keys()] } }
  }
}

/** `development` is where the caller works. A tool that acts elsewhere can change production, and so can the command that it hands on. */
const actingElsewhere = <A extends PlainReading>(reading: A): A =>
  reading.environment === "development" &&
  [reading, ...reading.others].some(reading.by === "command" ? changes : changesGravely)
    ? { ...reading, anywhere: true, remote: true }
    : reading

/** `names`: of places among the arguments of the tool. A name that means development confirms the landing. */
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

/** `known`: what the organization's catalogue says of the tool, instead of what a provider's catalogue or its name says. */
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
  // The riskier of the two tools counts.
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

/** Whether text under a key for code counts as code. For a tool that reads, unclear text counts only if it would do more. */
const countsAsCode = (one: Reading, name: Reading): boolean =>
  one.takesCommand ||
  one.by === "command" ||
  name.class !== "read" ||
  (one.class !== "read" && riskOf(one) > riskOf(name))

/** An act that takes out its data. */
export const asExport = (act: NameReading, { impacts: table }: Lexicon): NameReading =>
  riskiest({ ...act, class: "export", impact: table.holds.export?.[act.holds] ?? act.impact }, act)

/** The unread rest of a command may do whatever a command does that is too long to be read. */
const withUnreadRest = (act: NameReading, { tools }: Lexicon): NameReading => join(act, [tools.tooLong])

/** The length in front keeps joined fields apart: no text can end one field and start the next. */
const lengthPrefixed = (text: string | undefined): string =>
  text === undefined ? "-" : `${text.length} ${text}`

/** Every text of an action that `readCall` reads. Invariant: equal for two actions only if their readings are equal. */
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
