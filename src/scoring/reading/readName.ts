/** Reads a name that no catalogue lists by its words only: its verb, its object, and how many things it touches. */

import {
  type ActionClass,
  changeless,
  type DataClassification,
  dataClassifications
} from "../../domain/Action.ts"
import {
  type Act,
  type ActExtent,
  type Deed,
  extents,
  higher,
  type Impact,
  impacts,
  join,
  riskOf
} from "./Act.ts"
import { type Clause, endsUnknown, findHead, findVerbs, headIsNoun, restOf, noVerb } from "./findVerbs.ts"
import { type Meaning, type ObjectNoun, type ObjectKind, type Verb, type Vocabulary } from "./Vocabulary.ts"
import { findObjects, type Objects, withoutTestWords } from "./findObjects.ts"
import type { SplitName } from "../names/splitName.ts"

/** The impact of one act of a class on an object of a kind, in production. */
export interface ImpactTable {
  readonly classes: Readonly<Record<ActionClass, ImpactRow>>
  /** The least impact of a class on data of each sensitivity. */
  readonly holds: Partial<Record<ActionClass, Partial<Record<DataClassification, Impact>>>>
}

interface ImpactRow {
  readonly impact: Impact
  readonly kinds?: Partial<Record<ObjectKind, { readonly impact: Impact; readonly class?: ActionClass }>>
  /** How many steps each extent raises the impact. */
  readonly steps?: Partial<Record<ActExtent, number>>
}

export interface NameReading extends Act {
  readonly verb: string | undefined
  readonly object: string | undefined
  readonly kind: ObjectKind
  readonly soft: boolean
  readonly admin: boolean
  /** The name has no known verb, but a word hints at writing, many things, or outside. */
  readonly hinted: boolean
  /** The name also has a verb that exports, in addition to the verb that gives the class: `export_and_delete`. */
  readonly alsoExports: boolean
}

const raise = (impact: Impact, steps: number): Impact =>
  impacts[Math.min(impacts.length - 1, impacts.indexOf(impact) + steps)] ?? "critical"

const trifling: ReadonlySet<ObjectKind> = new Set<ObjectKind>(["ephemeral", "test", "nothing"])

interface Weighed {
  readonly class: ActionClass
  readonly impact: Impact
  readonly kind: ObjectKind
  readonly meaning?: Meaning | undefined
}

/**
 * The meaning of a verb for an object, looked up by the object's name, groups, last word and kind; under `?` without an object; then the
 * meaning for any object.
 */
export const meaningOf = ({ meanings }: Verb, noun: ObjectNoun | undefined): Meaning | undefined => {
  for (const key of noun?.keys ?? keysOfUnknown) {
    for (const by of meanings) if (by[key] !== undefined) return by[key]
  }
  for (const by of meanings) if (by["*"] !== undefined) return by["*"]
  return undefined
}
const keysOfUnknown = ["?"]

/** The class and the impact of a verb applied to an object. */
export const weigh = (
  verb: Verb,
  noun: ObjectNoun | undefined,
  table: ImpactTable,
  meaning = meaningOf(verb, noun)
): Weighed => {
  const kind = noun?.is ?? "record"
  const ownClass = meaning?.class ?? verb.class
  const row = table.classes[ownClass]
  if (meaning?.impact !== undefined) return { class: ownClass, impact: meaning.impact, kind, meaning }
  // A verb phrase contains its object already.
  const cell =
    noun === undefined || (verb.phrase === true && verb.base === verb.name) ? undefined : row.kinds?.[kind]
  const own = meaning === undefined ? verb.impact : undefined
  if (cell === undefined) return { class: ownClass, impact: own ?? row.impact, kind, meaning }
  const impact = trifling.has(kind) ? cell.impact : higher(impacts, cell.impact, own)
  return { class: meaning?.class ?? cell.class ?? ownClass, impact, kind, meaning }
}

/** Kinds of nouns that affect the noun after them: the settings of a firewall, the value of a secret. */
const colouring: ReadonlySet<ObjectKind> = new Set<ObjectKind>([
  "guard",
  "right",
  "credential",
  "danger",
  "money",
  "claim"
])
const colourless: ReadonlySet<ObjectKind> = new Set<ObjectKind>(["record", "operational", "code", "message"])

const weighColoured = (verb: Verb, { stretch, head }: Objects, table: ImpactTable): Weighed => {
  let worst = weigh(verb, head, table)
  if (head === undefined || !colourless.has(head.is) || changeless.has(worst.class)) return worst
  for (const noun of stretch) {
    if (!colouring.has(noun.is)) continue
    const one = weigh(verb, noun, table)
    if (riskier(one, worst)) worst = one
  }
  return worst
}

