/** Facts around every boundary of a condition: each threshold one below, at and one above; each choice both ways. */

import { type FactName, type Facts, facts as factKinds } from "../../scoring/Facts.ts"
import { type Choice, type Comparison, type Condition, factKind, holds, isComparison } from "../Condition.ts"

type Value = Facts[FactName]
type Atom = Comparison | Choice
type Chosen = Partial<Record<FactName, Value>>

const atomsOf = (condition: Condition): ReadonlyArray<Atom> => {
  if ("all" in condition) return condition.all.flatMap(atomsOf)
  if ("any" in condition) return condition.any.flatMap(atomsOf)
  return [condition]
}

/** Values on both sides of what the atom asks. */
const around = (atom: Atom): ReadonlyArray<Value> => {
  const kind = factKind(atom.fact)
  if (isComparison(atom)) {
    const max = kind.kind === "rank" ? kind.max : Number.MAX_SAFE_INTEGER
    return [atom.value - 1, atom.value, atom.value + 1].filter((value) => value >= 0 && value <= max)
  }
  if (kind.kind === "flag") return [false, true]
  const candidates = kind.kind === "name" ? kind.names : [...[atom.value].flat().map(String), "other.read"]
  const yes = candidates.filter((value) => holds(atom, value))
  const no = candidates.filter((value) => !holds(atom, value))
  return [...yes.slice(0, 1), ...yes.slice(1).slice(-1), ...no.slice(0, 1), ...no.slice(1).slice(-1)]
}

/** One way of making a condition hold per branch of its first `any`. */
const witnesses = (condition: Condition): ReadonlyArray<Chosen> => {
  if ("any" in condition) return condition.any.flatMap(witnesses)
  if ("all" in condition) {
    const each = condition.all.map(witnesses)
    const firsts = each.map(([first]) => first ?? {})
    const widest = each.reduce((most, some) => (some.length > most.length ? some : most), [])
    const place = each.indexOf(widest)
    return widest.map((own): Chosen => Object.assign({}, ...firsts.with(place, own)))
  }
  const value = around(condition).find((value) => holds(condition, value))
  return value === undefined ? [{}] : [{ [condition.fact]: value }]
}

const quietest = (fact: FactName): Value => {
  const kind = factKind(fact)
  switch (kind.kind) {
    case "flag":
      return false
    case "name":
      return kind.names[0] ?? ""
    case "text":
      return "customer.read"
    default:
      return 0
  }
}

/** Every flag down, every count 0: where nothing happens. */
const quiet = Object.fromEntries(
  Object.keys(factKinds).map((fact) => [fact, quietest(fact as FactName)])
) as Facts

export const boundaryFacts = (condition: Condition): ReadonlyArray<Facts> => {
  const atoms = atomsOf(condition)
  return witnesses(condition).flatMap((witness) =>
    atoms.flatMap((atom) =>
      around(atom).map((value): Facts => Object.assign({ ...quiet }, witness, { [atom.fact]: value }))
    )
  )
}
