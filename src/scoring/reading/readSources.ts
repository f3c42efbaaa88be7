/** Reads an action by each of its sources and decides which of them count: its name, what it passes on, its command, its arguments, and its prose. */

import type { Action, Environment } from "../../domain/Action.ts"
import type { KnownAct } from "../knowledge/OrganizationCatalogue.ts"
import { nameAct } from "../knowledge/nameAct.ts"
import { type Act, higher, join, riskiest, riskOf } from "./Act.ts"
import type { ToolArguments } from "./arguments/readToolArguments.ts"
import { actWithArguments, argumentsOf, type Lexicon, withScript } from "./callArguments.ts"
import {
  type ArgumentCommand,
  commandInProse,
  readFileTool,
  readNameAsCommand,
  readResource,
  withWholeCommand
} from "./callCommand.ts"
import type { CommandLanguage } from "./commands/CommandReading.ts"
import { doesMoreThanCarry, promisedLanguage } from "./commands/commandTools.ts"
import { actsOfRequests, dispatchedAct, pressedAct, requestedAct } from "./handedOn.ts"
import { type NameOfCall, providerOf, readNameOfCall, slice } from "./nameOfCall.ts"
import type { Signal } from "./readArguments.ts"
import type { NameReading } from "./readName.ts"
import { appliesTo, withSignals } from "./signals.ts"
import { type ObjectKind, objectKinds } from "./Vocabulary.ts"

/**
 * The signals that may count together with a command. For a tool that names a file, only those of other fields, because the command has
 * already read the path.
 */
const signalsOfOtherFields = (
  { args, ofFile }: CallSources,
  signals: ReadonlyArray<Signal>
): ReadonlyArray<Signal> => {
  if (ofFile === undefined) return []
  const ofResource = new Set(args.signals.slice(0, args.signalsOfResource))
  return signals.filter((signal) => !ofResource.has(signal))
}

/** Signals that lower risk are ignored for shell commands and HTTP requests: the word may have been misread. */
const countedSignals = (
  call: CallSources,
  signals: ReadonlyArray<Signal>,
  environment: Environment
): ReadonlyArray<Signal> =>
  (call.runs ? signalsOfOtherFields(call, signals) : signals).filter(
    ({ lowers, onlyProduction, outsideProduction }) =>
      ((call.mayBeLowered && !call.runs) || lowers !== true) &&
      !(outsideProduction === true && environment === "production") &&
      !(onlyProduction === true && environment !== "production")
  )

/** The act of a call with its signals, and the signals from its arguments that apply. */
export const withCountedSignals = (
  call: CallSources,
  signals: ReadonlyArray<Signal>,
  environment: Environment
): NameReading => withSignals(call.read, countedSignals(call, signals, environment))

/** The signals from its arguments that apply to a call. */
export const signalsOf = (call: CallSources, environment: Environment): ReadonlyArray<Signal> =>
  countedSignals(call, call.args.signals, environment).filter((signal) => appliesTo(signal, call.read))

const isExport = ({ class: own }: Pick<Act, "class">): boolean => own === "export"

/** The act of a command or a request. A request also gives the kind of object. */
type RunAct = Act & { readonly kind?: ObjectKind }

/** The act of a call that runs commands, which also performs theirs. */
const performing = (act: NameReading, [first, ...others]: ReadonlyArray<RunAct>): NameReading => {
  if (first === undefined) return act
  const run = join(first, others)
  const kind = [first, ...others].reduce((most, one) => higher(objectKinds, most, one.kind), act.kind)
  return { ...act, ...run, kind, hinted: false, alsoExports: !isExport(run) && run.others.some(isExport) }
}

/**
 * The acts of a command and of its requests, riskiest first. Empty if the name is worse than a command that is not understood:
 * `commands.erase_group`. The organization's class for the tool does not count here, because it would hide a command that may do more.
 */
const actsOfCommand = (
  command: ArgumentCommand | undefined,
  named: NameReading,
  lexicon: Lexicon
): ReadonlyArray<RunAct> => {
  const reading = command?.reading
  const [first, ...others] = reading?.acts ?? []
  if (reading === undefined || first === undefined) return []
  const requests = actsOfRequests(reading.requests, lexicon).filter(
    // The command already sends something, so an unknown address adds nothing.
    (act) => act.class !== "unknown" || riskOf(act) > riskOf(first)
  )
  // Sorting is stable: if they are equally risky, the command comes before its request.
  const run = [first, ...others, ...requests].toSorted((a, b) => riskOf(b) - riskOf(a))
  const [worst = first] = run
  return named.class !== "execute" && reading.unread && riskOf(named) > riskOf(worst) ? [] : run
}

/** A credential gives access no matter where it was read. */
const opening = <A extends NameReading>(act: A): A =>
  act.class === "read" && act.kind === "credential" && act.impact !== "low" && !act.anywhere
    ? { ...act, anywhere: true }
    : act

