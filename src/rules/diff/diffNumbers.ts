/** Changed numbers of the ruleset, each with its path and the direction in which it moves scores. */

import { Result } from "effect"
import type { Rulebook } from "../Rulebook.ts"
import type { Situation } from "../cases/Situation.ts"
import { probesOfLexicon } from "../counterexample/probeSituations.ts"
import { RulesetFile } from "../files/RulesetFile.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { changeKindOf, type ChangeSearch, type ChangeToShow, showsScoreMove } from "./Diff.ts"
import { type ChangedPath, changedPaths } from "./changedPaths.ts"
import { directionOf } from "./numberMeanings.ts"

/** Every number that differs, except the version. */
export const changedNumbers = (from: Rulebook, to: Rulebook): ReadonlyArray<ChangedPath> =>
  changedPaths(from.release.files.ruleset.json, to.release.files.ruleset.json).filter(
    ({ path }) => path[0] !== "version"
  )

export const diffNumbers = (from: Rulebook, to: Rulebook): ReadonlyArray<ChangeToShow> =>
  changedNumbers(from, to).map((changed) => changeOf(changed, from, to))

/** Requires that the witness also differs if only this number changes. */
const shows =
  (changed: ChangedPath): ChangeSearch["shows"] =>
  (context, direction) => {
    const alone = withNumber(context.from, changed.path, changed.to)
    const wanted = showsScoreMove(context, direction)
    if (alone === null) return wanted
    const byItself = showsScoreMove({ ...context, to: alone }, direction)
    return wanted.map(
      (between, i) => (situation: Situation) => between(situation) && (byItself[i]?.(situation) ?? false)
    )
  }

const changeOf = (changed: ChangedPath, from: Rulebook, to: Rulebook): ChangeToShow => {
  const [before, after] = [from.release.files.ruleset, to.release.files.ruleset]
  const direction = directionOf(changed, before.json, after.json)
  return {
    code: ["ruleset", ...changed.path].join("."),
    kind: changeKindOf(direction.rises, direction.falls),
    file: after.file,
    summary: describeNumberChange(changed),
    details: [],
    search: {
      shows: shows(changed),
      known: ({ samples, to }) => [...samples, ...probesOfLexicon(to.release.model.lexicon)],
      boxes: () => []
    }
  }
}

const replaced = (json: unknown, [key, ...rest]: ReadonlyArray<string>, value: unknown): unknown => {
  if (key === undefined) return value
  const object = typeof json === "object" && json !== null ? { ...json } : {}
  const entries = Object.entries(object)
  const inner = replaced(entries.find(([name]) => name === key)?.[1], rest, value)
  const others = entries.filter(([name]) => name !== key)
  return Object.fromEntries(inner === undefined ? others : [...others, [key, inner]])
}

/** The rulebook with this one value of the ruleset replaced; null if the schema rejects the combination. */
export const withNumber = (book: Rulebook, path: ReadonlyArray<string>, value: unknown): Rulebook | null => {
  const { files, model, rules } = book.release
  const ruleset = { ...files.ruleset, json: replaced(files.ruleset.json, path, value) }
  return Result.match(decodeFile(RulesetFile, ruleset), {
    onFailure: () => null,
    onSuccess: (file) => {
      const { version: _version, ...numbers } = file
      const release = { files: { ...files, ruleset }, rules, model: { ...model, numbers } }
      return { ...book, release }
    }
  })
}

const withCommas = (figure: number): string => String(figure).replace(/\B(?=(?:\d{3})+(?!\d))/g, ",")

const percent = (basisPoints: number): string => `${basisPoints / 100} %`

const shown = (value: unknown, inBasisPoints: boolean): string =>
  typeof value === "number" ? (inBasisPoints ? percent(value) : withCommas(value)) : JSON.stringify(value)

const isBasisPoints = (path: ReadonlyArray<string>): boolean =>
  path[0] === "reversibility" || path.some((key) => key.endsWith("_bp"))

/** Shows basis points as percent, and counts with thousands separators. */
const shownNumber = (path: ReadonlyArray<string>, value: unknown): string => {
  if (value === undefined) return "not stated"
  return typeof value === "string" ? value.replaceAll("_", " ") : shown(value, isBasisPoints(path))
}

const points = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.map(([x, bp]: [number, number]) => `${percent(bp)} at ${withCommas(x)}`) : []

/** `anchors.usd 58 % at 50,000, was 55 % at 50,000`. A scale shows only its changed points. */
const describeNumberChange = ({ from, path, to }: ChangedPath): string => {
  const name = path.join(".")
  if (path[0] !== "anchors") return `${name} ${shownNumber(path, to)}, was ${shownNumber(path, from)}`
  const [before, after] = [points(from), points(to)]
  const added = after.filter((point) => !before.includes(point))
  const removed = before.filter((point) => !after.includes(point))
  const textOf = (list: ReadonlyArray<string>) => (list.length === 0 ? "without it" : list.join(", "))
  return `${name} ${textOf(added)}, was ${textOf(removed)}`
}
