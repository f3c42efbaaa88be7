/** The known name that a mistyped one most likely meant. */

import { ruleNameMax } from "../limits.ts"

/** How many insertions, deletions, substitutions and swaps of neighbors turn one name into the other. */
const editDistance = (from: string, to: string): number => {
  let beforePrevious: ReadonlyArray<number> = []
  let previous = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 0; i < from.length; i++) {
    const current = [i + 1]
    for (let j = 0; j < to.length; j++) {
      const substituted = (previous[j] ?? 0) + (from[i] === to[j] ? 0 : 1)
      const best = Math.min(substituted, (previous[j + 1] ?? 0) + 1, (current[j] ?? 0) + 1)
      const swapped = i > 0 && j > 0 && from[i] === to[j - 1] && from[i - 1] === to[j]
      current.push(swapped ? Math.min(best, (beforePrevious[j - 1] ?? 0) + 1) : best)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[to.length] ?? 0
}

export const nearestName = (written: string, names: ReadonlyArray<string>): string | undefined => {
  const start = written.slice(0, ruleNameMax)
  const distanceTo = (name: string) =>
    Math.min(editDistance(start, name), editDistance(start.toLowerCase(), name.toLowerCase()) + 0.5)
  const [best] = names
    .map((name) => ({ name, distance: distanceTo(name) }))
    // A distance as long as the name would replace every letter, which is not a typing error.
    .filter(({ distance, name }) => distance <= Math.max(2, name.length / 3) && distance < name.length)
    .toSorted((a, b) => a.distance - b.distance)
  return best?.name
}

interface Hint {
  /** `, did you mean …?`, or an empty string if no name is near. */
  readonly hint: string
  /** Spread this into a `FileProblem`. */
  readonly suggested: { readonly suggestion?: string }
}

export const didYouMean = (written: string, names: ReadonlyArray<string>): Hint => {
  const suggestion = nearestName(written, names)
  return suggestion === undefined
    ? { hint: "", suggested: {} }
    : { hint: `, did you mean \`${suggestion}\`?`, suggested: { suggestion } }
}
