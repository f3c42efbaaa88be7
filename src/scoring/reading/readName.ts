/** Reads a name that no catalogue lists, by its words alone: its verb, its object, and how many things it touches. */

import { type DataClassification, dataClassifications } from "../../domain/Action.ts"
import { type Act, type ActClass, actClasses, type ActExtent, extents, type Impact, impacts } from "./Act.ts"
import type { Meaning, Noun, ObjectKind, Verb, Vocabulary } from "./Vocabulary.ts"
import { looksPlural } from "./Vocabulary.ts"
import type { SplitName } from "./splitName.ts"

/** The impact of one act of a class on an object of a kind, in production. */
export interface ImpactTable {
  readonly classes: Readonly<Record<ActClass, ImpactRow>>
  /** The least impact of a class on what holds such data. */
  readonly holds: Partial<Record<ActClass, Partial<Record<DataClassification, Impact>>>>
}

interface ImpactRow {
  readonly impact: Impact
  readonly kinds?: Partial<Record<ObjectKind, { readonly impact: Impact; readonly class?: ActClass }>>
  /** Steps that an extent raises the impact. */
  readonly steps?: Partial<Record<ActExtent, number>>
}

export interface NameReading extends Act {
  readonly verb: string | undefined
  readonly object: string | undefined
  readonly kind: ObjectKind
  readonly soft: boolean
  readonly admin: boolean
  /** In a name without a known verb: a word hints at writing, many or outside. */
  readonly hinted: boolean
}

interface Counted {
  readonly at: number
  readonly end: number
  readonly verb: Verb
}

const phraseGapMax = 3

/** Where a sequence of words ends that starts at `from`, or undefined. `*` stands for one to three words. */
const endOf = (
  sequence: ReadonlyArray<string>,
  words: ReadonlyArray<string>,
  from: number
): number | undefined => {
  let at = from
  for (let i = 0; i < sequence.length; i++) {
    const wanted = sequence[i] ?? ""
    if (wanted !== "*") {
      if (words[at] !== wanted) return undefined
      at++
      continue
    }
    const next = sequence[i + 1] ?? ""
    const found = words.indexOf(next, at + 1)
    if (found < 0 || found - at > phraseGapMax) return undefined
    at = found
  }
  return at
}

const findPhrases = (words: ReadonlyArray<string>, { phrases }: Vocabulary): ReadonlyArray<Counted> => {
  const found: Array<Counted> = []
  for (let at = 0; at < words.length; at++) {
    for (const { means, words: sequence } of phrases.get(words[at] ?? "") ?? []) {
      const end = endOf(sequence, words, at)
      if (end === undefined) continue
      found.push({ at, end, verb: means })
      break
    }
  }
  return found
}

const conjunctions: ReadonlySet<string> = new Set(["and", "or", "then"])

/** The verb that heads one part of a name, `[from, to)`. */
const headOf = (
  words: ReadonlyArray<string>,
  from: number,
  to: number,
  phrases: ReadonlyArray<Counted>,
  vocabulary: Vocabulary
): Counted | undefined => {
  const verbAt = (at: number): Counted | undefined => {
    const phrase = phrases.find((one) => one.at === at && one.end <= to)
    if (phrase !== undefined) return phrase
    const verb = vocabulary.words.get(words[at] ?? "")?.verb
    return verb === undefined ? undefined : { at, end: at + 1, verb }
  }
  let nounVerb: Counted | undefined
  for (let at = from; at < to; at++) {
    const found = verbAt(at)
    if (found === undefined) continue
    if (found.verb.noun !== true || found.end - found.at > 1) return found
    nounVerb ??= found
  }
  // Of words that are verbs and nouns, the first is the verb (`transfer_funds`), and else the last (`payroll.run`).
  if (nounVerb === undefined || nounVerb.at === from) return nounVerb
  return verbAt(to - 1) ?? nounVerb
}

/** The head verb: that of the last part with one. */
const headVerb = (
  { parts, words }: SplitName,
  phrases: ReadonlyArray<Counted>,
  vocabulary: Vocabulary
): Counted | undefined => {
  let to = words.length
  while (to > 0) {
    let from = to - 1
    while (from > 0 && parts[from - 1] === parts[to - 1]) from--
    const head = headOf(words, from, to, phrases, vocabulary)
    if (head !== undefined) return head
    to = from
  }
  return undefined
}

/**
 * The verbs that count: the head, every word that can only be a verb, and what stands beside `and`, `or`, `then`.
 * So no harmless verb can hide a riskier one: `get_then_purge`, `noop.delete`.
 */
