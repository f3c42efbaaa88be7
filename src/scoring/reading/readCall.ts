/** Reads a call: which verb on which object of which provider it is, by catalogue, by name, by its command, and by its arguments. */

import { type Action, type Environment, environments } from "../../domain/Action.ts"
import type { KnownAct } from "../knowledge/OrganizationCatalogue.ts"
import { nameAct } from "../knowledge/nameAct.ts"
import { type Act, higher, join, riskiest, riskOf } from "./Act.ts"
import type { ToldArguments } from "./arguments/readToolArguments.ts"
import { partsOfCall, toolCallOf } from "./arguments/toolCall.ts"
import type { ObjectKind, Vocabulary } from "./Vocabulary.ts"
import { argumentsOf, type Lexicon, toldByArguments, withScript } from "./callArguments.ts"
import { readNameAsCommand, readResource, tellingCommand, withWholeCommand } from "./callCommand.ts"
import { actsOfRequests, dispatchedAct, pressedAct, requestedAct } from "./handedOn.ts"
import { providerOf, readNameOfCall, slice } from "./nameOfCall.ts"
import type { CommandReading } from "./commands/CommandSession.ts"
import { doesMoreThanCarry, promisedLanguage } from "./commands/commandTools.ts"
import type { ArgumentReading } from "./readArguments.ts"
import { withSignals } from "./signals.ts"
import {
  couldLeave,
  destinationReadings,
  lacksDestination,
  leavesTo,
  readEnvironment,
  withThose
} from "./places.ts"
import type { NameReading } from "./readName.ts"

export interface Reading extends ReadCall {
  /**
   * How the call can be read with a destination, where it has none. Undefined: as it is without one, whatever the destination; or it has one.
   */
  readonly elsewhere?: ReadonlyArray<ReadCall> | undefined
  /** The reading of the tool's arguments, where the call states them. */
  readonly toldBy?: ToldArguments | undefined
}

interface ReadCall extends Act {
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
}

/** Neither what a shell would run nor what a server is asked is ever lowered by a word in it that was not understood. */
const countedSignals = (
  signals: ArgumentReading["signals"],
  environment: Environment,
  isBelieved: boolean
): ArgumentReading["signals"] =>
  signals.filter(
    ({ lowers, onlyProduction, outsideProduction }) =>
      (isBelieved || lowers !== true) &&
      !(outsideProduction === true && environment === "production") &&
      !(onlyProduction === true && environment !== "production")
  )

/** What is looked for by a pattern in what is no secret has no bound by nature, and touches nothing. */
const looksForPattern = ({ class: own, holds, verb }: NameReading, { sets }: Vocabulary): boolean =>
  own === "read" && sets.patterned.has(verb ?? "") && (holds === "public" || holds === "internal")

const exports = ({ class: own }: Pick<Act, "class">): boolean => own === "export"

/** A call that runs commands does what they do. */
const ranAs = (base: NameReading, first: Act, others: ReadonlyArray<Act>): NameReading => {
  const run = join(first, others)
  return { ...base, ...run, hinted: false, alsoExports: !exports(run) && run.others.some(exports) }
}

/**
 * The acts of a command, the riskiest first, with what its requests do where that is riskier. None where the name says something
 * worse than a command that nobody understands: `commands.erase_group`. What the organization's catalogue says of the tool does not
 * count here: a class of its own would take the command's place, which may do more.
 */
const actsOfCommand = (
  reading: CommandReading | undefined,
  named: NameReading,
  lexicon: Lexicon
): ReadonlyArray<Act> => {
  const [first, ...others] = reading?.acts ?? []
  if (reading === undefined || first === undefined) return []
  const sent = actsOfRequests(reading.requests, lexicon)
  const worst = sent.reduce<Act>((a, b) => (riskOf(b) > riskOf(a) ? b : a), first)
  if (named.class !== "execute" && reading.unread && riskOf(named) > riskOf(worst)) return []
  return worst === first ? [first, ...others] : [worst, first, ...others]
}