/** The longest name of a place, in words: `point in time`. */
export const longestPlace = 3

/** The meaning of a verb by its target after `to`: `transfer_to_billing_agent`. */
const meaningTowards = ({ to }: Verb, { towards }: Objects, { words }: Vocabulary): Meaning | undefined => {
  if (to === undefined) return undefined
  for (let at = 0; at < towards.length; at++) {
    for (let length = Math.min(longestPlace, towards.length - at); length > 1; length--) {
      const found = to.get(towards.slice(at, at + length).join(" "))
      if (found !== undefined) return found
    }
    const word = towards[at] ?? ""
    const found = to.get(word) ?? to.get(words.get(word)?.noun?.name ?? "")
    if (found !== undefined) return found
  }
  return undefined
}

const riskier = (a: Deed, b: Deed): boolean => riskOf(a) > riskOf(b)

const nothingToKeep: ReadonlySet<ActionClass> = new Set<ActionClass>(["internal", "simulate"])
/** Classes whose wide verbs already say how many people they reach. */
const addressed: ReadonlySet<ActionClass> = new Set<ActionClass>(["communicate", "transact"])

/**
 * The steps by which an extent raises the impact. The impact of a verb that is wide by nature (purge) includes them, so words add at most
 * one more.
 */
const stepsOf = (
  { class: own, kind }: Weighed,
  extent: ActExtent,
  verb: Verb,
  table: ImpactTable
): number => {
  const steps = trifling.has(kind) ? 0 : (table.classes[own].steps?.[extent] ?? 0)
  if (verb.wide !== true) return steps
  return addressed.has(own) ? 0 : Math.min(steps, 1)
}

const extentOf = (own: ActionClass, verb: Verb, objects: Objects): ActExtent => {
  const many = objects.plural || (objects.head?.amount !== undefined && objects.head.amount !== "everything")
  const widest = higher(extents, objects.extent, verb.wide === true ? undefined : verb.extent)
  const extent = widest === "single" && many ? "list" : widest
  return changeless.has(own) && extent !== "single" ? "list" : extent
}

const holdsOf = (own: ActionClass, nouns: ReadonlyArray<ObjectNoun>): DataClassification => {
  let most: DataClassification | undefined
  for (const { holds, is } of nouns) {
    // The receiver is not part of what is sent.
    if (holds === undefined || (own === "communicate" && is === "person")) continue
    // A mailbox holds private messages, but a message that is being sent is mostly news.
    if (own === "communicate" && holds === "confidential" && is === "message") continue
    most = most === undefined ? holds : higher(dataClassifications, most, holds)
  }
  return most ?? "internal"
}

interface ReadAct {
  readonly reading: NameReading
  /** Whether this can be the act of the name. If not, it only sets the least impact. */
  readonly known: boolean
  /**
   * Whether this act is performed in any case, even if the name's act is another one. False for a noun next to pure verbs of its clause.
   */
  readonly done: boolean
}

/** The other clauses of a name. Lazy, because most acts need none of them. */
type Others = () => ReadonlyArray<Clause>

/** Applies one verb to the objects among the other words of its clause. */
const readAct = (
  verb: Verb,
  spelled: string,
  rest: ReadonlyArray<string>,
  others: Others,
  vocabulary: Vocabulary,
  table: ImpactTable
): NameReading => {
  const { sets } = vocabulary
  let words = rest
  let objects = findObjects(words, vocabulary)
  // `create_or_update_issue`: a side without an object takes that of another side.
  for (const other of objects.all.length === 0 ? others() : []) {
    const theirs = restOf(other)
    if (findObjects(theirs, vocabulary).all.length === 0) continue
    words = [...rest, ...theirs]
    objects = findObjects(words, vocabulary)
    break
  }
  const towards = meaningTowards(verb, objects, vocabulary)
  const weighed =
    towards === undefined ? weighColoured(verb, objects, table) : weigh(verb, objects.head, table, towards)
  const own = weighed.class
  const extent = extentOf(own, verb, objects)
  const inPhrase = verb.phrase === true ? findObjects(verb.name.split(" "), vocabulary).all : []
  const holds = holdsOf(own, [...objects.all, ...inPhrase])
  const shownOnly = sets.metadata.has(verb.name) && holds !== "regulated"
  const floor = shownOnly || nothingToKeep.has(own) ? undefined : table.holds[own]?.[holds]
  const hinted = own === "unknown" && words.some((word) => sets.hints.has(word))
  const stepped = raise(higher(impacts, weighed.impact, floor), stepsOf(weighed, extent, verb, table))
  const guards = objects.all.some(({ is }) => is === "guard")
  const isAssigned = objects.all.some(({ name }) => sets.assignments.has(name))
  return {
    type: typeOf(words, spelled, vocabulary),
    class: own,
    impact: hinted ? higher(impacts, stepped, "high") : stepped,
    others: [],
    extent: verb.wide === true ? higher(extents, extent, verb.extent) : extent,
    holds,
    anywhere: false,
    remote: false,
    credential:
      weighed.meaning?.credential ??
      (verb.credential === true && objects.all.some(({ is }) => is === "credential")),
    weakens: weighed.meaning?.weakens === true || (verb.weakens === true && (guards || verb.phrase === true)),
    verb: own === "unknown" ? undefined : (verb.base ?? verb.name),
    object: objects.head?.name,
    kind: weighed.kind,
    soft: verb.soft === true,
    admin: [...words, ...verb.name.split(" ")].some(
      (word) => sets.admins.has(word) && !(isAssigned && word.startsWith("owner"))
    ),
    hinted,
    alsoExports: false
  }
}