const countedVerbs = (
  split: SplitName,
  phrases: ReadonlyArray<Counted>,
  vocabulary: Vocabulary
): ReadonlyArray<Counted> => {
  const { words } = split
  const head = headVerb(split, phrases, vocabulary)
  const counted: Array<Counted> = head === undefined ? [] : [head]
  const covered = new Set(phrases.flatMap(({ at, end }) => [at, end - 1]))
  for (const phrase of phrases) if (phrase !== head) counted.push(phrase)
  for (const [at, word] of words.entries()) {
    const verb = vocabulary.words.get(word)?.verb
    if (verb === undefined || covered.has(at) || at === head?.at) continue
    const joined = conjunctions.has(words[at - 1] ?? "") || conjunctions.has(words[at + 1] ?? "")
    if (verb.noun !== true || joined) counted.push({ at, end: at + 1, verb })
  }
  return counted
}

interface Objects {
  /** The noun that the verb acts on: the last one before a preposition. */
  readonly head: Noun | undefined
  /** All nouns, pairs of words first where they are one noun. */
  readonly all: ReadonlyArray<Noun>
  /** The words that are neither verb nor stop word, as they are joined in the type. */
  readonly words: ReadonlyArray<string>
  readonly plural: boolean
}

/**
 * The nouns among the words that are no verbs here. Pairs of words are looked for after the verbs are taken out, so that a
 * verb in between does not hide them.
 */
const findObjects = (words: ReadonlyArray<string>, after: number, vocabulary: Vocabulary): Objects => {
  const all: Array<Noun> = []
  let head: Noun | undefined
  let plural = false
  let ended = false
  let at = 0
  while (at < words.length) {
    const word = words[at] ?? ""
    if (vocabulary.sets.prepositions.has(word)) {
      ended ||= head !== undefined && at >= after
      at++
      continue
    }
    const compound = (vocabulary.compounds.get(word) ?? []).find(
      ({ words: sequence }) => endOf(sequence, words, at) !== undefined
    )
    const noun = compound?.means ?? vocabulary.words.get(word)?.noun
    const end = at + (compound?.words.length ?? 1)
    if (noun !== undefined) {
      all.push(noun)
      if (!ended) head = noun
    }
    if (!ended) plural = looksPlural(words[end - 1] ?? "", vocabulary)
    at = end
  }
  return { head, all, words, plural }
}

const trifling: ReadonlySet<ObjectKind> = new Set<ObjectKind>(["ephemeral", "test", "nothing"])

/** Kinds that colour a name as modifiers too: a rule of a firewall, a policy for secrets. */
const colouring: ReadonlySet<ObjectKind> = new Set<ObjectKind>([
  "ephemeral",
  "test",
  "guard",
  "danger",
  "audience",
  "credential",
  "right"
])

const impactRank = (impact: Impact): number => impacts.indexOf(impact)
const classRank = (name: ActClass): number => actClasses.indexOf(name)
const extentRank = (extent: ActExtent): number => extents.indexOf(extent)

interface Weighed {
  readonly class: ActClass
  readonly impact: Impact
  readonly kind: ObjectKind
}

export /** What a verb means with an object: by its name, then its groups, then its kind, then with any. */
const meaningOf = (verb: Verb, noun: Noun | undefined, kind: ObjectKind): Meaning | undefined => {
  for (const key of noun === undefined ? [kind] : [noun.name, ...noun.groups, kind]) {
    for (const meanings of verb.meanings) if (meanings[key] !== undefined) return meanings[key]
  }
  for (const meanings of verb.meanings) if (meanings["*"] !== undefined) return meanings["*"]
  return undefined
}

export const weigh = (verb: Verb, noun: Noun | undefined, table: ImpactTable): Weighed => {
  const kind = noun?.is ?? "record"
  const own = meaningOf(verb, noun, kind)
  const verbClass = own?.class ?? verb.class
  const row = table.classes[verbClass]
  const cell = row.kinds?.[kind]
  const finalClass = own?.class ?? cell?.class ?? verbClass
  return { class: finalClass, impact: own?.impact ?? verb.impact ?? cell?.impact ?? row.impact, kind }
}

const riskier = (a: Weighed, b: Weighed): boolean =>
  impactRank(a.impact) > impactRank(b.impact) ||
  (a.impact === b.impact && classRank(a.class) > classRank(b.class))

/** The riskiest meaning of a verb over the head noun and the nouns that colour it. A test or ephemeral object colours only as the head or right before it. */
const weighOver = (verb: Verb, { all, head }: Objects, table: ImpactTable): Weighed => {
  let worst = weigh(verb, head, table)
  // A label on an alarm is a label.
  if (trifling.has(worst.kind)) return worst
  for (const noun of all) {
    if (noun === head || !colouring.has(noun.is) || noun.is === "test" || noun.is === "ephemeral") continue
    const one = weigh(verb, noun, table)
    if (riskier(one, worst)) worst = one
  }
  return worst
}