/** Reads the call by its name, and by the request, button press or service call that it only passes on. */
const readHints = (given: Action, lexicon: Lexicon, toolArguments: ToolArguments | undefined) => {
  const { action, isCut } = withWholeCommand(given, lexicon.tools)
  const handing = toolArguments === undefined ? action : { ...action, targetResource: toolArguments.text }
  const nameOfCall = readNameOfCall(action, lexicon)
  const name = slice(nameOfCall.split, nameOfCall.server)
  const request = requestedAct(handing, nameOfCall, lexicon)
  const handedOn =
    request ?? pressedAct(action, nameOfCall, lexicon) ?? dispatchedAct(handing, nameOfCall, lexicon)
  return {
    action,
    /** Part of its command was not read. */
    isCut,
    handing,
    name,
    nameOfCall,
    handedOn,
    isRequest: request !== undefined,
    hinted: opening(handedOn ?? nameOfCall.own),
    promised: promisedLanguage(name.words, lexicon.tools)
  }
}

/**
 * Whether the acts of the command replace the act of the call. A command of low impact does not replace a graver name, because the tool may
 * do more. `hinted`: the act of the name. `named`: the same, with the organization's catalogue.
 */
const isReplaced = (
  [worst]: ReadonlyArray<RunAct>,
  hinted: NameReading,
  named: NameReading,
  promised: CommandLanguage | undefined,
  { tools }: Lexicon
): boolean => {
  if (worst === undefined) return false
  const isMilder = worst.impact === "low" && hinted.impact !== "low" && named.impact !== "low"
  return !isMilder || !doesMoreThanCarry(hinted, promised, tools)
}

/** A catalogued name without arguments means its catalogue entry. With arguments, it can be a command that does more. */
const commandOfName = (action: Action, { provided }: NameOfCall, lexicon: Lexicon) =>
  provided !== undefined && action.targetResource === undefined
    ? undefined
    : readNameAsCommand(action, lexicon)

/** Joins an act with the acts of a command that does not replace it, and with the act of a name that is a command. */
const joined = (
  named: NameReading,
  run: ReadonlyArray<RunAct>,
  nameAsCommand: Act | undefined
): NameReading => {
  const all =
    run.length === 0 ? named : { ...join(named, run), alsoExports: named.alsoExports || run.some(isExport) }
  return nameAsCommand === undefined ? all : riskiest<NameReading>(all, { ...all, ...nameAsCommand })
}

/** The reading of a call as far as it does not depend on a destination. */
export const readSources = (
  given: Action,
  lexicon: Lexicon,
  known: KnownAct | undefined,
  toolArguments: ToolArguments | undefined
) => {
  const hints = readHints(given, lexicon, toolArguments)
  const { action, handedOn, handing, hinted, isCut, isRequest, nameOfCall, promised } = hints
  const args = toolArguments?.reading ?? argumentsOf(action, nameOfCall, lexicon)
  const ofFile = isRequest ? undefined : readFileTool(action, nameOfCall, lexicon)
  const commandFor = (act: Act) =>
    ofFile ?? (isRequest ? undefined : readResource(action, nameOfCall, act, promised, lexicon))
  const named =
    known === undefined ? hinted : opening(nameAct(hinted, known, commandFor(hinted) !== undefined, lexicon))
  const isNamed = named !== hinted
  const command = commandFor(named)
  const run = actsOfCommand(command, hinted, lexicon)
  const runs = isReplaced(run, hinted, named, promised, lexicon)
  const nameAsCommand = runs ? undefined : commandOfName(action, nameOfCall, lexicon)
  const plain = joined(named, runs ? [] : run, nameAsCommand)
  const withThings = command === undefined ? actWithArguments(plain, args, handing, lexicon) : plain
  const read = runs ? performing(named, run) : withThings
  const prose = commandInProse(withScript(action, read), isCut, command && action.targetResource, lexicon)
  return {
    given,
    action,
    args,
    nameOfCall,
    handedOn,
    ofFile,
    isCut,
    provider: providerOf(nameOfCall, lexicon.catalogue),
    command,
    /** The act of the name or of what it passes on, adjusted by the organization's catalogue. */
    named,
    /** The organization's catalogue gives the act of the tool. */
    isNamed,
    /** The acts of its command that count, the riskiest first. */
    run,
    nameAsCommand,
    /** The act before the things named in its arguments count. */
    plain,
    /** The act of the call before its signals count. */
    read,
    /** The acts of its command replace all others. */
    runs,
    /** Whether a parameter can make the act milder. */
    mayBeLowered: promised !== "shell" && promised !== "device" && !isRequest,
    /** A command in the prose of the call. */
    prose,
    /** Which of the sources count. The others are overridden. */
    counts: {
      name: !runs && handedOn === undefined && !isNamed,
      named: !runs,
      command: run.length > 0,
      prose: prose !== undefined && riskOf(prose.act) > riskOf(read)
    }
  }
}

export type CallSources = ReturnType<typeof readSources>
