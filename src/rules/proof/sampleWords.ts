/** Requests in the words that two lexicons read differently, because not every string can be tried. */

import { sampledRequestsMax } from "../../Limits.ts"
import type { Situation } from "../cases.ts"
import { changedPaths } from "../diff/changedPaths.ts"
import { probesOf } from "../diff/probes.ts"
import type { RuleFiles, SourceFile } from "../SourceFile.ts"
import { dice } from "./dice.ts"

const listOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value)
    ? value.filter((one) => typeof one === "string")
    : typeof value === "string"
      ? [value]
      : []

const lacking = (words: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.filter((word) => !others.includes(word))

const prefixOf = ({ json }: SourceFile): string => {
  const prefixes = typeof json === "object" && json !== null && "prefixes" in json ? json.prefixes : []
  return listOf(prefixes)[0] ?? ""
}

/** Every key on the way to what changed, and every word of what changed: more words than needed do no harm. */
const wordsOf = (from: unknown, to: unknown): ReadonlyArray<string> =>
  changedPaths(from, to).flatMap((change) => [
    ...change.path.slice(1, 2),
    ...lacking(listOf(change.from), listOf(change.to)),
    ...lacking(listOf(change.to), listOf(change.from))
  ])

/** Words, and names of providers with their prefix, that stand otherwise in one lexicon than in the other. */
export const changedWords = (from: RuleFiles, to: RuleFiles): ReadonlyArray<string> => {
  const names = new Set([...from.lexicon, ...to.lexicon].map(({ name }) => name))
  const file = (files: RuleFiles, name: string) => files.lexicon.find((one) => one.name === name)
  const words = [...names].flatMap((name) => {
    const [before, after] = [file(from, name), file(to, name)]
    const changed = wordsOf(before?.json ?? {}, after?.json ?? {})
    const source = after ?? before
    const prefix = source === undefined ? "" : prefixOf(source)
    return changed.flatMap((word) => (prefix === "" ? [word] : [`${prefix}.${word}`, word]))
  })
  return [...new Set(words)]
}

const nouns = ["customer", "record", "report", "database", "admin", "all", "api", "key", "backup"]
const verbs = ["get", "update", "export", "send", "pay", "delete", "deploy", "set", "grant", "run", "drop"]

type Names = Pick<Situation["request"], "actionType" | "targetResource">

/** A word beside others: after every noun, before every verb, and as what everyday verbs are aimed at. */
const inCompany = (word: string): ReadonlyArray<Names> => [
  ...nouns.map((noun) => ({ actionType: `${noun}.${word}` })),
  ...verbs.flatMap((verb) => [
    { actionType: `${word}.${verb}` },
    { actionType: `record.${verb}`, targetResource: word }
  ])
]

/** Several words that changed in one name. */
const mixed = (roll: (sides: number) => number, words: ReadonlyArray<string>): Names => {
  const from = (list: ReadonlyArray<string>): string => list[roll(list.length)] ?? "record"
  const parts = [from(words), from([...nouns, ...words]), from([...verbs, ...words])]
  return { actionType: parts.slice(roll(2)).join([".", "_", " "][roll(3)]) }
}

const mixedMin = 200
export const samplingSeed = 20_261_120

/** Each word alone, stated in every way, before any stands in company, stated in one: no word is left to chance. */
export const sampleRequests = (words: ReadonlyArray<string>): ReadonlyArray<Situation> => {
  const roll = dice(samplingSeed)
  const stated = (names: Names): ReadonlyArray<Situation> => {
    const ways = probesOf([names])
    const one = ways[roll(ways.length)]
    return one === undefined ? [] : [one]
  }
  const alone = probesOf(words.map((actionType) => ({ actionType })))
  // Right before a word of production, or behind a credential, it may turn that around.
  const turning = probesOf(
    words.flatMap((word) => [
      { actionType: "record.update", targetResource: `${word}-prod` },
      { actionType: `password.${word}.get` }
    ])
  )
  const beside = words.flatMap(inCompany).flatMap(stated)
  const together = Array.from({ length: words.length === 0 ? 0 : Math.max(mixedMin, words.length) }, () =>
    mixed(roll, words)
  ).flatMap(stated)
  return [...alone, ...turning, ...together, ...beside].slice(0, sampledRequestsMax)
}
