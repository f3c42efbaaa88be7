/** Texts for people: figures, counted words, sentences, and texts of other people with every invisible character spelled out. */

import type { SituationJson } from "../rules/counterexample/findWitness.ts"

/** `12,480` */
export const figure = (count: number): string => count.toLocaleString("en-US")

/** `1 case`, `12,480 cases` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${figure(count)} ${count === 1 ? one : many}`

/** With its sign. The minus is U+2212, which is as wide as the plus. */
export const signed = (count: number): string =>
  count > 0 ? `+${figure(count)}` : count < 0 ? `−${figure(-count)}` : "0"

/** `a`, `a and b`, `a, b and c` */
export const enumerated = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`

/** The text with a capital letter in front and a full stop behind. */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`

/** Control, format and unassigned characters, and the two line separators of Unicode. Line breaks stay, because the layout uses them. */
const invisible = /[^\P{C}\n]|[\u2028\u2029]/gu

const spelled = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => String.raw`\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`
  ).join("")

/** Writes every invisible character as a `\u` escape, so that no character hides a word or reverses its direction. JSON reads the escape as the same text. */
export const escapeInvisible = (text: string): string => text.replace(invisible, spelled)

/** The part of a witness that a case file takes: the request and its history, without the two scores. */
export const asCase = ({ history, request }: SituationJson): SituationJson =>
  history === undefined ? { request } : { request, history }

export const pasteableJson = (json: unknown): string => escapeInvisible(JSON.stringify(json, null, 2))
