/** How much a rule raises where it holds, as figures that can each only be more or less. */

import { controlTypes } from "../../domain/Control.ts"
import { severities } from "../../domain/RiskFactor.ts"
import type { Ladder } from "../ladders.ts"

export interface Grade {
  /** 0 for none, then the severities from low on. */
  readonly severity: number
  readonly hazardBp: number
  /** Points. */
  readonly floor: number
  /** 0 for none, then the controls from the weakest on. */
  readonly control: number
}

/** Where nothing holds, or what holds only annotates or recommends. */
export const nothing: Grade = { severity: 0, hazardBp: 0, floor: 0, control: 0 }

export const gradeOf = ({ match }: Pick<Ladder["rules"][number], "match">): Grade => {
  if ("code" in match) {
    return { ...nothing, severity: severities.indexOf(match.severity) + 1, hazardBp: match.hazardBp }
  }
  if ("name" in match) return { ...nothing, floor: match.floor }
  return {
    ...nothing,
    severity: match.factor === undefined ? 0 : severities.indexOf(match.factor.severity) + 1,
    floor: match.floor ?? 0,
    control: match.control === undefined ? 0 : controlTypes.indexOf(match.control) + 1
  }
}

const figures = ["severity", "hazardBp", "floor", "control"] as const

export const risesAnywhere = (from: Grade, to: Grade): boolean =>
  figures.some((name) => to[name] > from[name])

export const isSame = (a: Grade, b: Grade): boolean => figures.every((name) => a[name] === b[name])

/** Strongest first, as an opinion counts them: severity, then hazard. */
export const byGrade = (a: Grade, b: Grade): number =>
  b.severity - a.severity || b.hazardBp - a.hazardBp || b.floor - a.floor || b.control - a.control
