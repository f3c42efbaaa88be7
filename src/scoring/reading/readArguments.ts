/** What the arguments of a call tell of it: explicit parameters, the things that they name, and how many. Prose is never read. */

import { type DataClassification, dataClassifications } from "../../domain/Action.ts"
import { type ActClass, type ActExtent, extents, type Impact, impacts } from "./Act.ts"
import type { Noun, Vocabulary } from "./Vocabulary.ts"
import { splitName } from "./splitName.ts"

export type ArgumentField = "target_resource" | "destination" | "target_system"

/** A parameter with one meaning whatever the tool is: `is_destroy=true`, `type=anyone`. */
export interface Signal {
  readonly id: string
  /** Each a sequence of words. One of them must stand in a field. */
  readonly words: ReadonlyArray<ReadonlyArray<string>>
  /** Absent: in all three. */
  readonly in?: ReadonlyArray<ArgumentField>
  /** Only for acts of these classes. Absent: for all but internal and simulate. */
  readonly classes?: ReadonlyArray<ActClass>
  /** The act has at least this impact, is of this class, touches this many, holds this. */
  readonly impact?: Impact
  readonly class?: ActClass
  readonly extent?: ActExtent
  readonly holds?: DataClassification
  readonly anywhere?: boolean
  readonly weakens?: boolean
  /** The act is no worse than this impact: an explicit parameter that says so. */
  readonly lowers?: boolean
  readonly why: string
}

export interface PreparedSignals {
  readonly byFirst: ReadonlyMap<string, ReadonlyArray<{ readonly words: ReadonlyArray<string>; readonly signal: Signal }>>
}

export const prepareSignals = (signals: ReadonlyArray<Signal>): PreparedSignals => ({
  byFirst: Map.groupBy(
    signals.flatMap((signal) => signal.words.map((words) => ({ words, signal }))),
    ({ words }) => words[0] ?? ""
  )
})

export interface ArgumentReading {
  readonly signals: ReadonlyArray<Signal>
  /** The things that the resource names. */
  readonly nouns: ReadonlyArray<Noun>
  readonly holds: DataClassification | undefined
  /** The resource means everything: `*`, `all`. */
  readonly everything: boolean
}

interface Arguments {
  readonly targetResource?: string
  readonly destination?: string
  readonly targetSystem?: string
}

const startsWith = (words: ReadonlyArray<string>, at: number, sequence: ReadonlyArray<string>): boolean => {
  for (let i = 0; i < sequence.length; i++) if (words[at + i] !== sequence[i]) return false
  return true
}

const nounsIn = (words: ReadonlyArray<string>, vocabulary: Vocabulary): ReadonlyArray<Noun> => {
  const found: Array<Noun> = []
  let at = 0
  while (at < words.length) {
    const word = words[at] ?? ""
    const compound = vocabulary.compounds.get(word)?.find(({ words: sequence }) => startsWith(words, at, sequence))
    const noun = compound?.means ?? vocabulary.words.get(word)?.noun
    if (noun !== undefined) found.push(noun)
    at += compound?.words.length ?? 1
  }
  return found
}

const mostSensitive = (nouns: ReadonlyArray<Noun>): DataClassification | undefined => {
  let most: DataClassification | undefined
  for (const { holds } of nouns) {
    if (holds === undefined) continue
    if (most === undefined || dataClassifications.indexOf(holds) > dataClassifications.indexOf(most)) most = holds
  }
  return most
}

const wordsOf = (text: string | undefined, { isKnown }: Vocabulary): ReadonlyArray<string> =>
  text === undefined ? [] : splitName(text, isKnown).words

/** A `*` or `%` that is a whole part of the text. In `report-*` and `100%` it is part of a name. */
const loneWildcard = /(?:^|[\s/:.,;|="'`()[\]{}<>])[*%]+(?:$|[\s/:.,;|="'`()[\]{}<>])/

export const readArguments = (
  { destination, targetResource, targetSystem }: Arguments,
  vocabulary: Vocabulary,
  { byFirst }: PreparedSignals
): ArgumentReading => {
  const resource = wordsOf(targetResource, vocabulary)
  const fields: ReadonlyArray<readonly [ArgumentField, ReadonlyArray<string>]> = [
    ["target_resource", resource],
    ["destination", wordsOf(destination, vocabulary)],
    ["target_system", wordsOf(targetSystem, vocabulary)]
  ]
  const signals = new Set<Signal>()
  for (const [field, words] of fields) {
    for (let at = 0; at < words.length; at++) {
      for (const { signal, words: sequence } of byFirst.get(words[at] ?? "") ?? []) {
        if (signal.in?.includes(field) !== false && startsWith(words, at, sequence)) signals.add(signal)
      }
    }
  }
  const nouns = nounsIn(resource, vocabulary)
  return {
    signals: [...signals],
    nouns,
    holds: mostSensitive(nouns),
    everything:
      targetResource !== undefined &&
      (loneWildcard.test(targetResource) || resource.some((word) => vocabulary.sets.everything.has(word)))
  }
}

const higher = <A extends string>(order: ReadonlyArray<A>, a: A, b: A | undefined): A =>
  b !== undefined && order.indexOf(b) > order.indexOf(a) ? b : a

interface Weighable {
  readonly class: ActClass
  readonly impact: Impact
  readonly extent: ActExtent
  readonly holds: DataClassification
  readonly anywhere: boolean
  readonly weakens: boolean
}

const appliesTo = (signal: Signal, own: ActClass): boolean =>
  signal.classes?.includes(own) ?? (own !== "internal" && own !== "simulate")

/**
 * An act with its signals. Signals that raise count before signals that lower, and one of those counts only where none of the
 * others raised the impact: `dry_run=true` beside `acl=public` lowers nothing.
 */
export const withSignals = <A extends Weighable>(act: A, signals: ReadonlyArray<Signal>): A => {
  const applying = signals.filter((signal) => appliesTo(signal, act.class))
  let raised = act
  for (const signal of applying) {
    if (signal.lowers === true) continue
    raised = {
      ...raised,
      class: signal.class ?? raised.class,
      impact: higher(impacts, raised.impact, signal.impact),
      extent: higher(extents, raised.extent, signal.extent),
      holds: higher(dataClassifications, raised.holds, signal.holds),
      anywhere: raised.anywhere || signal.anywhere === true,
      weakens: raised.weakens || signal.weakens === true
    }
  }
  if (raised.impact !== act.impact) return raised
  for (const signal of applying) {
    if (signal.lowers !== true) continue
    const impact = signal.impact ?? "low"
    if (impacts.indexOf(impact) < impacts.indexOf(raised.impact)) {
      raised = { ...raised, impact, class: signal.class ?? raised.class }
    }
  }
  return raised
}
