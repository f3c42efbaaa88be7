/** The known name that a mistyped one most likely meant. */

import { ruleNameMax } from "../Limits.ts"

/** Insertions, deletions and substitutions between two names. */
const editDistance = (from: string, to: string): number => {
  let previous = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 0; i < from.length; i++) {
    const current = [i + 1]
    for (let j = 0; j < to.length; j++) {
      const substituted = (previous[j] ?? 0) + (from[i] === to[j] ? 0 : 1)
      current.push(Math.min(substituted, (previous[j + 1] ?? 0) + 1, (current[j] ?? 0) + 1))
    }
    previous = current
  }
  return previous[to.length] ?? 0
}

/** `, did you mean …?`, or nothing when no name is near. */
export const didYouMean = (written: string, names: ReadonlyArray<string>): string => {
  const ranked = names
    .map((name) => ({ name, distance: editDistance(written.slice(0, ruleNameMax), name) }))
    .toSorted((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best !== undefined && best.distance <= Math.max(2, best.name.length / 3)
    ? `, did you mean \`${best.name}\`?`
    : ""
}
