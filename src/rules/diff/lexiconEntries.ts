/** The entries of a lexicon file that changed, each with names of calls that it can be read in. */

import { type Action, type ActionClass, actionClasses } from "../../domain/Action.ts"
import { isRecord } from "../../json/json.ts"
import { isDeepStrictEqual } from "node:util"
import type { Lexicon } from "../../scoring/reading/callArguments.ts"
import { spellingsOf, systemsNaming } from "../counterexample/spellings.ts"
import { type ChangedPath, changedPaths } from "./changedPaths.ts"

export type ExampleNames = Pick<
  Action,
  "actionType" | "targetResource" | "targetSystem" | "destination" | "actionDescription"
>

/** A changed entry of a lexicon file. */
export interface ChangedEntry {
  /** `admins root` */
  readonly title: string
  readonly fate: "added" | "removed" | "changed" | "reworded"
  readonly examples: ReadonlyArray<ExampleNames>
  /**
   * Whether the examples are all the ways in which the entry is looked up, arguments aside. Else it can be a part of endlessly
   * many names, and the examples are some of them.
   */
  readonly complete: boolean
}

interface Sides {
  readonly from: unknown
  readonly to: unknown
  /** The lexicons that the files are parts of. */
  readonly lexicons: ReadonlyArray<Lexicon>
}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const textsOf = (value: unknown): ReadonlyArray<string> => listOf(value).map(String)
const memberOf = (json: unknown, key: string): unknown => (isRecord(json) ? json[key] : undefined)
const keysOf = (json: unknown): ReadonlyArray<string> => (isRecord(json) ? Object.keys(json) : [])

const fateOf = ({ from, path, to }: ChangedPath, depth: number): ChangedEntry["fate"] => {
  if (path.at(-1) === "why") return "reworded"
  if (path.length > depth) return "changed"
  return from === undefined ? "added" : to === undefined ? "removed" : "changed"
}

const actions = (...actionTypes: ReadonlyArray<string>): ReadonlyArray<ExampleNames> =>
  actionTypes.map((actionType) => ({ actionType }))

/** What a list gained and lost, with its fate. */
const movedWords = ({ from, to }: Pick<ChangedPath, "from" | "to">) => {
  const [before, after] = [textsOf(from), textsOf(to)]
  return [
    ...after.filter((word) => !before.includes(word)).map((word) => ({ word, fate: "added" as const })),
    ...before.filter((word) => !after.includes(word)).map((word) => ({ word, fate: "removed" as const }))
  ]
}

/** Every way to name the provider with the name: none, each of its own, and each of a suite that includes it. */
const spelledFor = (provider: string, names: ReadonlyArray<string>, { lexicons }: Sides) => {
  const systems = [...new Set(lexicons.flatMap((lexicon) => systemsNaming(provider, lexicon)))]
  return names.flatMap((actionType): ReadonlyArray<ExampleNames> => [
    { actionType },
    ...systems.map((targetSystem) => ({ actionType, targetSystem }))
  ])
}

const namesTriedMax = 60

const ofProvider = (provider: string, sides: Sides): ReadonlyArray<ChangedEntry> => {
  const names = [...new Set([sides.from, sides.to].flatMap((json) => keysOf(memberOf(json, "actions"))))]
  const tried = names.slice(0, namesTriedMax)
  return changedPaths(sides.from, sides.to).flatMap((change): ReadonlyArray<ChangedEntry> => {
    const [part = "", name] = change.path
    if (part === "$schema") return []
    if (part === "actions" && name !== undefined) {
      const examples = spelledFor(provider, [name], sides)
      return [{ title: name, fate: fateOf(change, 2), examples, complete: true }]
    }
    const words = movedWords(change)
    if (words.length === 0) {
      return [{ title: part, fate: "changed", examples: spelledFor(provider, tried, sides), complete: false }]
    }
    return words.map(({ fate, word }) => ({
      title: `${part} ${word}`,
      fate,
      examples:
        part === "prefixes" || part === "systems"
          ? tried.flatMap((actionType) => [
              { actionType, targetSystem: word },
              { actionType: `${word}.${actionType}` }
            ])
          : spelledFor(provider, part === "includes" ? tried : [word], sides),
      complete: false
    }))
  })
}

/** Names that contain the word: as part of an action type, and as a target. */
const withWord = (words: string): ReadonlyArray<ExampleNames> => {
  const word = words.replaceAll(" ", "_")
  return [
    ...actions(`update_${word}`, `get_${word}`, `delete_${word}`, `create_${word}`, `send_${word}`),
    ...actions(`customer.${word}`, `disable_${word}`, `grant_${word}`, `export_${word}`, `pay_${word}`, word),
    { actionType: "update_record", targetResource: word },
    { actionType: "update_record", targetResource: `${word} production` },
    { actionType: "update_record", targetSystem: `${word}-crm` }
  ]
}

const withVerb = (verb: string): ReadonlyArray<ExampleNames> => {
  const spelled = verb.replaceAll(" ", "_")
  const nouns = ["customer", "customers", "report", "note", "api_key", "audit_log", "database", "payment"]
  return [...nouns.map((noun) => ({ actionType: `${spelled}_${noun}` })), ...actions(spelled)]
}

const keysTriedMax = 12

