/** Walks through a box and finds every part of it where a term holds. */

import { anywhere, type Box, narrow, valuesIn } from "./Box.ts"
import { settle } from "./settle.ts"
import type { Ask, Term } from "./Term.ts"
import { includes, pickValue } from "./Values.ts"

/** What must hold for the term to hold at all. */
const needed = (term: Term): ReadonlyArray<Ask> =>
  "all" in term ? term.all.filter((part): part is Ask => "fact" in part) : "fact" in term ? [term] : []

export const firstAsk = (term: Term): Ask => {
  if ("fact" in term) return term
  const [first] = "all" in term ? term.all : term.any
  // Invariant: settling leaves no empty group.
  if (first === undefined) throw new Error("a settled group is empty")
  return firstAsk(first)
}

interface Held {
  readonly box: Box
  /** Not yet decided in the box; true once the term holds throughout it. */
  readonly rest: Term | true
}

/** The box without what the term rules out by single questions, again and again until nothing more follows. */
export const confine = (term: Term, box: Box): Held | null => {
  let confined = box
  for (;;) {
    const rest = settle(term, confined)
    if (rest === false) return null
    if (rest === true) return { box: confined, rest }
    const asks = needed(rest)
    if (asks.length === 0) return { box: confined, rest }
    for (const { fact, yes } of asks) {
      const next = narrow(confined, fact, yes)
      if (next === null) return null
      confined = next
    }
  }
}

/** Both sides of a question, the quieter first: what is found soonest should look ordinary. */
export const sides = ({ fact, no, yes }: Ask, box: Box) =>
  includes(yes, pickValue(valuesIn(box, fact))) ? [yes, no] : [no, yes]

/**
 * Boxes that do not overlap and together are where the term holds. Yields null for a step that found none, so that whoever
 * asks can bound the walk by counting.
 */
export function* regions(term: Term, box: Box = anywhere): Generator<Box | null> {
  const held = confine(term, box)
  if (held === null) return yield null
  if (held.rest === true) return yield held.box
  const ask = firstAsk(held.rest)
  yield null
  for (const side of sides(ask, held.box)) {
    const part = narrow(held.box, ask.fact, side)
    if (part !== null) yield* regions(held.rest, part)
  }
}
