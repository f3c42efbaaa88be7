/** English plurals, as far as names of actions need them. */

const endsInConsonantY = (noun: string): boolean =>
  noun.length > 1 && noun.endsWith("y") && !"aeiou".includes(noun.charAt(noun.length - 2))

/** The regular plural of a singular noun. */
export const pluralOf = (noun: string): string => {
  if (endsInConsonantY(noun)) return `${noun.slice(0, -1)}ies`
  if (/(?:s|x|z|ch|sh)$/.test(noun)) return `${noun}es`
  return `${noun}s`
}

/** Whether an unknown word is spelled like a plural: `users`, `entries`, `schemas`; not `status`, `analysis`, `access`. */
export const looksPlural = (word: string): boolean => {
  const length = word.length
  if (length < 4 || !word.endsWith("s")) return false
  const before = word.charAt(length - 2)
  return before !== "s" && before !== "u" && before !== "i"
}