/** Placeholder object in the type of a name that has none. It is a stop word of the vocabulary. */
const noObject = "unspecified"

/** `<object>.<verb>`. Omits a test word that reading the type again would omit, so that the type reads as itself. */
const typeOf = (words: ReadonlyArray<string>, spelled: string, vocabulary: Vocabulary): string => {
  const verb = spelled.split("_")
  const all = [...words, ...verb]
  const kept = withoutTestWords({ words: all, parts: all.map(() => 0) }, vocabulary).words
  const object = kept.slice(0, kept.length - verb.length)
  return `${object.length === 0 ? noObject : object.join("_")}.${spelled}`
}

const unknownVerb: Verb = { name: noVerb, class: "unknown", meanings: [] }

/** The group of things that do something when called: `shell`, `python_code`. */
const runnable = "@runnable"

/** Whether a name without a verb still does something: it ends in a word for doing, or in a particle (`fan_out`). */
const isDoing = (last: string, { head }: Objects, { sets }: Vocabulary): boolean =>
  sets.prepositions.has(last) || sets.doings.has(last) || sets.doings.has(head?.name ?? "")

/** Kinds of things that a batch changes. A batch of images or settings may be anything. */
const batched: ReadonlySet<ObjectKind> = new Set<ObjectKind>([
  "record",
  "message",
  "person",
  "audience",
  "money",
  "claim"
])

/** The verb that words without a verb imply. A read, if all words are known nouns or the name ends in a word like `history` or `status`. */
const impliedVerb = (words: ReadonlyArray<string>, vocabulary: Vocabulary): Verb => {
  const last = words.at(-1)
  const readVerb = vocabulary.words.get("read")?.verb ?? unknownVerb
  const { doers, nameless } = vocabulary.sets
  if (words.length > 1 && doers.has(last ?? "")) return impliedVerb(words.slice(0, -1), vocabulary)
  if (words.every((word) => nameless.has(word))) return unknownVerb
  if (last === undefined || vocabulary.sets.readings.has(last)) return readVerb
  const objects = findObjects(words, vocabulary)
  const changesAll =
    (objects.plural || objects.head?.amount !== undefined) && batched.has(objects.head?.is ?? "nothing")
  if (changesAll && vocabulary.sets.batching.has(words[0] ?? ""))
    return vocabulary.words.get("tweak")?.verb ?? unknownVerb
  if (objects.head?.keys.includes(runnable) === true) return vocabulary.words.get("run")?.verb ?? unknownVerb
  return objects.understood && !isDoing(last, objects, vocabulary) ? readVerb : unknownVerb
}

/** The act of a clause after its pure verbs were removed. */
const headAct = (clause: Clause, others: Others, vocabulary: Vocabulary, table: ImpactTable): NameReading => {
  const { head, words } = clause
  if (head !== undefined)
    return readAct(head.verb, nameOf(head.verb), restOf(clause), others, vocabulary, table)
  const unknown = endsUnknown(clause)
  const verb = unknown ? unknownVerb : impliedVerb(words, vocabulary)
  return readAct(verb, nameOf(verb), unknown ? words.slice(0, -1) : words, others, vocabulary, table)
}

/**
 * A clause that had pure verbs. Keeps its head if that is only a verb. Otherwise finds the head of all its words as one part, because they
 * form one part in the type of the act.
 */
