/** One December of a small company's agents, as the service would have recorded it: `examples/history/december.ndjson`. */

import type { Action } from "../../src/domain/Action.ts"
import type { Behavior } from "../../src/domain/Behavior.ts"
import { type EarlierAssessment, naiveSnapshot } from "../../src/rules/cases/Situation.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { loadPolicyVersion } from "../../src/rules/policies/loadPolicySet.ts"
import { historyLine } from "./historyLine.ts"
import { newestRelease } from "./newestRelease.ts"
import { read } from "./read.ts"
import { incidents, routines } from "./sampleHistory/actions.ts"
import { historyRecord } from "../../src/scoring/HistoryRecord.ts"

interface Asked {
  readonly atMs: number
  readonly action: Action
  /** History could not be read at that moment. */
  readonly unread: boolean
}

const firstMs = Date.UTC(2026, 11, 1)
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const days = 31

/** Pseudorandom small numbers that are the same everywhere. */
const scatter = (seed: number, below: number): number => ((seed * 7_919 + 104_729) % 65_537) % below

/** Working hours, no two at one moment. */
const at = (day: number, place: number): number =>
  firstMs + day * dayMs + (7 * 60 + place * 13 + scatter(day * 31 + place, 11)) * minuteMs + place * 7

const asked = (): ReadonlyArray<Asked> => {
  const all: Array<Asked> = []
  for (let day = 0; day < days; day++) {
    let place = 0
    for (const { action, every } of routines) {
      if (day % every === 0)
        all.push({ atMs: at(day, place++), action: action(scatter(day + place, 1_000)), unread: false })
    }
    for (const incident of incidents) {
      if (incident.day === day)
        all.push({ atMs: at(day, place++), action: incident.action, unread: incident.unread === true })
    }
  }
  return all.toSorted((a, b) => a.atMs - b.atMs)
}

/** Scored by the newest release with the starter policies, each with the history that the ones before it make. */
export const sampleHistory = (): ReadonlyArray<string> => {
  const { model } = newestRelease()
  const { policySet } = read(loadPolicyVersion(packageRoot, "starter", "1.0.0"))
  const earlier: Array<EarlierAssessment> = []
  return asked().map(({ action, atMs, unread }, i) => {
    const record = historyRecord(action, model)
    const behavior: Behavior = unread
      ? "unavailable"
      : naiveSnapshot(earlier, record, atMs, model.numbers.behavior)
    // Only complete assessments become history.
    if (!unread) earlier.push({ record, atMs })
    return historyLine({ action, behavior }, i, model, policySet, atMs)
  })
}
