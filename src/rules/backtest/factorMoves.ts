/** The factors that two gists of one action do not agree on. */

import { type Severity, severities } from "../../domain/RiskFactor.ts"
import type { Gist } from "../../scoring/gist.ts"
import { byCodeUnit } from "../byCodeUnit.ts"
import type { FactorMove } from "./Backtest.ts"

type Raised = Gist["factors"]

const none: ReadonlyArray<FactorMove> = []

const isSame = (from: Raised, to: Raised): boolean => {
  if (from.length !== to.length) return false
  for (let i = 0; i < from.length; i++) {
    if (from[i]?.code !== to[i]?.code || from[i]?.severity !== to[i]?.severity) return false
  }
  return true
}

export const rankOf = (severity: Severity | null): number =>
  severity === null ? -1 : severities.indexOf(severity)

/** Of several that customer policies add under one code, the strongest counts. */
const strongest = (raised: Raised): ReadonlyMap<string, Severity> => {
  const byCode = new Map<string, Severity>()
  for (const { code, severity } of raised) {
    if (rankOf(severity) > rankOf(byCode.get(code) ?? null)) byCode.set(code, severity)
  }
  return byCode
}

/** Ascending by code. */
export const factorMoves = (from: Gist, to: Gist): ReadonlyArray<FactorMove> => {
  // Most records move nothing, and this is asked of every one of them.
  if (isSame(from.factors, to.factors)) return none
  const before = strongest(from.factors)
  const after = strongest(to.factors)
  return [...new Set([...before.keys(), ...after.keys()])]
    .toSorted(byCodeUnit)
    .map((code) => ({ code, from: before.get(code) ?? null, to: after.get(code) ?? null }))
    .filter((move) => move.from !== move.to)
}
