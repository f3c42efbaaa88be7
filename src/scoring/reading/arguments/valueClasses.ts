/** Classes of values, independent of the parameter's name: empty, everything, outside, a secret. */

import { secretMask } from "../../../domain/secretMask.ts"
import { isRecord, type Json } from "../../../json/json.ts"
import { globFits, isOfClass } from "../commands/paths.ts"
import { splitName } from "../../names/splitName.ts"
import { handsOnSecret } from "../namingWords.ts"
import type { Vocabulary } from "../Vocabulary.ts"
import { keyOf } from "../../names/splitName.ts"
import type { ValueTest } from "./Parameters.ts"
import type { Leaf } from "./walkArguments.ts"

/** The knowledge needed to classify a value. */
export interface ValueKnowledge {
  readonly vocabulary: Vocabulary
  /** The class of a path: `secret`, `disposable`. */
  readonly pathClass: (path: string) => string
  readonly classes: ReadonlyMap<string, ReadonlySet<string>>
  /** Maximum UTF-16 units of a value that are read. */
  readonly textMax: number
  /** The domains of the organization, or of the senders named in the call. */
  readonly ownDomains: Domains
  /** Every address in the call is within `ownDomains`. */
  readonly isAmongColleagues: boolean
}

const affirmed = /^(?:true|yes|on|1|enabled?|y|t)$/i
const negated = /^(?:false|no|off|0|disabled?|n|f|none|never)$/i

const isAffirmed = (json: Json): boolean =>
  json === true || json === 1 || (typeof json === "string" && affirmed.test(json.trim()))
const isNegated = (json: Json): boolean =>
  json === false || json === 0 || (typeof json === "string" && negated.test(json.trim()))

export const isEmpty = (json: Json): boolean =>
  json === null ||
  (typeof json === "string" && json.trim() === "") ||
  (typeof json === "object" && Object.keys(json).length === 0)

/** Values that mean everything in a parameter that selects things. */
const everything =
  /^\s*(?:\*+|%+|\.[*+]|\^?\.\*\$?|\*[:.]\*|all|any|everything|everyone|true|1\s*=\s*1|0\.0\.0\.0(?:\/0)?|::\/0|\/|\*\/\*|\*\*\/\*)\s*$/i

const everyThing = (json: Json): boolean =>
  json === true ||
  (typeof json === "string" && everything.test(json)) ||
  (isRecord(json) && (keysOf(json) === "matchall" || isEmpty(json as Json)))
const keysOf = (json: Record<string, unknown>): string => Object.keys(json).map(keyOf).join(" ")

/** `10.0.0.0/4` and wider, or the range from the first address to the last. */
const wideNetwork =
  /^(?:0\.0\.0\.0(?:\/\d+)?|::(?:\/0)?|255\.255\.255\.255|\d+\.\d+\.\d+\.\d+\/[0-7]|any|internet|\*)$/i

/** Networks that cannot be reached from outside, and single addresses. */
const privateNetwork =
  /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|127\.|fd)[\d.:a-f]*(?:\/(?:[89]|[1-9]\d+))?$/i
const oneHost = /^\d+\.\d+\.\d+\.\d+(?:\/32)?$/

/** Code that looks at a page and changes nothing: `() => document.title`. */
const glance =
  /^\s*(?:return\s+|\(\s*\)\s*=>\s*)?(?:document|window\.location|location)(?:\.(?:title|href|url|body|readystate|innerText|textContent|length|querySelector\('[^'()]*'\)|querySelectorAll\('[^'()]*'\)))*\s*;?\s*$/i

const mailDomain = /^[^\s@]+@([\w-]+(?:\.[\w-]+)+)>?$/
export const mailDomainOf = (text: string): string | undefined =>
  mailDomain.exec(text.trim().replace(/^.*</, ""))?.[1]?.toLowerCase()

