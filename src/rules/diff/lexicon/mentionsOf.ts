/** The changed entries of a lexicon file, each with names in which it shows. */

import type { Action } from "../../../domain/Action.ts"
import type { ChangedPath } from "../changedPaths.ts"
import { type Direction, either, fallingWith, risingWith, still } from "../Direction.ts"

export type Named = Pick<Action, "actionType" | "targetResource" | "targetSystem">

export interface Mention {
  /** `admins root` */
  readonly title: string
  readonly fate: "added" | "removed" | "changed" | "reworded"
  readonly examples: ReadonlyArray<Named>
  /** Known from the list that the word stands in; null where only the examples tell. */
  readonly means: Direction | null
  /** What is to be thought where no example is read otherwise. */
  readonly unseen: Direction
}

const valueIn = (json: unknown, key: string): unknown =>
  typeof json === "object" && json !== null
    ? Object.entries(json).find(([name]) => name === key)?.[1]
    : undefined

const listOf = (value: unknown): ReadonlyArray<string> => (Array.isArray(value) ? value.map(String) : [])

const named = (...actionTypes: ReadonlyArray<string>): ReadonlyArray<Named> =>
  actionTypes.map((actionType) => ({ actionType }))

/** A word among others, as an action and as what one is aimed at. */
const withWord = (words: string): ReadonlyArray<Named> => {
  const word = words.replaceAll(" ", "_")
  return [
    ...named(`update_${word}`, `customer.${word}`, `get_${word}`, `rotate_${word}`, `disable_${word}`),
    ...named(`delete_${word}`, `update_secret_${word}`, word),
    { actionType: "record.update", targetResource: word },
    { actionType: "record.update", targetResource: `${word} production` },
    { actionType: "record.update", targetSystem: `${word}-crm` }
  ]
}

const withVerb = (verb: string): ReadonlyArray<Named> =>
  named(
    ...["customer", "customers", "report"].map((object) => `${object}.${verb}`),
    ...["api_key", "audit_log", "backup_policy"].map((object) => `${verb}_${object}`)
  )

/** A word more in one of these only ever reveals more. */
const revealing = new Set([
  "admins",
  "bulk",
  "credentials",
  "data_stores",
  "everything",
  "production",
  "weak_credentials"
])
/** A word more in one of these only ever takes something back. */
const excusing = new Set(["credential_asides", "negating_prefixes"])

/** What any other word does hangs on the names that it stands in. */
const meaningOf = (list: string, isAdded: boolean): Direction => {
  const [before, after] = isAdded ? [0, 1] : [1, 0]
  if (revealing.has(list)) return risingWith(before, after)
  return excusing.has(list) ? fallingWith(before, after) : either
}

const fateOf = ({ from, path, to }: ChangedPath, depth: number): Mention["fate"] => {
  if (path.at(-1) === "why") return "reworded"
  if (path.length > depth) return "changed"
  return from === undefined ? "added" : to === undefined ? "removed" : "changed"
}

/** Words that came and went; of a provider's prefixes its actions tell. */
const ofList = ({ from, path: [list = ""], to }: ChangedPath, actions: ReadonlyArray<string>) => {
  const [before, after] = [listOf(from), listOf(to)]
  const words = [...before, ...after].filter((word) => before.includes(word) !== after.includes(word))
  return words.map((word): Mention => {
    const isAdded = after.includes(word)
    return {
      title: `${list} ${word}`,
      fate: isAdded ? "added" : "removed",
      examples: list === "prefixes" ? named(...actions.map((name) => `${word}.${name}`)) : withWord(word),
      means: meaningOf(list, isAdded),
      unseen: either
    }
  })
}

const spelled = (name: string, prefix: string | undefined, alone: boolean): ReadonlyArray<Named> => {
  const prefixed = prefix === undefined ? [] : [`${prefix}.${name}`]
  return alone ? named(name, ...prefixed) : named(...prefixed, name)
}

/** A provider's name is read as its entry says and nowhere else; what a verb or a word does shows in many names. */
export const mentionsOf = (
  changes: ReadonlyArray<ChangedPath>,
  from: unknown,
  to: unknown
): ReadonlyArray<Mention> => {
  const file = to ?? from
  const [prefix] = listOf(valueIn(file, "prefixes"))
  const alone = valueIn(file, "alone") === true
  const actions = Object.keys(valueIn(file, "actions") ?? {})
  return changes.flatMap((change): ReadonlyArray<Mention> => {
    const [part = "", name] = change.path
    if (name === undefined) return ofList(change, actions)
    const fate = fateOf(change, 2)
    const unseen = fate === "reworded" || part === "actions" ? still : either
    const mention = { title: name, fate, means: null, unseen }
    if (part === "actions") return [{ ...mention, examples: spelled(name, prefix, alone) }]
    if (part === "verbs") return [{ ...mention, examples: withVerb(name) }]
    if (part === "phrases") return [{ ...mention, examples: named(name) }]
    const means = part === "safeguards" ? null : either
    return [{ ...mention, title: `${part} ${name}`, examples: withWord(name), means }]
  })
}
