/** Reads the arguments of a call and adjusts the act given by its name. */

import { type Action, type ActionClass, changeless, dataClassifications } from "../../domain/Action.ts"
import type { SaferAlternative } from "../telling/saferAlternatives.ts"
import { higher, riskiest, riskOf } from "./Act.ts"
import type { PreparedParameters } from "./arguments/Parameters.ts"
import type { Catalogue } from "./Catalogue.ts"
import { type CommandReader, keepsText } from "./callCommand.ts"
import { withoutDeeds } from "./commands/sql/sqlText.ts"
import { type NameOfCall, slice } from "./nameOfCall.ts"
import { globFits } from "./commands/paths.ts"
import { handlesSource, scriptIn, tellsSecret, withoutMailAddresses, withoutProse } from "./namingWords.ts"
import {
  type ArgumentReading,
  mostSensitive,
  noArguments,
  type PreparedSignals,
  readArguments
} from "./readArguments.ts"
import { type ImpactTable, type NameReading, readName, weigh } from "./readName.ts"
import type { ObjectKind, Vocabulary } from "./Vocabulary.ts"

export interface Lexicon extends CommandReader {
  readonly alternatives: ReadonlyArray<SaferAlternative>
  readonly parameters: PreparedParameters
  readonly catalogue: Catalogue
  readonly impacts: ImpactTable
  readonly signals: PreparedSignals
}

/** Kinds of objects that hold text written by people. A credit card, unlike a card on a board, holds none. */
const textual: ReadonlySet<ObjectKind> = new Set<ObjectKind>([
  "record",
  "message",
  "ephemeral",
  "nothing",
  "test",
  "code"
])
const small: ReadonlySet<ActionClass> = new Set<ActionClass>(["write", "communicate"])

