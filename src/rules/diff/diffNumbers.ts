/** Numbers of the ruleset that changed: each by its path, with the direction in which it moves scores. */

import { Result } from "effect"
import { dataClassifications, reversibilities } from "../../domain/Action.ts"
import { interpolate } from "../../scoring/arithmetic.ts"
import { firstEdition, firstModelOf } from "../../scoring/edition1/edition.ts"
import type { Rulebook } from "../Rulebook.ts"
import type { Situation } from "../cases/Situation.ts"
import { probesOfLexicon } from "../counterexample/probeSituations.ts"
import { FirstRulesetFile } from "../edition1/RulesetFile.ts"
import { decodeFile } from "../files/decodeFile.ts"
import {
  bothWays,
  changeKindOf,
  type ChangeSearch,
  type ChangeToShow,
  type Direction,
  fallsWith,
  risesWith,
  showsScoreMove,
  unionOfDirections
} from "./Diff.ts"
import { type ChangedPath, changedPaths } from "./changedPaths.ts"

export const diffNumbers = (from: Rulebook, to: Rulebook): ReadonlyArray<ChangeToShow> => {
  const [before, after] = [from.release.files.ruleset, to.release.files.ruleset]
  return changedPaths(before.json, after.json)
    .filter(({ path }) => path[0] !== "version")
    .map((changed) => changeOf(changed, after.file))
}

/** The witness differs between the two rulebooks, and also if only this number changes. */
const shows =
  (changed: ChangedPath, direction: Direction): ChangeSearch["shows"] =>
  (context) => {
    const alone = withNumber(context.from, changed.path, changed.to)
    const wanted = showsScoreMove(direction)(context)
    if (alone === null) return wanted
    const byItself = showsScoreMove(direction)({ ...context, to: alone })
    return wanted.map(
      (between, i) => (situation: Situation) => between(situation) && (byItself[i]?.(situation) ?? false)
    )
  }

const changeOf = (changed: ChangedPath, file: string): ChangeToShow => {
  const direction = directionOf(changed)
  return {
    code: ["ruleset", ...changed.path].join("."),
    kind: changeKindOf(direction.rises, direction.falls),
    file,
    summary: describeNumberChange(changed),
    details: [],
    search: {
      shows: shows(changed, direction),
      known: ({ samples, to }) => [...samples, ...probesOfLexicon(firstModelOf(to.release).lexicon)],
      boxes: () => []
    }
  }
}

/** Flags and names of ranks as numbers, so that they can be compared; null for any other value. */
const comparableNumber = (value: unknown): number | null => {
  if (typeof value === "number") return value
  if (typeof value === "boolean") return Number(value)
  const rank = [dataClassifications, reversibilities]
    .map((names) => names.findIndex((name) => name === value))
    .find((index) => index >= 0)
  return rank ?? null
}

type Compare = (from: unknown, to: unknown) => Direction

const by =
  (compare: (from: number, to: number) => Direction): Compare =>
  (from, to) => {
    // A flag that is left out is false.
    const [before, after] = [comparableNumber(from ?? false), comparableNumber(to ?? false)]
    return before === null || after === null ? bothWays : compare(before, after)
  }

const rising = by(risesWith)
const falling = by(fallsWith)
const unclear: Compare = () => bothWays

const isPoints = (value: unknown): value is ReadonlyArray<readonly [number, number]> =>
  Array.isArray(value) && value.every((point) => Array.isArray(point) && point.length === 2)

/** Compares two scales at the points of both: between neighbouring points both scales are straight. */
const scale: Compare = (from, to) =>
  isPoints(from) && isPoints(to)
    ? unionOfDirections([...from, ...to].map(([x]) => risesWith(interpolate(from, x), interpolate(to, x))))
    : bothWays

interface GateJson {
  readonly floor: number
  readonly high_from: number
  readonly production_only: boolean
}

const highEnds = Array.from({ length: 101 }, (_, high) => high)

const floorAt = (gates: ReadonlyArray<GateJson>, high: number, production: boolean): number =>
  Math.max(
    0,
    ...gates
      .filter((gate) => high >= gate.high_from && (production || !gate.production_only))
      .map(({ floor }) => floor)
  )

/** Compares two lists of gates at every high end, in production and outside it. */
const gates: Compare = (from, to) => {
  // The casts are safe: the schema of the ruleset has read both lists.
  const [before, after] = [from as ReadonlyArray<GateJson>, to as ReadonlyArray<GateJson>]
  return unionOfDirections(
    highEnds.flatMap((high) =>
      [true, false].map((production) =>
        risesWith(floorAt(before, high, production), floorAt(after, high, production))
      )
    )
  )
}

