/** Texts for people: figures, counted words, sentences, and requests to paste. */

import { escapeInvisible, invisible, spelled } from "../foreignText.ts"
import type { SituationJson } from "../rules/counterexample/findWitness.ts"

/** `12,480` */
export const figure = (count: number): string => count.toLocaleString("en-US")

/** `1 case`, `12,480 cases` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${figure(count)} ${count === 1 ? one : many}`

/** `2 errors`, `1 error and 3 warnings`; empty without findings. */
export const findingCounts = (findings: ReadonlyArray<{ readonly severity: "error" | "warning" }>) => {
  const errors = findings.filter(({ severity }) => severity === "error").length
  const warnings = findings.length - errors
  return enumerated([
    ...(errors > 0 ? [counted(errors, "error")] : []),
    ...(warnings > 0 ? [counted(warnings, "warning")] : [])
  ])
}

/** With its sign. The minus is U+2212, which is as wide as the plus. */
export const signed = (count: number): string =>
  count > 0 ? `+${figure(count)}` : count < 0 ? `−${figure(-count)}` : "0"

/** `a`, `a and b`, `a, b and c` */
export const enumerated = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`

/** Adds an initial capital and a final full stop. */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`

const invisibleOrColor = new RegExp(`\u001b\\[[0-9;]*m|${invisible.source}`, "gu")

/**
 * Escapes all output of a command except its own colors. This is the last safeguard: foreign texts were escaped before layout and coloring,
 * so they cannot bring their own colors.
 */
export const escapeForTerminal = (text: string): string =>
  text.replace(invisibleOrColor, (found) => (found.endsWith("m") ? found : spelled(found)))

/** The part of a witness for a case file: the request and its history, without the two scores. */
export const asCase = ({ history, request }: SituationJson): SituationJson =>
  history === undefined ? { request } : { request, history }

export const pasteableJson = (json: unknown): string => escapeInvisible(JSON.stringify(json, null, 2))