/** The verbs of changed rows that several verbs share, with the nouns of the row. */
const ofSharedMeanings = ({ from, to }: ChangedPath, groups: unknown): ReadonlyArray<ExampleNames> => {
  const [before, after] = [listOf(from), listOf(to)]
  const isIn = (rows: ReadonlyArray<unknown>, row: unknown) => rows.some((one) => isDeepStrictEqual(one, row))
  const changed = [...after.filter((row) => !isIn(before, row)), ...before.filter((row) => !isIn(after, row))]
  return changed.flatMap((row) => {
    const nouns = keysOf(memberOf(row, "by"))
      .slice(0, keysTriedMax)
      .map((key) => (key.startsWith("@") ? (textsOf(memberOf(groups, key.slice(1)))[0] ?? "record") : key))
    return textsOf(memberOf(row, "verbs"))
      .slice(0, keysTriedMax)
      .flatMap((verb) => nouns.map((noun) => ({ actionType: `${verb} ${noun}`.replaceAll(" ", "_") })))
  })
}

const ofVerbs = (sides: Sides): ReadonlyArray<ChangedEntry> =>
  changedPaths(sides.from, sides.to).flatMap((change): ReadonlyArray<ChangedEntry> => {
    const [part = "", name = ""] = change.path
    if (part === "$schema") return []
    const entry = (title: string, fate: ChangedEntry["fate"], examples: ReadonlyArray<ExampleNames>) => ({
      title,
      fate,
      examples,
      complete: false
    })
    if (part === "shared") {
      return [entry("shared meanings", "changed", ofSharedMeanings(change, memberOf(sides.to, "groups")))]
    }
    if (part === "groups") {
      return movedWords(change).map(({ fate, word }) => entry(`group ${name} ${word}`, fate, withWord(word)))
    }
    const objects = change.path.at(-2) === "by" || change.path.at(-2) === "to" ? [change.path.at(-1)] : []
    const named = objects.map((object) => ({ actionType: `${name} ${object}`.replaceAll(" ", "_") }))
    return [entry(name, fateOf(change, 2), [...named, ...withVerb(name)])]
  })

const ofWordLists = (sides: Sides): ReadonlyArray<ChangedEntry> =>
  changedPaths(sides.from, sides.to).flatMap((change) =>
    movedWords(change).map(({ fate, word }) => ({
      title: `${change.path[0] ?? ""} ${word}`,
      fate,
      examples: withWord(word),
      complete: false
    }))
  )

/** Everyday names of acts of the class, without a target that says more. */
const namesOfClass = (name: string, { lexicons }: Sides): ReadonlyArray<ExampleNames> =>
  lexicons
    .flatMap((lexicon) => spellingsOf(lexicon, { not: [] }))
    .filter(({ names, reading }) => reading.class === name && names.targetResource === undefined)
    .slice(0, namesTriedMax)
    .map(({ names }) => names)

const ofImpacts = (sides: Sides): ReadonlyArray<ChangedEntry> =>
  changedPaths(sides.from, sides.to).flatMap((change) => {
    const [, name = ""] = change.path
    if (change.path[0] === "$schema") return []
    const title = change.path.join(".")
    return [{ title, fate: fateOf(change, 2), examples: namesOfClass(name, sides), complete: false }]
  })

const isClass = (name: string): name is ActionClass => actionClasses.some((one) => one === name)
const argumentFields = {
  target_resource: "targetResource",
  destination: "destination",
  target_system: "targetSystem"
} as const
const actsTriedMax = 3

/** An act of each class that the signal is for, with one of its texts in one of its fields. */
const withSignal = (signal: unknown, sides: Sides): ReadonlyArray<ExampleNames> => {
  const [words] = listOf(memberOf(signal, "words"))
  const [text = textsOf(words).join(" ")] = textsOf(memberOf(signal, "text"))
  const [written = "target_resource"] = textsOf(memberOf(signal, "in"))
  const field =
    written in argumentFields ? argumentFields[written as keyof typeof argumentFields] : "targetResource"
  const listed = textsOf(memberOf(signal, "classes")).filter(isClass)
  return (listed.length === 0 ? actionClasses : listed).flatMap((name) =>
    namesOfClass(name, sides)
      .slice(0, actsTriedMax)
      .map((names) => ({ ...names, [field]: text }))
  )
}

const ofSignals = (sides: Sides): ReadonlyArray<ChangedEntry> => {
  const byId = (json: unknown) =>
    new Map(listOf(memberOf(json, "signals")).map((signal) => [String(memberOf(signal, "id")), signal]))
  const [before, after] = [byId(sides.from), byId(sides.to)]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id): ReadonlyArray<ChangedEntry> => {
    const [from, to] = [before.get(id), after.get(id)]
    const changes = changedPaths(from ?? {}, to ?? {})
    if (changes.length === 0) return []
    const fate = from === undefined ? "added" : to === undefined ? "removed" : "changed"
    return [
      {
        title: `signal ${id}`,
        fate: changes.every(({ path }) => path[0] === "why") ? "reworded" : fate,
        examples: [from, to].flatMap((signal) => (signal === undefined ? [] : withSignal(signal, sides))),
        complete: false
      }
    ]
  })
}

/** Of a file of words or of a provider. `part`: as `lexiconPart` names it. `from` and `to`: the file under both rulebooks, `{}` where it is not. */
export const changedEntries = (part: string, sides: Sides): ReadonlyArray<ChangedEntry> => {
  const [folder, name = ""] = part.split("/")
  if (folder === "providers") return ofProvider(name, sides)
  switch (name) {
    case "verbs":
      return ofVerbs(sides)
    case "impacts":
      return ofImpacts(sides)
    case "signals":
      return ofSignals(sides)
    case "objects":
      return changedPaths(sides.from, sides.to).flatMap((change) => {
        const [list, noun = ""] = change.path
        if (list === "$schema") return []
        return [{ title: noun, fate: fateOf(change, 2), examples: withWord(noun), complete: false }]
      })
    default:
      return ofWordLists(sides)
  }
}