/** The meaning of each number by its path. The first pattern that matches counts. */
const meanings: ReadonlyArray<readonly [path: RegExp, compare: Compare]> = [
  [/^classes\.\w+\.category$/, unclear],
  [/^(classes|single|data_classification|environment|privilege|reversibility|blast_radius)\./, rising],
  [/^(action_risk|severity_floors)\./, rising],
  [/^(data_volume_bp|data_leaves_bp|also_exports_leave|production_impact_bp|incomplete_score_min)$/, rising],
  [/^anchors\.\w+$/, scale],
  [/^gates$/, gates],
  // A level that begins later gives the same score a milder name.
  [/^levels\./, falling],
  [/^confidence\.sufficient_percent$/, rising],
  // Lower confidence means more often that too little is known.
  [/^confidence\./, falling],
  [/^behavior\.(baseline_units|velocity_days|velocity_hours|step_up_entities|step_up_usd)_min$/, falling],
  [/^behavior\.step_up_multiple$/, falling]
]

/** A number without a known meaning can move scores both ways. */
export const directionOf = ({ from, path, to }: ChangedPath): Direction => {
  const name = path.join(".")
  const meaning = meanings.find(([pattern]) => pattern.test(name))
  return (meaning?.[1] ?? unclear)(from, to)
}

const replaced = (json: unknown, [key, ...rest]: ReadonlyArray<string>, value: unknown): unknown => {
  if (key === undefined) return value
  const object = typeof json === "object" && json !== null ? { ...json } : {}
  const entries = Object.entries(object)
  const inner = replaced(entries.find(([name]) => name === key)?.[1], rest, value)
  const others = entries.filter(([name]) => name !== key)
  return Object.fromEntries(inner === undefined ? others : [...others, [key, inner]])
}

/** The rulebook with this one value of the ruleset replaced; null if the schema refuses the value beside the others. */
export const withNumber = (book: Rulebook, path: ReadonlyArray<string>, value: unknown): Rulebook | null => {
  const { files, rules } = book.release
  const model = firstModelOf(book.release)
  const ruleset = { ...files.ruleset, json: replaced(files.ruleset.json, path, value) }
  return Result.match(decodeFile(FirstRulesetFile, ruleset), {
    onFailure: () => null,
    onSuccess: (file) => {
      const { version: _, ...numbers } = file
      return { ...book, release: { files, rules, edition: firstEdition({ ...model, numbers }) } }
    }
  })
}

const withCommas = (figure: number): string => String(figure).replace(/\B(?=(?:\d{3})+(?!\d))/g, ",")

const percent = (basisPoints: number): string => `${basisPoints / 100} %`

const shown = (value: unknown, inBasisPoints: boolean): string =>
  typeof value === "number" ? (inBasisPoints ? percent(value) : withCommas(value)) : JSON.stringify(value)

/** Basis points as percent, counts with commas. */
const shownNumber = (path: ReadonlyArray<string>, value: unknown): string => {
  if (value === undefined) return "not stated"
  if (typeof value === "string") return value.replaceAll("_", " ")
  const name = path.at(-1) ?? ""
  return shown(value, name.endsWith("_bp") || path[0] === "reversibility")
}

const points = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.map(([x, bp]: [number, number]) => `${percent(bp)} at ${withCommas(x)}`) : []

/** `40 where the range reaches 70` */
const lifts = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value)
    ? value.map(
        ({ floor, high_from, production_only }: GateJson) =>
          `${floor} where the range reaches ${high_from}${production_only ? " in production" : ""}`
      )
    : []

const partsOf: Readonly<Record<string, (value: unknown) => ReadonlyArray<string>>> = {
  anchors: points,
  gates: lifts
}

/** `anchors.usd 58 % at 50,000, was 55 % at 50,000`. Of a list only the changed elements are shown. */
const describeNumberChange = ({ from, path, to }: ChangedPath): string => {
  const name = path.join(".")
  const parts = partsOf[path[0] ?? ""]
  if (parts === undefined) return `${name} ${shownNumber(path, to)}, was ${shownNumber(path, from)}`
  const [before, after] = [parts(from), parts(to)]
  const added = after.filter((part) => !before.includes(part))
  const removed = before.filter((part) => !after.includes(part))
  const textOf = (list: ReadonlyArray<string>) => (list.length === 0 ? "without it" : list.join(", "))
  return `${name} ${textOf(added)}, was ${textOf(removed)}`
}
