/** Numbers, counted words, levels and foreign text as the report writes them. */

import { type ActionRiskLevel, levels } from "../../domain/Opinion.ts"
import type { SituationJson } from "../../rules/counterexample/findWitness.ts"

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

/** The levels that an action risk can have, lowest first. */
export const levelsAscending: ReadonlyArray<ActionRiskLevel> = levels.filter((level) => level !== "minimal")

/**
 * A text with every character that cannot be seen spelled out, so that none can hide a word or turn its direction.
 * Controls, formats, unassigned characters; a line break is the layout's own.
 */
const invisible = /[^\P{C}\n]|[\u2028\u2029]/gu

const spelled = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => String.raw`\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`
  ).join("")

/** In JSON the text still means the same. */
export const escapeInvisible = (text: string): string => text.replace(invisible, spelled)

/**
 * A request as JSON to paste into a case.
 * What stands in a case: the situation without its scores.
 */
export const asCase = ({ history, request }: SituationJson): SituationJson =>
  history === undefined ? { request } : { request, history }

export const pasteableJson = (json: unknown): string => escapeInvisible(JSON.stringify(json, null, 2))