const extentOf = (
  split: ReadonlyArray<string>,
  verb: Verb | undefined,
  objects: Objects,
  { sets }: Vocabulary
): ActExtent => {
  let widest: ActExtent = verb?.extent ?? "single"
  const widen = (to: ActExtent): void => {
    if (extentRank(to) > extentRank(widest)) widest = to
  }
  if (objects.plural) widen("list")
  for (const noun of objects.all) if (noun.amount === "many") widen("list")
  for (const word of split) {
    if (sets.bulk.has(word)) widen("bulk")
    if (sets.everything.has(word)) widen("everything")
  }
  return widest
}

const holdsOf = ({ all }: Objects): Act["holds"] => {
  let most: Act["holds"] | undefined
  for (const { holds } of all) {
    if (
      holds !== undefined &&
      (most === undefined || dataClassifications.indexOf(holds) > dataClassifications.indexOf(most))
    )
      most = holds
  }
  return most ?? "internal"
}

const raise = (impact: Impact, steps: number): Impact =>
  impacts[Math.min(impacts.length - 1, impactRank(impact) + steps)] ?? "critical"

const higherImpact = (a: Impact, b: Impact | undefined): Impact =>
  b !== undefined && impactRank(b) > impactRank(a) ? b : a

/** The steps of an extent. A verb that is wide by nature (purge) has them in its own impact. */
const stepsOf = ({ class: own, kind }: Weighed, extent: ActExtent, verb: Verb, table: ImpactTable): number =>
  trifling.has(kind) || verb.extent === extent ? 0 : (table.classes[own].steps?.[extent] ?? 0)

const readVerb: Verb = { name: "read", class: "read", meanings: [] }

/** The verb that a name without any implies: one that ends in `history` or `status` reads it. */
const impliedVerb = (words: ReadonlyArray<string>, { sets }: Vocabulary): Verb | undefined =>
  sets.readings.has(words.at(-1) ?? "") ? readVerb : undefined

const unknownVerb: Verb = { name: "unknown", class: "unknown", meanings: [] }
const noObject = "object"

export const readName = (split: SplitName, vocabulary: Vocabulary, table: ImpactTable): NameReading => {
  const { words } = split
  const phrases = findPhrases(words, vocabulary)
  const counted = countedVerbs(split, phrases, vocabulary)
  const verbWords = new Set<number>()
  for (const { at, end } of counted) for (let i = at; i < end; i++) verbWords.add(i)
  const rest = words.filter((word, at) => !verbWords.has(at) && !vocabulary.sets.stopWords.has(word))
  const after = words.slice(0, counted[0]?.at ?? 0).filter((_, at) => !verbWords.has(at)).length
  const objects = findObjects(rest, after, vocabulary)

  const verbs = counted.map(({ verb }) => verb)
  const implied = verbs.length === 0 ? impliedVerb(words, vocabulary) : undefined
  if (implied !== undefined) verbs.push(implied)
  const hinted = verbs.length === 0 && words.some((word) => vocabulary.sets.hints.has(word))
  if (verbs.length === 0) verbs.push(unknownVerb)

  let verb = verbs[0] ?? unknownVerb
  let worst = weighOver(verb, objects, table)
  for (const other of verbs.slice(1)) {
    const one = weighOver(other, objects, table)
    if (!riskier(one, worst)) continue
    worst = one
    verb = other
  }
  const extent = extentOf(words, verb, objects, vocabulary)
  const shown = verbs.every(({ name }) => vocabulary.sets.metadata.has(name))
  const holds = shown && objects.head?.is === "credential" ? "internal" : holdsOf(objects)
  const impact = raise(
    higherImpact(shown ? "low" : worst.impact, table.holds[worst.class]?.[holds]),
    stepsOf(worst, extent, verb, table) + (hinted && worst.impact === "moderate" ? 1 : 0)
  )
  const kinds = objects.all.map(({ is }) => is)
  return {
    type: `${objects.words.length === 0 ? noObject : objects.words.join("_")}.${verb.name}`,
    class: worst.class,
    impact,
    extent,
    holds,
    anywhere: false,
    credential: verbs.some((one) => one.credential === true) && kinds.includes("credential"),
    weakens:
      kinds.includes("guard") &&
      (worst.class === "delete" ||
        worst.class === "destroy" ||
        worst.class === "unknown" ||
        verbs.some((one) => one.weakens === true)),
    verb: verb === unknownVerb ? undefined : verb.name,
    object: objects.head?.name,
    kind: worst.kind,
    soft: verb.soft === true,
    admin: words.some((word) => vocabulary.sets.admins.has(word)),
    hinted
  }
}
