/** A backtest of lines in memory, under releases of this checkout or of another root. */

import type { Backtest } from "../../src/rules/backtest/Backtest.ts"
import {
  type BacktestSides,
  type OpenBacktest,
  openBacktestSides
} from "../../src/rules/backtest/BacktestSides.ts"
import { type BacktestRun, runBacktest } from "../../src/rules/backtest/runBacktest.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { read } from "./read.ts"

export async function* bytesOf(lines: ReadonlyArray<string>): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield Buffer.from(`${line}\n`)
}

const opened = new Map<string, OpenBacktest>()

/** Opening rulebooks takes longer than most tests. */
const open = (sides: BacktestSides): OpenBacktest => {
  const key = JSON.stringify(sides)
  const known = opened.get(key) ?? read(openBacktestSides(sides))
  opened.set(key, known)
  return known
}

export const runOver = (
  lines: ReadonlyArray<string>,
  named: Omit<BacktestSides, "root"> & Partial<Pick<BacktestSides, "root">>,
  more: Partial<Pick<BacktestRun, "jobs" | "blockBytes" | "onProgress">> = {}
) => {
  const sides = { root: packageRoot, ...named }
  return runBacktest({ sides, opened: open(sides), history: bytesOf(lines), jobs: 1, ...more })
}

export const backtestOf = async (...args: Parameters<typeof runOver>): Promise<Backtest> => {
  const outcome = await runOver(...args)
  if (outcome.kind === "stopped") throw new Error(`stopped: ${outcome.first.message}`)
  return outcome.backtest
}
