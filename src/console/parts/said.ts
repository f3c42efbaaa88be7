/** Text and figures on the pages. Foreign text keeps its own direction, and nothing in it can be hidden. */

import { escapeInvisible } from "../../foreignText.ts"
import { openReviewsCountedMax } from "../../limits.ts"
import { type Markup, markup } from "../../markup.ts"

/** A letter of a script other than Latin. */
const foreign = /(?!\p{Script=Latin})\p{L}/u

/** Whether a word mixes Latin letters with those of another script, as lookalikes do. */
const isMixed = (word: string): boolean => /[a-z]/i.test(word) && foreign.test(word)

const isInvisible = (text: string): boolean => escapeInvisible(text) !== text

const pointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`

const marked = (character: string): Markup =>
  isInvisible(character) || foreign.test(character)
    ? markup`<span class="odd" title="${pointOf(character)}">${character}</span>`
    : markup`${character}`

const isOdd = (word: string): boolean => isMixed(word) || isInvisible(word)

/** Escapes invisible characters, and marks foreign letters in an ASCII word. */
export const said = (text: string): Markup =>
  markup`<bdi>${text
    .split(/(\s+)/)
    .map((word) => (isOdd(word) ? markup`${[...word].map(marked)}` : markup`${word}`))}</bdi>`

// Created once: `toLocaleString` with options creates a format per figure, and an overview of 90 days has a thousand.
const wholeNumber = new Intl.NumberFormat("en-US")
const fraction = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 20 })

/** `12,480`. A fraction has at least two digits, as for money. */
export const thousands = (figure: number): string =>
  (Number.isInteger(figure) ? wholeNumber : fraction).format(figure)

export const spaced = (name: string): string => name.replaceAll("_", " ")

/** A value of a request or an answer: `1,000`, `difficult to reverse`, `yes`. */
export const shownValue = (value: string | number | boolean): string => {
  if (typeof value === "number") return thousands(value)
  return typeof value === "boolean" ? (value ? "yes" : "no") : spaced(value)
}

/** `1,000+` if counting stopped there. */
export const countedTo = (count: number): string =>
  count > openReviewsCountedMax ? `${thousands(openReviewsCountedMax)}+` : thousands(count)

/** `secondary approval`, from the code of a control. */
export const controlName = (type: string): string => spaced(type.replace(/_RECOMMENDED$/, "")).toLowerCase()

const units = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"]
] as const

/** `12 min`: the time since `iso`. */
const agoText = (iso: string, nowMs: number): string => {
  const seconds = Math.max(0, Math.round((nowMs - Date.parse(iso)) / 1_000))
  const unit = units.find(([length]) => seconds >= length)
  return unit === undefined ? `${seconds} s` : `${Math.floor(seconds / unit[0])} ${unit[1]}`
}

export const ago = (iso: string, nowMs: number): Markup =>
  markup`<time datetime="${iso}" title="${iso}">${agoText(iso, nowMs)}</time>`

/** A boolean attribute. `name` must be trusted. */
export const attribute = (
  given: boolean,
  name: "aria-current" | "selected" | "checked" | "open"
): Markup | null => (given ? attributes[name] : null)

const attributes = {
  "aria-current": markup` aria-current="page"`,
  selected: markup` selected`,
  checked: markup` checked`,
  open: markup` open`
}