const besidePure = (clause: Clause, vocabulary: Vocabulary): Clause => {
  const { head, parts, words } = clause
  if (parts.at(-1) === parts[0] || (head !== undefined && !headIsNoun(clause))) return clause
  const joined = { words, parts: words.map(() => 0) }
  const found = findHead(joined, vocabulary)
  return found?.at === head?.at && found?.verb === head?.verb ? clause : { ...joined, head: found }
}

/** Every act that a name could mean. Acts of pure verbs come first, because among equal acts the first names the reading. */
const actsOf = (split: SplitName, vocabulary: Vocabulary, table: ImpactTable): ReadonlyArray<ReadAct> => {
  const { clauses, pure } = findVerbs(split, vocabulary)
  const acts: Array<ReadAct> = []
  for (const [index, clause] of clauses.entries()) {
    const others = () => clauses.filter((one) => one !== clause)
    const verbs = pure.filter((one) => one.clause === index)
    const seen = verbs.length === 0 ? clause : besidePure(clause, vocabulary)
    const { head, words } = seen
    // Next to a pure verb, a word that may be a noun counts as a noun: `delete_transfer` deletes.
    const isNoun = head === undefined || headIsNoun(seen)
    for (const { alone, verb } of verbs) {
      const spelled = isNoun ? nameOf(verb) : `${nameOf(verb)}_${nameOf(head.verb)}`
      const seeks = alone && head !== undefined && vocabulary.sets.seeking.has(head.verb.name)
      const objects = isNoun && !seeks ? words : restOf(seen)
      const reading = readAct(verb, spelled, objects, others, vocabulary, table)
      acts.push({ reading, known: true, done: true })
    }
    if (words.length === 0 && pure.length > 0) continue
    const own = headAct(clause, others, vocabulary, table)
    const theirs = seen === clause ? undefined : headAct(seen, others, vocabulary, table)
    const known =
      theirs === undefined ? head !== undefined && !(isNoun && verbs.length > 0) : riskier(own, theirs)
    acts.push({
      reading: own,
      known,
      done: known || (head !== undefined && verbs.some(({ alone }) => alone))
    })
    if (theirs !== undefined) acts.push({ reading: theirs, known: !isNoun, done: !isNoun })
    const behind = verbBehindThing(clause, vocabulary)
    if (behind === undefined) continue
    const reading = readAct(behind, nameOf(behind), clause.words.slice(0, -1), others, vocabulary, table)
    acts.push({ reading, known: true, done: true })
  }
  return acts
}

/** The last word of `backup_restore`: the word before it is more often a thing than a verb. */
const verbBehindThing = ({ head, words }: Clause, { sets, words: known }: Vocabulary): Verb | undefined => {
  if (head === undefined || !sets.thingsInFront.has(head.verb.name)) return undefined
  const last = head.end < words.length ? known.get(words.at(-1) ?? "") : undefined
  return last?.form === "base" && last.verb?.noun !== "mostly" ? last.verb : undefined
}

const nameOf = ({ name }: Verb): string => name.replaceAll(" ", "_")

/**
 * Reads a name as several acts and lets the riskiest count: the head verb of each clause, and each pure verb as if it were the only one.
 * The objects are found among the words without the verb, wherever it was. So an additional pure verb adds an act and changes no other: it
 * can never lower a reading.
 */
export const readName = (split: SplitName, vocabulary: Vocabulary, table: ImpactTable): NameReading => {
  const acts = actsOf(withoutTestWords(split, vocabulary), vocabulary, table)
  let worst: NameReading | undefined
  for (const { known, reading } of acts)
    if (known && (worst === undefined || riskier(reading, worst))) worst = reading
  worst ??= acts[0]?.reading
  if (worst === undefined) return readName({ words: [noObject], parts: [0] }, vocabulary, table)
  const head = worst
  const done = acts.filter((one) => (one.known || one.done) && one.reading !== head)
  const whole = join(
    head,
    done.map(({ reading }) => reading)
  )
  // Words that no verb explains set a least impact for every deed.
  const least = acts.reduce<Impact>(
    (impact, one) => (one.known || one.done ? impact : higher(impacts, impact, one.reading.impact)),
    "low"
  )
  return {
    ...whole,
    impact: higher(impacts, whole.impact, least),
    others: whole.others.map((deed) => ({ ...deed, impact: higher(impacts, deed.impact, least) })),
    admin: head.admin || done.some(({ reading }) => reading.admin),
    alsoExports: !leaving.has(head.class) && done.some(({ reading }) => reading.class === "export")
  }
}

const leaving: ReadonlySet<ActionClass> = new Set<ActionClass>(["export", "communicate"])
