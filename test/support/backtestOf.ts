/** A backtest of lines in memory, under releases of this checkout. */

import type { Backtest } from "../../src/rules/backtest/Backtest.ts"
import { type BacktestRun, runBacktest } from "../../src/rules/backtest/runBacktest.ts"
import { type OpenSides, openSides, type Sides } from "../../src/rules/backtest/Sides.ts"
import { packageRoot } from "../../src/rules/packageRoot.ts"
import { read } from "./read.ts"

export async function* bytesOf(lines: ReadonlyArray<string>): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield Buffer.from(`${line}\n`)
}

const opened = new Map<string, OpenSides>()

/** Opening rulebooks takes longer than most tests. */
const open = (sides: Sides): OpenSides => {
  const key = JSON.stringify(sides)
  const known = opened.get(key) ?? read(openSides(sides))
  opened.set(key, known)
  return known
}

export const runOver = (
  lines: ReadonlyArray<string>,
  named: Omit<Sides, "root">,
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
