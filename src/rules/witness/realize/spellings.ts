/** Ways of naming an action and its targets, with what a lexicon reads in them. */

import type { Action } from "../../../domain/Action.ts"
import type { Lexicon } from "../../../scoring/Lexicon.ts"
import { readWords, type Words } from "../../../scoring/Words.ts"
import { includes, type Values } from "../../analysis/Values.ts"
import { everydayActions, everydayResources, everydaySystems } from "./everydayActions.ts"

export interface Spelling {
  readonly names: Pick<Action, "actionType" | "targetResource" | "targetSystem">
  /** As read outside production. */
  readonly words: Words
  readonly namesProduction: boolean
  /** Equal for spellings that mean the same to everything but the canonical action type. */
  readonly meaning: string
}

const outside = "development"

const targets: ReadonlyArray<Pick<Action, "targetResource" | "targetSystem">> = [
  {},
  ...everydaySystems.map((targetSystem) => ({ targetSystem })),
  ...everydayResources.flatMap((targetResource) => [
    { targetResource },
    ...everydaySystems.map((targetSystem) => ({ targetSystem, targetResource }))
  ])
]

const spell = (actionTypes: ReadonlyArray<string>, lexicon: Lexicon): ReadonlyArray<Spelling> =>
  targets.flatMap((aim) =>
    actionTypes.map((actionType) => {
      const names = { actionType, ...aim }
      const words = readWords({ ...names, environment: outside }, lexicon)
      const namesProduction = words.environment !== outside
      const { type: _, ...meaning } = words.normalized
      return {
        names,
        words,
        namesProduction,
        meaning: JSON.stringify([meaning, words.namesEverything, namesProduction])
      }
    })
  )

/** One spelling of each meaning, plainest first. */
const distinct = (spellings: ReadonlyArray<Spelling>): ReadonlyArray<Spelling> => {
  const byMeaning = new Map<string, Spelling>()
  for (const one of spellings) if (!byMeaning.has(one.meaning)) byMeaning.set(one.meaning, one)
  return [...byMeaning.values()]
}

interface Everyday {
  readonly all: ReadonlyArray<Spelling>
  readonly distinct: ReadonlyArray<Spelling>
}

const byLexicon = new WeakMap<Lexicon, Everyday>()

const everyday = (lexicon: Lexicon): Everyday => {
  const known = byLexicon.get(lexicon)
  if (known !== undefined) return known
  const all = spell(everydayActions, lexicon)
  const made = { all, distinct: distinct(all) }
  byLexicon.set(lexicon, made)
  return made
}

/** One spelling of each meaning, plainest first, whose canonical action type is one of `types`. */
export const spellingsOf = (lexicon: Lexicon, types: Values): ReadonlyArray<Spelling> => {
  if ("not" in types && types.not.length === 0) return everyday(lexicon).distinct
  const named = "of" in types ? spell(types.of.map(String), lexicon) : []
  return distinct(
    [...everyday(lexicon).all, ...named].filter(({ words }) => includes(types, words.normalized.type))
  )
}

/** An everyday action of the class that is another one than `type`. */
export const anotherAction = (lexicon: Lexicon, actionClass: string, type: string): string | undefined =>
  everyday(lexicon).all.find(
    ({ words: { normalized } }) => normalized.class === actionClass && normalized.type !== type
  )?.names.actionType
