/** A value of the ruleset as a reviewer reads it: basis points as percent, counts with commas. */

import type { ChangedPath } from "../changedPaths.ts"

const grouped = (figure: number): string => String(figure).replace(/\B(?=(?:\d{3})+(?!\d))/g, ",")

const percent = (basisPoints: number): string => `${basisPoints / 100} %`

const shown = (value: unknown, inBasisPoints: boolean): string =>
  typeof value === "number" ? (inBasisPoints ? percent(value) : grouped(value)) : JSON.stringify(value)

const shownFigure = (path: ReadonlyArray<string>, value: unknown): string => {
  if (value === undefined) return "not stated"
  if (typeof value === "string") return value.replaceAll("_", " ")
  const name = path.at(-1) ?? ""
  return shown(value, name.endsWith("_bp") || path[0] === "reversibility")
}

const points = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.map(([x, bp]: [number, number]) => `${percent(bp)} at ${grouped(x)}`) : []

interface GateFile {
  readonly floor: number
  readonly high_from: number
  readonly production_only: boolean
}

/** `40 where the range reaches 70` */
const lifts = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value)
    ? value.map(
        ({ floor, high_from, production_only }: GateFile) =>
          `${floor} where the range reaches ${high_from}${production_only ? " in production" : ""}`
      )
    : []

const partsOf: Readonly<Record<string, (value: unknown) => ReadonlyArray<string>>> = {
  anchors: points,
  gates: lifts
}

/** `anchors.usd 58 % at 50,000, was 55 % at 50,000`: of a list only what changed in it. */
export const changedFigure = ({ from, path, to }: ChangedPath): string => {
  const name = path.join(".")
  const parts = partsOf[path[0] ?? ""]
  if (parts === undefined) return `${name} ${shownFigure(path, to)}, was ${shownFigure(path, from)}`
  const [before, after] = [parts(from), parts(to)]
  const gained = after.filter((part) => !before.includes(part))
  const lost = before.filter((part) => !after.includes(part))
  const say = (list: ReadonlyArray<string>) => (list.length === 0 ? "without it" : list.join(", "))
  return `${name} ${say(gained)}, was ${say(lost)}`
}
