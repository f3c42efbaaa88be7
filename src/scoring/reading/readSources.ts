/** Reads an action by each of its sources, and says which of them count: its name, what it hands on, its command, its arguments, and its prose. */

import type { Action, Environment } from "../../domain/Action.ts"
import type { KnownAct } from "../knowledge/OrganizationCatalogue.ts"
import { nameAct } from "../knowledge/nameAct.ts"
import { type Act, higher, join, riskiest, riskOf } from "./Act.ts"
import type { ToldArguments } from "./arguments/readToolArguments.ts"
import { argumentsOf, type Lexicon, toldByArguments, withScript } from "./callArguments.ts"
import { readNameAsCommand, readResource, tellingCommand, withWholeCommand } from "./callCommand.ts"
import { doesMoreThanCarry, promisedLanguage } from "./commands/commandTools.ts"
import { actsOfRequests, dispatchedAct, pressedAct, requestedAct } from "./handedOn.ts"
import { type NameOfCall, providerOf, readNameOfCall, slice } from "./nameOfCall.ts"
import type { ArgumentReading } from "./readArguments.ts"
import type { NameReading } from "./readName.ts"
import { withSignals } from "./signals.ts"
import { type ObjectKind, objectKinds } from "./Vocabulary.ts"
import type { CommandLanguage, CommandReading } from "./commands/CommandReading.ts"

/** Signals that lower risk are ignored for shell commands and HTTP requests: the word may have been misread. */
export const countedSignals = (
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

export const withCountedSignals = (
  { isBelieved, read, runs }: CallSources,
  signals: ArgumentReading["signals"],
  environment: Environment
): NameReading => (runs ? read : withSignals(read, countedSignals(signals, environment, isBelieved)))

const isExport = ({ class: own }: Pick<Act, "class">): boolean => own === "export"

/** The act of a command or a request. A request also says to what kind of thing. */
type RunAct = Act & { readonly kind?: ObjectKind }

/** A call that runs commands performs their acts. */
const ranAs = (base: NameReading, first: RunAct, others: ReadonlyArray<RunAct>): NameReading => {
  const run = join(first, others)
  const kind = [first, ...others].reduce((most, act) => higher(objectKinds, most, act.kind), base.kind)
  return {
    ...base,
    ...run,
    kind,
    hinted: false,
    alsoExports: !isExport(run) && run.others.some(isExport)
  }
}

/**
 * The acts of a command and of its requests, the riskiest first. None where the name is worse than a command that is not understood:
 * `commands.erase_group`. The organization's class for the tool does not count here: it would replace the command, which may do more.
 */
const actsOfCommand = (
  reading: CommandReading | undefined,
  named: NameReading,
  lexicon: Lexicon
): ReadonlyArray<RunAct> => {
  const [first, ...others] = reading?.acts ?? []
  if (reading === undefined || first === undefined) return []
  const requests = actsOfRequests(reading.requests, lexicon).filter(
    // The command already says that it sends something: an unknown address adds nothing to that.
    (act) => act.class !== "unknown" || riskOf(act) > riskOf(first)
  )
  // Sorting is stable: of equals the command comes before its request.
  const run = [first, ...others, ...requests].toSorted((a, b) => riskOf(b) - riskOf(a))
  const [worst = first] = run
  return named.class !== "execute" && reading.unread && riskOf(named) > riskOf(worst) ? [] : run
}

/** A credential opens something from wherever it was read. */
const opening = <A extends NameReading>(act: A): A =>
  act.class === "read" && act.kind === "credential" && act.impact !== "low" && !act.anywhere
    ? { ...act, anywhere: true }
    : act

/** The call by its name, and by the requests that it only hands on. */
const readHints = (
  action: Action,
  nameOfCall: NameOfCall,
  toldBy: ToldArguments | undefined,
  lexicon: Lexicon
) => {
  const handing = toldBy === undefined ? action : { ...action, targetResource: toldBy.text }
  const request = requestedAct(handing, nameOfCall, lexicon)
  const handedOn =
    request ?? pressedAct(action, nameOfCall, lexicon) ?? dispatchedAct(handing, nameOfCall, lexicon)
  return { handing, handedOn, isRequest: request !== undefined, told: opening(handedOn ?? nameOfCall.own) }
}

/**
 * The call by its command. `promised`: the language that its name promises. `told`: the act of its name. `base`: the same, with the organization's catalogue. `run`: the acts of the
 * command that count, the riskiest first. `replaces`: they replace the act of the name.
 */
const readRun = (
  promised: CommandLanguage | undefined,
  told: NameReading,
  base: NameReading,
  command: ReturnType<typeof readResource>,
  lexicon: Lexicon
): { readonly run: ReadonlyArray<RunAct>; readonly replaces: boolean } => {
  const run = actsOfCommand(command?.reading, told, lexicon)
  const [worst] = run
  // Only a command of low impact gives way: a graver one may do more than the name, or than the organization's catalogue says.
  const isMilder = worst?.impact === "low" && told.impact !== "low" && base.impact !== "low"
  const saysMore = isMilder && doesMoreThanCarry(told, promised, lexicon.tools)
  return { run, replaces: worst !== undefined && !saysMore }
}

/** The reading of a call as far as it does not depend on a destination. */
export const readSources = (
  given: Action,
  lexicon: Lexicon,
  known: KnownAct | undefined,
  toldBy: ToldArguments | undefined
) => {
  const { action, isCut } = withWholeCommand(given, lexicon.tools)
  const nameOfCall = readNameOfCall(action, lexicon)
  const args = toldBy?.reading ?? argumentsOf(action, nameOfCall, lexicon)
  const { handedOn, handing, isRequest, told } = readHints(action, nameOfCall, toldBy, lexicon)
  const name = slice(nameOfCall.split, nameOfCall.server)
  const promised = promisedLanguage(name.words, lexicon.tools)
  const commandFor = (act: Act) => (isRequest ? undefined : readResource(action, name, act, lexicon))
  const base =
    known === undefined ? told : opening(nameAct(told, known, commandFor(told) !== undefined, lexicon))
  const command = commandFor(base)
  const { replaces, run } = readRun(promised, told, base, command, lexicon)
  // A name without arguments means its entry. With arguments behind it, it can be a command that does more.
  const isBare = nameOfCall.provided !== undefined && action.targetResource === undefined
  const spelled = replaces || isBare ? undefined : readNameAsCommand(action, lexicon)
  const heard =
    replaces || run.length === 0
      ? base
      : { ...join(base, run), alsoExports: base.alsoExports || run.some(isExport) }
  const plain = spelled === undefined ? heard : riskiest<NameReading>(heard, { ...heard, ...spelled })
  const [first, ...others] = run
  const read =
    replaces && first !== undefined
      ? ranAs(base, first, others)
      : command === undefined
        ? toldByArguments(plain, args, handing, lexicon)
        : plain
  return {
    given,
    action,
    args,
    nameOfCall,
    provider: providerOf(nameOfCall, lexicon.catalogue),
    handedOn,
    command,
    base,
    /** The organization's catalogue gives the act of the tool. */
    isNamed: base !== told,
    /** The acts of its command that count, the riskiest first. */
    run,
    spelled,
    plain,
    /** The act of the call before its signals count. They never count on what a command runs. */
    read,
    /** A part of its command was not read. */
    isCut,
    runs: replaces,
    isBelieved: promised !== "shell" && promised !== "device" && !isRequest,
    /** A command in the prose of the call. */
    spoken: tellingCommand(withScript(action, read), isCut, command && action.targetResource, lexicon)
  }
}

export type CallSources = ReturnType<typeof readSources>
