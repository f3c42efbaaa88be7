/** Numbers and counted words as the report writes them. */

export const figure = (count: number): string => count.toLocaleString("en-US")

/** `1 case`, `12,480 cases` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${figure(count)} ${count === 1 ? one : many}`

/** With its sign; the minus is as wide as the plus. */
export const signed = (count: number): string =>
  count > 0 ? `+${figure(count)}` : count < 0 ? `−${figure(-count)}` : "0"

/** `a`, `a and b`, `a, b and c` */
export const enumerated = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`

/** With a capital and a full stop. */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`