/** What is read of a call whatever its destination says. */
const prepareCall = (
  given: Action,
  lexicon: Lexicon,
  known: KnownAct | undefined,
  toldBy: ToldArguments | undefined
) => {
  const { action, isCut } = withWholeCommand(given, lexicon.tools)
  const nameOfCall = readNameOfCall(action, lexicon)
  const { own, provided, server, split } = nameOfCall
  const args = toldBy?.reading ?? argumentsOf(action, nameOfCall, lexicon)
  const handing = toldBy === undefined ? action : { ...action, targetResource: toldBy.text }
  const request = requestedAct(handing, nameOfCall, lexicon)
  const handedOn =
    request ?? pressedAct(action, nameOfCall, lexicon) ?? dispatchedAct(handing, nameOfCall, lexicon)
  const told = opening(handedOn ?? own)
  const name = slice(split, server)
  const commandFor = (act: Act) =>
    request === undefined ? readResource(action, name, act, lexicon) : undefined
  const base =
    known === undefined ? told : opening(nameAct(told, known, commandFor(told) !== undefined, lexicon))
  const command = commandFor(base)
  const promised = promisedLanguage(name.words, lexicon.tools)
  const run = actsOfCommand(command?.reading, told, lexicon)
  const [worst] = run
  // Only a command of low impact gives way: a graver one may do more than the name, or than the organization's catalogue says.
  const isMilder = worst?.impact === "low" && told.impact !== "low" && base.impact !== "low"
  const saysMore = isMilder && doesMoreThanCarry(told, promised, lexicon.tools)
  const [first, ...others] = saysMore ? [] : run
  const isBelieved = promised !== "shell" && promised !== "device" && request === undefined
  // A name alone is what its catalogue says. With arguments behind it, it can be a command that does more.
  const isBare = provided !== undefined && action.targetResource === undefined
  const spelled = first === undefined && !isBare ? readNameAsCommand(action, lexicon) : undefined
  const heard = saysMore ? { ...join(base, run), alsoExports: base.alsoExports || run.some(exports) } : base
  const plain = spelled === undefined ? heard : riskiest<NameReading>(heard, { ...heard, ...spelled })
  const read =
    first !== undefined
      ? ranAs(base, first, others)
      : command === undefined
        ? toldByArguments(plain, args, handing, lexicon)
        : plain
  const spoken = tellingCommand(withScript(action, read), isCut, lexicon)
  return {
    action,
    args,
    nameOfCall,
    provider: providerOf(nameOfCall, lexicon.catalogue),
    command,
    base,
    isNamed: base !== told,
    /** What the call does before its signals count, which they never do on what a command runs. */
    read,
    /** A part of its command was not read. */
    isCut,
    runs: first !== undefined,
    isBelieved,
    spoken,
    // What the organization knows of a tool hides no contradiction between the words of its caller.
    isContradicted: spoken !== undefined && base !== told && readAlone(given, lexicon).contradicted
  }
}

type PreparedCall = ReturnType<typeof prepareCall>

const withCountedSignals = (
  { isBelieved, read, runs }: PreparedCall,
  signals: ArgumentReading["signals"],
  environment: Environment
): NameReading => (runs ? read : withSignals(read, countedSignals(signals, environment, isBelieved)))

/** `read`: what the call does with its signals. `leaves`: whether that takes something out. */
const toReading = (
  call: PreparedCall,
  { environment, leaves, read }: { environment: Environment; leaves: boolean; read: NameReading },
  lexicon: Lexicon
): Reading => {
  const { args, base, command, isContradicted, isCut, isNamed, nameOfCall, provider, runs, spoken } = call
  const act = isCut ? withUnreadRest(read, lexicon) : read
  // What a command is compared with. A signal can make a message as grave as the command that stands beside it.
  const own = !isCut && riskOf(act) > riskOf(call.read) ? call.read : act
  const contradicted =
    spoken !== undefined &&
    (isNamed ? isContradicted : riskiest<Act>(own, spoken) === spoken && spoken.impact !== own.impact)
  const gone = leaves ? asExport(read, lexicon) : read
  const outward = isCut ? withUnreadRest(gone, lexicon) : gone
  const source = isNamed ? "catalogue" : nameOfCall.provided === undefined ? "name" : "provider"
  const told: NameReading = contradicted ? join(act, [spoken]) : outward
  // `development` says where the caller works. A change elsewhere can meet production.
  const isUnconfirmed = told.remote && environment === "development"
  // Field by field: an opinion reads a reading some thousand times, and engines read records of one shape fastest.
  return {
    type: told.type,
    class: told.class,
    impact: told.impact,
    others: told.others,
    extent: told.extent,
    holds: told.holds,
    anywhere: told.anywhere || isUnconfirmed,
    credential: told.credential,
    weakens: told.weakens,
    remote: isUnconfirmed,
    reversibility: told.reversibility,
    verb: told.verb,
    object: told.object,
    kind: told.kind,
    soft: told.soft,
    // Many things have an owner. Only where rights change does it say whose rights these are.
    admin: outward.admin || (outward.class === "access" && args.admin),
    hinted: told.hinted,
    alsoExports: told.alsoExports,
    by: runs || contradicted ? "command" : source,
    provider,
    environment,
    everything: command === undefined && args.everything && !looksForPattern(act, lexicon.vocabulary),
    takesCommand: command !== undefined,
    unread: isCut || (base.class === "execute" && (command?.reading === undefined || command.reading.unread)),
    contradicted,
    elsewhere: undefined,
    toldBy: undefined
  }
}

