/** Explains how a call is read: lists each part of the request that mattered, quoted, with the entry of the lexicon that it matched. */

import type { Action, ActionClass, Environment } from "../../domain/Action.ts"
import { quotedTextMax } from "../../limits.ts"
import type { KnownAct } from "../knowledge/OrganizationCatalogue.ts"
import { type Act, type Impact, riskOf } from "./Act.ts"
import type { ToolArguments } from "./arguments/readToolArguments.ts"
import { type ActionPart, toolCallOf } from "./arguments/toolCall.ts"
import type { Lexicon } from "./callArguments.ts"
import { plainText } from "./commands/readCommand.ts"
import { leavesTo, productionIn, readEnvironment } from "./places.ts"
import type { Signal } from "./readArguments.ts"
import { type CallSources, readSources, signalsOf, withCountedSignals } from "./readSources.ts"
import { asExport, readParts } from "./readCall.ts"
import { impactAskedBy, type Weighable } from "./signals.ts"
import type { ReadAct } from "./commands/CommandReading.ts"

/** `provider`: a provider's catalogue. `catalogue`: the organization's own. */
export const evidenceSources = [
  "catalogue",
  "provider",
  "name",
  "request",
  "command",
  "argument",
  "prose"
] as const

/** A piece of the request, quoted. */
interface Quote {
  /** A field of the request, or the path of an argument. */
  readonly field: string
  readonly said: string
  /** Where the quote begins in the field, in UTF-16 units. Undefined: the field spells it differently. */
  readonly at: number | undefined
}

export interface ReadingEvidence extends Quote {
  readonly source: (typeof evidenceSources)[number]
  /** The lexicon entry that it matches: a form of a program, a name in a provider's file, a word, a signal. */
  readonly line: string
  /** The act that it names. Undefined: it names no act and only raises or lowers other evidence. */
  readonly type: string | undefined
  readonly class: ActionClass | undefined
  readonly impact: Impact | undefined
  /** It makes the call milder. */
  readonly lowers: boolean
  /** False: it is only a hint, which another part of the call overrides. */
  readonly counts: boolean
}

const quote = (field: string, text: string, said = text): Quote => {
  const at = text.indexOf(said)
  return { field, said: said.slice(0, quotedTextMax), at: at < 0 ? undefined : at }
}

const ofAct = (
  source: ReadingEvidence["source"],
  act: Act,
  line: string,
  quoted: Quote,
  counts: boolean
): ReadingEvidence => ({
  source,
  ...quoted,
  line,
  type: act.type,
  class: act.class,
  impact: act.impact,
  lowers: false,
  counts
})

/** Evidence that names no act: a place, or an argument that was not read. */
const withoutAct = (quoted: Quote, line: string): ReadingEvidence => ({
  source: "argument",
  ...quoted,
  line,
  type: undefined,
  class: undefined,
  impact: undefined,
  lowers: false,
  counts: true
})

/** Quotes the part of a command that performs an act, from the field that holds the command. */
const quoteCommand = ({ span }: ReadAct, read: string, field: string, text: string): Quote => {
  const plain = plainText(read)
  return quote(field, text, span === undefined ? plain : plain.slice(span.pos, span.end))
}

const textsOf = ({
  actionDescription = "",
  actionType,
  destination = "",
  targetResource = "",
  targetSystem = ""
}: Action): Readonly<Record<string, string>> => ({
  action_type: actionType,
  action_description: actionDescription,
  destination,
  target_resource: targetResource,
  target_system: targetSystem
})

const sign = /[^a-z0-9]/gi

/** The part of a text that one of the signal's words or texts matches. Undefined: the text spells it differently. */
const saidFor = ({ text: texts = [], words = [] }: Signal, text: string): string | undefined => {
  const lower = text.toLowerCase()
  const wanted = texts.find((one) => lower.includes(one))
  if (wanted !== undefined) return text.slice(lower.indexOf(wanted), lower.indexOf(wanted) + wanted.length)
  for (const sequence of words) {
    const spelled = sequence.map((word) => word.replace(sign, ""))
    // A word in another script leaves no such letters, and the resulting empty pattern would match everywhere.
    const match = spelled.includes("") ? null : new RegExp(spelled.join("[^a-z0-9]*"), "i").exec(text)
    if (match !== null) return match[0]
  }
  return undefined
}

const quoteSignal = (signal: Signal, action: Action, toolArguments: ToolArguments | undefined): Quote => {
  const argument = toolArguments?.signalled.get(signal)
  if (argument !== undefined) return quote(argument.path, argument.value, saidFor(signal, argument.value))
  const texts = textsOf(action)
  const stated = signal.in.filter((field) => texts[field] !== "")
  const [first = "target_resource"] = stated
  const field = stated.find((one) => saidFor(signal, texts[one] ?? "") !== undefined) ?? first
  const text = texts[field] ?? ""
  return quote(field, text, saidFor(signal, text))
}

const ofSignal = (signal: Signal, act: Weighable, quoted: Quote): ReadingEvidence => ({
  ...withoutAct(quoted, `signal ${signal.id}`),
  class: signal.class,
  impact: impactAskedBy(signal, act) ?? (signal.lowers === true ? signal.to : undefined),
  lowers: signal.lowers === true
})

const lineOfName = ({ nameOfCall: { named, provided } }: CallSources): string => {
  if (provided !== undefined) return `${provided.provider} ${provided.spelled}`
  if (named.verb === undefined) return "no verb that is known"
  return named.object === undefined ? `verb ${named.verb}` : `verb ${named.verb}, noun ${named.object}`
}

/** One part of a call: its action, the field that holds its text, and its tool arguments. */
type Part = Pick<ActionPart, "action" | "field" | "toolArguments">

