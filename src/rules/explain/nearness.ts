/** What a rule that does not hold still lacks, and how near it is to holding. */

import { nearMissPercentMax } from "../../Limits.ts"
import type { AtomTrace, Trace } from "./trace.ts"

/** A figure that lacks all of its threshold is as far as a name or a flag that is another one. */
const shareOf = ({ atom, shortBy }: AtomTrace): number =>
  shortBy === undefined ? 1 : Math.min(1, shortBy / Math.max(1, Number(atom.value)))

/** Smaller is nearer: how many questions are lacking, and within that how far their figures are from their thresholds. */
export const distance = (atoms: ReadonlyArray<AtomTrace>): number =>
  atoms.reduce((sum, atom) => sum + 1 + shareOf(atom), 0)

/** The fewest questions that would have to be answered otherwise for the tree to hold; none where it does. */
export const lacking = (tree: Trace): ReadonlyArray<AtomTrace> => {
  if (tree.result) return []
  if (tree.kind === "atom") return [tree]
  const each = tree.terms.filter(({ result }) => !result).map(lacking)
  if (tree.kind === "all") return each.flat()
  return each.reduce((least, some) => (distance(some) < distance(least) ? some : least))
}

/** One figure away, and by little of its threshold or by a single step. What has not begun to rise is not near. */
export const isNear = (tree: Trace): boolean => {
  const [only, ...more] = lacking(tree)
  if (only?.shortBy === undefined || only.actual === 0 || more.length > 0) return false
  return only.shortBy <= Math.max(1, (Number(only.atom.value) * nearMissPercentMax) / 100)
}