/** Flags, parameters other than the message, and paths: each of these can name an act. */
const saysMore = /(?:^|\s)--?\w|^\s*[[{]|^\S*$|\b(?!(?:message|msg|m)\b)\w+=|\.\w+\/|\/\w+\./i

/** Whether the resource is only text, such as a commit message. The call does not perform an act that such a text describes. */
const isText = (
  { own, provided, split }: NameOfCall,
  { targetResource = "" }: Action,
  { sets }: Vocabulary
): boolean =>
  provided !== undefined &&
  own.class === "write" &&
  split.words.some((word) => sets.texted.has(word)) &&
  !saysMore.test(targetResource)

/** The arguments with everything from the resource removed. */
const withoutResource = ({ readingRole, signalsOfResource, words }: ArgumentReading): ArgumentReading => ({
  ...noArguments,
  words,
  signalsOfResource,
  readingRole,
  isKeyed: false
})

const lastOf = (words: string): string => words.slice(words.lastIndexOf(" ") + 1)

/** Whether the object holds text that people write and read: a page, an issue, a message. `isListed`: a known product lists the name. */
const holdsTexts = (
  { class: own, kind, object, verb = "" }: NameReading,
  isListed: boolean,
  { sets: { listedHolders, textHolders } }: Vocabulary
): boolean => {
  const holder = lastOf(object ?? verb)
  const isHolder = textHolders.has(holder) || (isListed && listedHolders.has(holder))
  return isHolder && small.has(own) && textual.has(kind)
}

/** In a commit, only the message is prose. */
const committed: ReadonlySet<string> = new Set(["message"])

/** The resource without its prose, for a page, an issue or a message: writing about a bank account does not change the account. */
const withoutTexts = (
  act: NameReading,
  isListed: boolean,
  { destination = "", targetResource = "" }: Action,
  vocabulary: Vocabulary
): string => {
  const { sets, texts } = vocabulary
  if (!holdsTexts(act, isListed, vocabulary)) return targetResource
  const isMessage = act.class === "communicate"
  const keys = lastOf(act.object ?? act.verb ?? "") === "commit" ? committed : sets.proseKeys
  const rest = withoutProse(targetResource, { keys, isSaid: isMessage, isOutside: false }, vocabulary)
  // The receiver is an address, or someone who is not a colleague.
  if (rest === targetResource || texts.outsider.test(destination) || texts.outsider.test(rest))
    return targetResource
  const isOutside = isMessage && act.impact !== "low"
  return isOutside ? withoutProse(targetResource, { keys, isSaid: true, isOutside }, vocabulary) : rest
}

/** Whether the resource is only a search pattern of a known tool: `Grep` for `password`. */
const isPattern = (
  { own: { class: own, type }, provided }: NameOfCall,
  { commands: { placelessActs } }: Lexicon
): boolean => provided !== undefined && own === "read" && placelessActs.some((glob) => globFits(glob, type))

/** Classes of acts that do not act on the people whose addresses are in the arguments. */
const addressed: ReadonlySet<ActionClass> = new Set<ActionClass>([...changeless, ...small, "export"])

/** Reads the arguments of a call, except those that the tool treats as plain text. */
export const argumentsOf = (action: Action, nameOfCall: NameOfCall, lexicon: Lexicon): ArgumentReading => {
  const { vocabulary } = lexicon
  const { own, server, split } = nameOfCall
  const { targetResource } = action
  const isSource = handlesSource(targetResource, own, vocabulary)
  if (isText(nameOfCall, action, vocabulary))
    return withoutResource(readArguments(action, vocabulary, lexicon.signals))
  const isKept = targetResource !== undefined && keepsText(action, slice(split, server), own, lexicon)
  const heard = isKept ? { ...action, targetResource: withoutDeeds(targetResource) } : action
  const told =
    heard.targetResource === undefined
      ? undefined
      : withoutTexts(own, nameOfCall.provided !== undefined, heard, vocabulary)
  // A message is judged by its text, because an alarm to everyone shows only in its words. Text that is only written down performs nothing
  // that it describes.
  const written = own.class === "write" && told !== undefined ? { ...heard, targetResource: told } : heard
  const naming = isPattern(nameOfCall, lexicon)
    ? ""
    : told !== undefined && addressed.has(own.class)
      ? withoutMailAddresses(told)
      : told
  return readArguments(written, vocabulary, lexicon.signals, { isSource, naming })
}

/** Reads a script that the call writes to a file as if it were a command in the call. */
export const withScript = (action: Action, { class: own }: NameReading): Action => {
  const { metadata, targetResource } = action
  if (targetResource === undefined || metadata?.["command"] !== undefined) return action
  const written = own === "write" || own === "configure" ? scriptIn(targetResource) : undefined
  return written === undefined ? action : { ...action, metadata: { ...metadata, command: written } }
}

/** The act that a name performs with its arguments. */
export const actWithArguments = (
  act: NameReading,
  args: ArgumentReading,
  action: Action,
  lexicon: Lexicon
): NameReading => {
  const named = withNamedVerb(ofOwned(act, args, lexicon), args, lexicon)
  return withSecret(withArguments(named, args, lexicon), action, lexicon.vocabulary)
}

/** Kinds of objects that a path or an address may name by accident. */
const seldomMeant: ReadonlySet<ObjectKind> = new Set<ObjectKind>([
  "physical",
  "danger",
  "audience",
  "nothing"
])

/** The act that a parameter names, applied to the object that the call names. */
const namedAct = (
  act: NameReading,
  { nouns, verbs }: ArgumentReading,
  { impacts: table, vocabulary }: Lexicon
): NameReading | undefined => {
  let worst: NameReading | undefined
  const object =
    act.object !== undefined && !vocabulary.sets.sayingNothing.has(act.object) ? act.object : nouns[0]?.name
  for (const { parts, words } of verbs) {
    // `service=billing` names a thing.
    const first = vocabulary.words.get(words[0] ?? "")
    if (first?.verb === undefined || first.form !== "base" || first.verb.noun === "mostly") continue
    const last = parts.at(-1) ?? 0
    const noun = object?.split(" ") ?? []
    const one = readName(
      { words: [...words, ...noun], parts: [...parts, ...noun.map(() => last)] },
      vocabulary,
      table
    )
    if (one.verb !== undefined && one.class !== "read")
      worst = worst === undefined ? one : riskiest<NameReading>(one, worst)
  }
  return worst
}

/** Lets a parameter such as `action=wipe` raise the act of a name, or supply the act if the name is not understood. */
const withNamedVerb = (act: NameReading, args: ArgumentReading, lexicon: Lexicon): NameReading => {
  if (act.class === "read" && lexicon.vocabulary.sets.seekers.has(act.verb ?? "")) return act
  const named = namedAct(act, args, lexicon)
  if (named === undefined) return act
  // A parameter replaces the act only if the name is not understood. Otherwise it can only raise the act.
  if (act.class === "unknown") return { ...act, ...named }
  return riskOf(named) > riskOf(act) ? { ...act, ...named, type: act.type } : act
}

/** `transfer_ownership` of `deal 553` changes who owns one record. It does not grant rights to everything. */
const ofOwned = (
  act: NameReading,
  { nouns }: ArgumentReading,
  { impacts: table, vocabulary }: Lexicon
): NameReading => {
  const { object, verb } = act
  if (verb === undefined || (object !== "ownership" && object !== "owner")) return act
  const owned = `${nouns[0]?.name} ${object}`
  if (!vocabulary.sets.assignments.has(owned)) return act
  const words = [verb, ...owned.split(" ")]
  return readName({ words, parts: words.map(() => 0) }, vocabulary, table)
}

/**
 * Whether a named place is only where the object is, and not the object itself. A deletion, or a change by a verb without an object, may
 * act on the place: `delete` and `rename` of `{"project":"app"}`.
 */
const isElsewhere = (
  { class: own, object, verb = "" }: NameReading,
  { statesMore }: ArgumentReading,
  { sets: { turning } }: Vocabulary
): boolean => {
  if (object === undefined && !verb.includes(" ")) return false
  return changeless.has(own) || (small.has(own) && statesMore && !turning.has(verb))
}

/** `search` of `{"query":"failed password"}` looks for these words and does not read a password. */
const looksFor = (
  { class: own, verb = "" }: NameReading,
  { isKeyed }: ArgumentReading,
  { sets: { seekers } }: Vocabulary
): boolean => isKeyed && own === "read" && seekers.has(verb)

/** A message that contains a password discloses it to any receiver. */
const withSecret = (act: NameReading, { targetResource = "" }: Action, vocabulary: Vocabulary): NameReading =>
  act.class === "communicate" && tellsSecret(targetResource, vocabulary)
    ? {
        ...act,
        holds: higher(dataClassifications, act.holds, "restricted"),
        credential: true,
        anywhere: true
      }
    : act

/** Uses the things that the resource names if the object in the name is uninformative. */
const withArguments = (
  act: NameReading,
  args: ArgumentReading,
  { impacts: table, vocabulary }: Lexicon
): NameReading => {
  const nouns = isElsewhere(act, args, vocabulary) ? args.unplacedNouns : args.nouns
  // The receiver of a message says nothing about its content.
  const held = act.class === "communicate" ? nouns.filter(({ is }) => is !== "person") : nouns
  const holds = higher(dataClassifications, act.holds, mostSensitive(held))
  const isNamed =
    act.object === undefined
      ? holdsTexts(act, false, vocabulary) || looksFor(act, args, vocabulary)
      : !vocabulary.sets.sayingNothing.has(act.object)
  if (isNamed) return { ...act, holds }
  let best: NameReading = { ...act, holds }
  for (const noun of nouns) {
    if (seldomMeant.has(noun.is)) continue
    // Sharing a file as `role=viewer` grants that role. It does not change the role itself.
    if (act.class === "access" && args.readingRole && noun.is === "right") continue
    const one = weigh({ name: act.verb ?? "act", class: act.class, meanings: [] }, noun, table)
    best = riskiest(
      { ...best, class: one.class, impact: one.impact, kind: one.kind, object: noun.name },
      best
    )
  }
  return best
}