/** Evidence from the name: its words, a catalogue entry, or a command that is the name. */
const ofName = (call: CallSources): ReadonlyArray<ReadingEvidence> => {
  const { action, counts, isNamed, nameAsCommand, nameOfCall, named } = call
  const name = quote("action_type", action.actionType)
  const source = nameOfCall.provided === undefined ? "name" : "provider"
  return [
    ofAct(source, nameOfCall.own, lineOfName(call), name, counts.name),
    ...(isNamed ? [ofAct("catalogue", named, "the organization's catalogue", name, counts.named)] : []),
    ...(nameAsCommand === undefined ? [] : [ofAct("command", nameAsCommand, nameAsCommand.line, name, true)])
  ]
}

/** Evidence from the requests and commands that the call passes on. */
const ofHandedOn = (
  { action, command, counts, handedOn, isCut, run }: CallSources,
  { field }: Part,
  { tools: { tooLong } }: Lexicon
): ReadonlyArray<ReadingEvidence> => {
  const text = action.targetResource ?? ""
  const acts = command?.reading?.acts ?? []
  const requests = run.filter((act) => !acts.some((one) => one === act))
  return [
    ...(handedOn === undefined
      ? []
      : [ofAct("request", handedOn, handedOn.type, quote(field, text), counts.named)]),
    ...acts.map((act) =>
      ofAct("command", act, act.line, quoteCommand(act, command?.text ?? "", field, text), counts.command)
    ),
    ...requests.map((act) => ofAct("request", act, act.type, quote(field, text), counts.command)),
    ...(isCut ? [ofAct("command", tooLong, "tooLong", quote(field, text), true)] : [])
  ]
}

/** Evidence from the arguments: the things that they name, and their signals. The named things never change what a command does. */
const ofArguments = (
  call: CallSources,
  { field, toolArguments }: Part,
  environment: Environment
): ReadonlyArray<ReadingEvidence> => {
  const { action, args, plain, read, runs } = call
  const addsMore = !runs && (riskOf(read) > riskOf(plain) || read.holds !== plain.holds)
  const [noun] = args.nouns
  // A signal about the data can make another signal graver.
  const raised = withCountedSignals(call, args.signals, environment)
  return [
    ...(addsMore && noun !== undefined
      ? [ofAct("argument", read, `noun ${noun.name}`, quote(field, action.targetResource ?? ""), true)]
      : []),
    ...signalsOf(call, environment).map((signal) =>
      ofSignal(signal, raised, quoteSignal(signal, action, toolArguments))
    )
  ]
}

/** Evidence from the place where the call acts, whatever environment it states, and from its destination. */
const ofPlaces = (
  call: CallSources,
  environment: Environment,
  lexicon: Lexicon
): ReadonlyArray<ReadingEvidence> => {
  const { action, args } = call
  const { vocabulary } = lexicon
  const texts = textsOf(action)
  const field = productionIn(call, lexicon)
  const done = withCountedSignals(call, args.signals, environment)
  const sent = quote("destination", texts["destination"] ?? "")
  return [
    ...(field === undefined ? [] : [withoutAct(quote(field, texts[field] ?? ""), "production")]),
    ...(leavesTo(done, action, vocabulary)
      ? [ofAct("argument", asExport(done, lexicon), "a destination outside", sent, true)]
      : [])
  ]
}

const ofProse = ({ counts, prose }: CallSources): ReadonlyArray<ReadingEvidence> => {
  if (prose === undefined) return []
  const { act, field, text } = prose
  return [ofAct("prose", act, act.line, quoteCommand(act, text, field, text), counts.prose)]
}

const riskOfEvidence = ({ class: own = "internal", impact, lowers }: ReadingEvidence): number =>
  lowers || impact === undefined ? -1 : riskOf({ class: own, impact })

/** Evidence that counts comes first, then the riskiest. */
const byStrength = (a: ReadingEvidence, b: ReadingEvidence): number =>
  Number(b.counts) - Number(a.counts) || riskOfEvidence(b) - riskOfEvidence(a)

const keyOf = ({ at, field, line, said, source }: ReadingEvidence): string =>
  JSON.stringify([source, field, said, at, line])

/** The evidence for a reading, strongest first. `known`: what the organization's catalogue states about the tool. */
export const explainReading = (
  given: Action,
  lexicon: Lexicon,
  known?: KnownAct
): ReadonlyArray<ReadingEvidence> => {
  const evidenceOf = (part: Part): ReadonlyArray<ReadingEvidence> => {
    const call = readSources(part.action, lexicon, known, part.toolArguments)
    const environment = readEnvironment(call, lexicon)
    return [
      ...ofName(call),
      ...ofHandedOn(call, part, lexicon),
      ...ofArguments(call, part, environment),
      ...ofPlaces(call, environment, lexicon),
      ...ofProse(call)
    ]
  }
  const call = toolCallOf(given.metadata)
  if (call === undefined)
    return strongest(evidenceOf({ action: given, field: "target_resource", toolArguments: undefined }))
  const { parts, toolArguments } = readParts(given, call, lexicon, known)
  return strongest([
    ...parts.flatMap((part) =>
      evidenceOf(part).map((one) => ({ ...one, counts: one.counts && part.counts }))
    ),
    ...[...toolArguments.unread, ...call.unread].map((path) => withoutAct(quote(path, ""), "not read"))
  ])
}

/** Removes duplicates and orders by strength. */
const strongest = (all: ReadonlyArray<ReadingEvidence>): ReadonlyArray<ReadingEvidence> => {
  const distinct = new Map<string, ReadingEvidence>()
  for (const one of all) {
    const before = distinct.get(keyOf(one))
    if (before === undefined || byStrength(one, before) < 0) distinct.set(keyOf(one), one)
  }
  return [...distinct.values()].toSorted(byStrength)
}
