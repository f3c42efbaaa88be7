/** A backtest as `--json` prints it. */

import type { Backtest, Move } from "../../rules/backtest/Backtest.ts"
import type { backtestShape } from "../shapes/backtest.ts"

const moveJson = ({ assessmentId, factors, from, line, request, to }: Move) => ({
  line,
  assessment_id: assessmentId,
  request,
  from,
  to,
  factors
})

export const movementJson = (backtest: Backtest) => ({
  transitions: backtest.transitions,
  score_changes: backtest.scoreChanges,
  falls: backtest.falls.map(moveJson),
  movers: backtest.movers.map(moveJson),
  factors: backtest.factors.map(({ appeared, code, severityLowered, severityRaised, vanished }) => ({
    code,
    appeared,
    vanished,
    severity_raised: severityRaised,
    severity_lowered: severityLowered
  })),
  categories: backtest.categories.map(({ name, ...shift }) => ({ category: name, ...shift })),
  classes: backtest.classes.map(({ name, ...shift }) => ({ class: name, ...shift })),
  controls: backtest.controls
})

export const countsJson = ({ counts }: Backtest) => {
  const { controlsChanged, unreadable: _, ...rest } = counts
  return { ...rest, controls_changed: controlsChanged }
}

/** Nothing fell and nothing was left out. */
export const isClean = ({ counts }: Backtest): boolean => counts.falls === 0 && counts.unreadable === 0

export const backtestJson = (backtest: Backtest): typeof backtestShape.Encoded => ({
  ok: isClean(backtest),
  from: backtest.from,
  to: backtest.to,
  counts: { ...countsJson(backtest), unreadable: backtest.counts.unreadable },
  ...movementJson(backtest),
  unreadable: backtest.unreadable,
  policies: backtest.policies.map(({ exact, recorded, records, scoredWith }) => ({
    recorded,
    scored_with: scoredWith,
    exact,
    records
  }))
})