const hostOf = (text: string): string | undefined =>
  /^[a-z][a-z\d+.-]*:\/\/(?:[^\s/@]*@)?([^\s/:?#]+)/i.exec(text.trim())?.[1]?.toLowerCase()

export type Domains = Pick<ReadonlySet<string>, "has">

/** Whether a text is a mail address in one of the domains or their subdomains. */
export const isMailWithin = (text: string, domains: Domains): boolean => {
  const labels = mailDomainOf(text)?.split(".") ?? []
  return labels.some((_, from) => domains.has(labels.slice(from).join(".")))
}

/** Selects one thing by its identifier: `{"_id": "…"}`, `id = 5`. */
const endsInId = /^\w*(?:_id|Id)$/
const oneEquals = /\b(?:_?id|uuid|key|email|\w+_id)\s*(?:=|:|==)\s*["']?[\w@.:-]+["']?\s*$/i
const isOne = (json: Json, classes: ValueKnowledge["classes"]): boolean => {
  if (typeof json === "string") return oneEquals.test(json)
  if (!isRecord(json)) return false
  return Object.entries(json).some(([key, value]) => {
    const ends: unknown = isRecord(value) ? Object.values(value)[0] : value
    if (endsInId.test(key) || classes.get("key_name")?.has(key) === true)
      return typeof ends === "string" || typeof ends === "number"
    return classes.get("condition")?.has(key) === true && isRecord(value) && isOne(value as Json, classes)
  })
}

/** Whether digits are a card number, by the check digit. */
const isCard = (text: string): boolean => {
  const digits = text.replaceAll(/[ -]/g, "")
  if (!/^\d{13,19}$/.test(digits)) return false
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    const doubled = at % 2 === 0 ? digit : digit * 2
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/**
 * Whether a text is a password, a key, or the number of a card, an account or a person. Also words that only look like one: `password
 * Frost-22`.
 */
const isSecret = (text: string, { vocabulary }: ValueKnowledge): boolean =>
  text.includes(secretMask) ||
  isCard(text) ||
  handsOnSecret(text, vocabulary) ||
  vocabulary.texts.codeTold.test(text)

type Asked = (leaf: Leaf, knowledge: ValueKnowledge) => boolean

const textAsked =
  (ask: (text: string, knowledge: ValueKnowledge) => boolean): Asked =>
  ({ value }, knowledge) =>
    typeof value === "string" && ask(value.slice(0, knowledge.textMax), knowledge)

/** The classes that are decided by a value's shape. The others are word lists in `lexicon/arguments.json`. */
const shapes: Readonly<Record<string, Asked>> = {
  empty: ({ value }) => isEmpty(value),
  all: ({ value }) => everyThing(value),
  one: ({ value }, { classes }) => isOne(value, classes),
  network: textAsked((text) => wideNetwork.test(text.trim())),
  private_network: textAsked((text) => privateNetwork.test(text.trim())),
  one_host: textAsked((text) => oneHost.test(text.trim()) && !wideNetwork.test(text.trim())),
  glance: textAsked((text) => glance.test(text)),
  secret: textAsked(isSecret),
  mail: textAsked((text) => mailDomainOf(text) !== undefined),
  url: textAsked((text) => hostOf(text) !== undefined),
  path: textAsked((text) => /^(?:~|\.{0,2}\/|[a-z]:[\\/])/i.test(text)),
  wallet: textAsked((text) => /^0x[\da-f]{40}$/i.test(text)),
  /** A domain other than the caller's. */
  others: textAsked(
    (text, { ownDomains }) => mailDomainOf(text) !== undefined && !isMailWithin(text, ownDomains)
  ),
  /** A colleague, in a call that addresses only colleagues. */
  own: textAsked(
    (text, { isAmongColleagues, ownDomains }) => isAmongColleagues && isMailWithin(text, ownDomains)
  )
}
export const valueShapes: ReadonlySet<string> = new Set(Object.keys(shapes))

const namedBy = (leaf: Leaf, name: string, { classes, textMax, vocabulary }: ValueKnowledge): boolean => {
  const words = classes.get(name)
  if (words === undefined || typeof leaf.value !== "string") return false
  const found = splitName(leaf.value.slice(0, textMax), vocabulary.isKnown).words
  return found.some((word, at) => words.has(word) || words.has(`${word} ${found[at + 1] ?? ""}`.trimEnd()))
}

const figureOf = (json: Json): number | undefined => {
  if (typeof json === "number") return json
  const text = typeof json === "string" ? json.trim() : ""
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined
}

const holdsOf = (test: ValueTest, leaf: Leaf, knowledge: ValueKnowledge): boolean => {
  const { value } = leaf
  switch (test.kind) {
    case "true":
      return isAffirmed(value)
    case "false":
      return isNegated(value)
    case "text":
      return (
        (typeof value === "string" || typeof value === "number") &&
        globFits(test.glob, String(value).slice(0, knowledge.textMax).trim().toLowerCase())
      )
    case "figure": {
      const figure = figureOf(value)
      return figure !== undefined && (test.sign === ">" ? figure >= test.figure : figure <= test.figure)
    }
    case "length":
      if (!Array.isArray(value)) return false
      return test.sign === ">" ? value.length >= test.figure : value.length <= test.figure
    case "class": {
      if (test.name.startsWith("path:"))
        return (
          typeof value === "string" &&
          isOfClass(knowledge.pathClass(value.slice(0, knowledge.textMax)), test.name.slice(5))
        )
      return shapes[test.name]?.(leaf, knowledge) ?? namedBy(leaf, test.name, knowledge)
    }
  }
}

export const fitsValue = (
  leaf: Leaf,
  is: ReadonlyArray<ValueTest>,
  unless: ReadonlyArray<ValueTest>,
  knowledge: ValueKnowledge
): boolean =>
  (is.length === 0 ? !isEmpty(leaf.value) : is.some((test) => holdsOf(test, leaf, knowledge))) &&
  !unless.some((test) => holdsOf(test, leaf, knowledge))

/** The domains of the addresses under such keys. A recipient in the sender's domain is a colleague. */
export const domainsIn = (leaves: ReadonlyArray<Leaf>, keys: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    leaves.flatMap(({ key, value }) => {
      const domain = keys.has(key) && typeof value === "string" ? mailDomainOf(value) : undefined
      return domain === undefined ? [] : [domain]
    })
  )

const amountText =
  /^\s*[-−(]?\s*(?:[a-z]{3}|[^\d\s.,]{1,2})?\s*[-−]?([\d.,'\s]+?)\s*(?:[a-z]{3}|[^\d\s.,]{1,2})?\)?\s*$/i

/** An amount as people write it: `1,900.00`, `€ 1.900,50`. A minus sign only gives the direction, so it is dropped. */
export const amountOf = (json: Json): number | undefined => {
  if (typeof json === "number") return Math.abs(json)
  const digits = typeof json === "string" ? amountText.exec(json)?.[1]?.replaceAll(/['\s]/g, "") : undefined
  if (digits === undefined || !/\d/.test(digits)) return undefined
  const last = Math.max(digits.lastIndexOf(","), digits.lastIndexOf("."))
  const behind = digits.length - last - 1
  const signs = digits.replaceAll(/\d/g, "")
  // A single separator followed by three digits can be either. The larger amount counts.
  const isDecimal =
    last >= 0 &&
    (behind !== 3 || (signs.length > 1 && new Set(signs).size > 1)) &&
    signs.lastIndexOf(digits[last] ?? "") === signs.indexOf(digits[last] ?? "")
  const whole = (isDecimal ? digits.slice(0, last) : digits).replaceAll(/[.,]/g, "")
  const figure = Number(isDecimal ? `${whole}.${digits.slice(last + 1)}` : whole)
  return Number.isFinite(figure) ? figure : Number.MAX_VALUE
}

/** The first member of the surrounding object whose key fits. */
export const memberOf = ({ siblings }: Leaf, fits: (key: string) => boolean): Json | undefined => {
  for (const [key, value] of siblings) if (fits(key)) return value
  return undefined
}
