/** Where a scale given by anchors stands lower than another, exactly. */

import type { FactName } from "../../../scoring/Facts.ts"
import type { Anchors, Numbers } from "../../../scoring/Model.ts"
import { all, any, atLeast, atMost, type Term } from "../../analysis/Term.ts"
import type { Lowered } from "../Lowered.ts"

interface Fraction {
  readonly over: bigint
  readonly under: bigint
}

/** The scale at `x` before rounding. */
const at = (anchors: Anchors, x: number): Fraction => {
  const next = anchors.findIndex(([anchor]) => x <= anchor)
  const [toX, toBp] = anchors[next] ?? anchors.at(-1) ?? [0, 0]
  const [fromX, fromBp] = anchors[next - 1] ?? [toX, toBp]
  if (next <= 0 || toX === fromX) return { over: BigInt(toBp), under: 1n }
  const under = BigInt(toX - fromX)
  return { over: BigInt(fromBp) * under + BigInt(toBp - fromBp) * BigInt(x - fromX), under }
}

const isLess = (a: Fraction, b: Fraction): boolean => a.over * b.under < b.over * a.under

/**
 * Both scales are straight between the anchors of either, so that two ends tell about all between; rounding up keeps an order
 * that holds before it. Beyond the last anchor both are flat.
 */
const fallsIn = (from: Anchors, to: Anchors): ReadonlyArray<readonly [from: number, to: number]> => {
  const knots = [...new Set([0, ...[...from, ...to].map(([x]) => x)])].toSorted((a, b) => a - b)
  const falls = (x: number) => isLess(at(to, x), at(from, x))
  return knots.flatMap((knot, i) => {
    const next = knots[i + 1]
    if (next === undefined) return falls(knot) ? [[knot, Number.MAX_SAFE_INTEGER] as const] : []
    return falls(knot) || falls(next) ? [[knot, next] as const] : []
  })
}

const where = (fact: FactName, unit: number, spans: ReturnType<typeof fallsIn>): Term =>
  any(
    ...spans.map(([from, to]) =>
      all(atLeast(fact, from * unit), atMost(fact, Math.min(to * unit, Number.MAX_SAFE_INTEGER)))
    )
  )

const centsPerUsd = 100

const scales = [
  ["usd", "financial_value_usd_cents", centsPerUsd],
  ["entities", "entities_affected", 1],
  ["records", "records_affected", 1]
] as const

export const fallenScales = (from: Numbers, to: Numbers): ReadonlyArray<Lowered> =>
  scales.flatMap(([name, fact, unit]) => {
    const spans = fallsIn(from.anchors[name], to.anchors[name])
    return spans.length === 0 ? [] : [{ what: `anchors.${name}`, where: where(fact, unit, spans) }]
  })
