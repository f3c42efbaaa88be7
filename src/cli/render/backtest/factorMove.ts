/** How a factor differs between the two sides, in a few words. */

import type { FactorMove } from "../../../rules/backtest/Backtest.ts"

export const factorMoveText = ({ code, from, to }: FactorMove): string => {
  if (from === null) return `${code} appeared (${to})`
  return to === null ? `${code} vanished (${from})` : `${code} ${from} → ${to}`
}