/** Reads a call by its fields, and with `toldBy` by the arguments of its tool, apart from the code in them. */
const readAlone = (given: Action, lexicon: Lexicon, known?: KnownAct, toldBy?: ToldArguments): Reading => {
  const { vocabulary } = lexicon
  const call = prepareCall(given, lexicon, known, toldBy)
  const { action, args } = call
  const environment = readEnvironment(action, args, vocabulary)
  const read = withCountedSignals(call, args.signals, environment)
  const leaves = leavesTo(read, action, vocabulary)
  const reading = toReading(call, { environment, leaves, read }, lexicon)
  if (!lacksDestination(action)) return reading
  const unsaid = call.runs ? undefined : call.read
  const elsewhere = destinationReadings(unsaid, environment === "production", lexicon.signals).flatMap(
    ({ namesProduction, signals }) => {
      const place = namesProduction ? "production" : environment
      const sent = withCountedSignals(call, withThose(args, signals), place)
      return couldLeave(sent, action, vocabulary).map((goes) =>
        toReading(call, { environment: place, leaves: goes, read: sent }, lexicon)
      )
    }
  )
  return elsewhere.length === 1 && elsewhere[0]?.class === reading.class ? reading : { ...reading, elsewhere }
}

/** Two readings of one call: each deed counts, and all that either says. */
const joinCalls = (one: ReadCall, other: ReadCall): ReadCall => ({
  ...join(one, [other]),
  admin: one.admin || other.admin,
  environment: higher(environments, one.environment, other.environment),
  everything: one.everything || other.everything,
  takesCommand: one.takesCommand || other.takesCommand,
  unread: one.unread || other.unread,
  contradicted: one.contradicted || other.contradicted,
  hinted: one.hinted || other.hinted,
  alsoExports: one.alsoExports || other.alsoExports,
  ...(riskOf(other) > riskOf(one) ? { verb: other.verb, object: other.object, kind: other.kind } : {})
})

const joinReadings = (one: Reading, other: Reading): Reading => {
  const [ones, others] = [one.elsewhere ?? [one], other.elsewhere ?? [other]]
  const isOpen = one.elsewhere !== undefined || other.elsewhere !== undefined
  return {
    ...joinCalls(one, other),
    toldBy: one.toldBy,
    elsewhere: isOpen
      ? Array.from({ length: Math.max(ones.length, others.length) }, (_, at) =>
          joinCalls(ones[at] ?? one, others[at] ?? other)
        )
      : undefined
  }
}

/**
 * `known`: what the organization's catalogue says of the tool, in the place of what a provider's catalogue or its name say.
 * A call with its arguments is read in parts, and all of them count. What the name only hints gives way to code that was read, and to a
 * verb under a key for it.
 */
export const readCall = (given: Action, lexicon: Lexicon, known?: KnownAct): Reading => {
  const call = toolCallOf(given.metadata)
  if (call === undefined) return readAlone(given, lexicon, known)
  const { bare, codes, deeds, multiplexes, others, renamed, toldBy } = partsOfCall(given, call, lexicon)
  const name = readAlone(bare, lexicon, known)
  const told = readAlone(bare, lexicon, known, toldBy)
  // Only a rule for a value makes the tool milder than its name.
  const whole = toldBy.reading.signals.some(({ lowers }) => lowers) ? told : joinReadings(told, name)
  const run = codes.map((code) => readAlone(code, lexicon, known)).filter((one) => countsAsCode(one, name))
  const done = deeds.map((deed) => readAlone(deed, lexicon, known, toldBy))
  const isStated =
    run.some(({ by, unread }) => by === "command" && !unread) || (done.length > 0 && multiplexes)
  const rest = isStated && riskOf(whole) <= riskOf(name) ? [] : [whole]
  const stated = others.map((other) => readAlone(other, lexicon, known))
  const [first = whole, ...further] = [...rest, ...run, ...done, ...stated]
  const joined = further.reduce(joinReadings, first)
  // Another tool than the one that `action_type` names. The riskier of the two counts.
  const other = renamed === undefined ? undefined : readAlone(renamed, lexicon, known, toldBy)
  const isWorse = other !== undefined && riskOf(other) > riskOf(joined)
  const reading = other === undefined ? joined : joinReadings(joined, other)
  const unread = [...toldBy.unread, ...call.unread]
  return {
    ...reading,
    toldBy: { ...toldBy, unread },
    contradicted: reading.contradicted || isWorse,
    unread: reading.unread || unread.length > 0
  }
}

/** Text under a key for code counts as code, and else where a tool that reads would do more by it. */
const countsAsCode = (one: Reading, name: Reading): boolean =>
  one.takesCommand ||
  one.by === "command" ||
  name.class !== "read" ||
  (one.class !== "read" && riskOf(one) > riskOf(name))

/** An act that takes out what it writes. */
const asExport = (act: NameReading, { impacts: table }: Lexicon): NameReading =>
  riskiest({ ...act, class: "export", impact: table.holds.export?.[act.holds] ?? act.impact }, act)

/** What nobody read of a command may do what a command does that is too long to be read. */
const withUnreadRest = (act: NameReading, { tools }: Lexicon): NameReading => join(act, [tools.tooLong])

/** What opens something opens it from wherever it was read. */
const opening = <A extends NameReading>(act: A): A =>
  act.class === "read" && act.kind === "credential" && act.impact !== "low" && !act.anywhere
    ? { ...act, anywhere: true }
    : act

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
