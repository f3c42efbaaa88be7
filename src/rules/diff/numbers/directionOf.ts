/** Which way a number of the ruleset moves scores, by what the number means. */

import { dataClassifications, reversibilities } from "../../../domain/Action.ts"
import { interpolate } from "../../../scoring/interpolate.ts"
import type { ChangedPath } from "../changedPaths.ts"
import { type Direction, either, fallingWith, risingWith, together } from "../Direction.ts"

/** Flags and named ranks as figures, so that everything can be compared. */
const figureOf = (value: unknown): number | null => {
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
    // Left out, a flag is false.
    const [before, after] = [figureOf(from ?? false), figureOf(to ?? false)]
    return before === null || after === null ? either : compare(before, after)
  }

const rising = by(risingWith)
const falling = by(fallingWith)
const unclear: Compare = () => either

const isPoints = (value: unknown): value is ReadonlyArray<readonly [number, number]> =>
  Array.isArray(value) && value.every((point) => Array.isArray(point) && point.length === 2)

/** Two scales differ most at the points of one of them. */
const scale: Compare = (from, to) =>
  isPoints(from) && isPoints(to)
    ? together([...from, ...to].map(([x]) => risingWith(interpolate(from, x), interpolate(to, x))))
    : either

interface GateFile {
  readonly high_from: number
  readonly production_only: boolean
  readonly floor: number
}

const highs = Array.from({ length: 101 }, (_, high) => high)

const liftAt = (gates: ReadonlyArray<GateFile>, high: number, production: boolean): number =>
  Math.max(
    0,
    ...gates
      .filter((gate) => high >= gate.high_from && (production || !gate.production_only))
      .map(({ floor }) => floor)
  )

/** Every high end, in production and outside. */
const gates: Compare = (from, to) => {
  // The ruleset's schema has read both lists before.
  const [before, after] = [from as ReadonlyArray<GateFile>, to as ReadonlyArray<GateFile>]
  return together(
    highs.flatMap((high) =>
      [true, false].map((production) =>
        risingWith(liftAt(before, high, production), liftAt(after, high, production))
      )
    )
  )
}

/** The first that fits a path counts. */
const meanings: ReadonlyArray<readonly [path: RegExp, compare: Compare]> = [
  [/^classes\.\w+\.category$/, unclear],
  [/^(classes|single|data_classification|environment|privilege|reversibility|blast_radius)\./, rising],
  [/^(action_risk|severity_floors)\./, rising],
  [/^(data_volume_bp|data_leaves_bp|also_exports_leave|production_impact_bp|incomplete_score_min)$/, rising],
  [/^anchors\.\w+$/, scale],
  [/^gates$/, gates],
  // A level that starts later names the same score more mildly.
  [/^levels\./, falling],
  [/^confidence\.sufficient_percent$/, rising],
  // Less confidence sooner says that too little is known.
  [/^confidence\./, falling],
  [/^behavior\.(baseline_units|velocity_days|velocity_hours|step_up_entities|step_up_usd)_min$/, falling],
  [/^behavior\.step_up_multiple$/, falling]
]

/** What is not known to move scores one way only can move them both ways. */
export const directionOf = ({ from, path, to }: ChangedPath): Direction => {
  const name = path.join(".")
  const meaning = meanings.find(([pattern]) => pattern.test(name))
  return (meaning?.[1] ?? unclear)(from, to)
}
