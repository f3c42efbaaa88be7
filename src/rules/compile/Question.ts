/** What every atom of a condition comes down to: is the number in one place at least this? */

import type { Choice, Comparison } from "../Condition.ts"
import { chooses, factKind, isComparison } from "../Condition.ts"
import { placeOf, type Texts } from "./encodeFacts.ts"

interface Question {
  readonly place: number
  readonly min: number
}

export type Formula =
  | { readonly all: ReadonlyArray<Formula> }
  | { readonly any: ReadonlyArray<Formula> }
  | { readonly not: Question }
  | Question

/** Counts and ranks are whole, so that more than 4 is at least 5. */
const comparison = ({ fact, operator, value }: Comparison): Formula => {
  const place = placeOf(fact)
  switch (operator) {
    case "greaterThan":
      return { place, min: value + 1 }
    case "greaterThanInclusive":
      return { place, min: value }
    case "lessThan":
      return { not: { place, min: value } }
    case "lessThanInclusive":
      return { not: { place, min: value + 1 } }
  }
}

/** Exactly the codes for which `chosen` says yes, as stretches from one code up to another. */
const stretches = (place: number, chosen: ReadonlyArray<boolean>): Formula => {
  const starts = chosen.flatMap((is, i) => (is && chosen[i - 1] !== true ? [i] : []))
  return {
    any: starts.map((start) => {
      const length = chosen.slice(start).indexOf(false)
      const from: ReadonlyArray<Formula> = start === 0 ? [] : [{ place, min: start }]
      return { all: length === -1 ? from : [...from, { not: { place, min: start + length } }] }
    })
  }
}

const choice = (atom: Choice, texts: Texts): Formula => {
  const place = placeOf(atom.fact)
  const kind = factKind(atom.fact)
  if (kind.kind === "flag") return stretches(place, [chooses(atom, false), chooses(atom, true)])
  if (kind.kind === "name")
    return stretches(
      place,
      kind.names.map((name) => chooses(atom, name))
    )
  const chosen = [chooses(atom, "")]
  for (const [text, code] of texts) chosen[code] = chooses(atom, text)
  return stretches(place, chosen)
}

export const formulaOf = (atom: Comparison | Choice, texts: Texts): Formula =>
  isComparison(atom) ? comparison(atom) : choice(atom, texts)
