/** Why a case failed, by the rules that it is about: which question was answered otherwise than the case expects. */

import { severities } from "../../domain/RiskFactor.ts"
import { renderFigure } from "../../scoring/renderFigure.ts"
import type { Facts } from "../../scoring/Facts.ts"
import { describeAtom } from "../describeCondition.ts"
import { distance, lacking } from "../explain/nearness.ts"
import { type AtomTrace, atomsOf, trace } from "../explain/trace.ts"
import type { Ladder } from "../ladders.ts"

interface Failure {
  readonly expected: string
  readonly came: string
  readonly facts: Facts
}

const seen = ({ atom, actual }: AtomTrace): string => `\`${atom.fact}\` is ${renderFigure(atom.fact, actual)}`

/** `HIGH_ENTITY_COUNT.high` asks that …, and `entities_affected` is 999 */
const lack = (rule: string, atoms: ReadonlyArray<AtomTrace>): string =>
  `\`${rule}\` asks that ${atoms.map(({ atom }) => describeAtom(atom)).join(", and ")}; ${atoms.map(seen).join(", ")}`

const strengthOf = (outcome: string): number => ["none", ...severities, "matched"].indexOf(outcome)

const givenBy = (rule: Ladder["rules"][number]): string =>
  "severity" in rule.match ? rule.match.severity : "matched"

export const explainFailure = (ladder: Ladder, { came, expected, facts }: Failure): string => {
  const traces = ladder.rules.map((rule) => ({
    name: rule.name,
    gives: givenBy(rule),
    tree: trace(rule.condition, facts)
  }))
  if (strengthOf(came) > strengthOf(expected)) {
    const holding = traces.find(({ gives, tree }) => gives === came && tree.result)
    if (holding === undefined) return ""
    const held = atomsOf(holding.tree).filter(({ result }) => result)
    return `\`${holding.name}\` holds: ${held.map(({ atom }) => describeAtom(atom)).join(", and ")}; ${held.map(seen).join(", ")}`
  }
  const wanted = traces
    .filter(({ gives, tree }) => gives === expected && !tree.result)
    .map(({ name, tree }) => ({ name, atoms: lacking(tree) }))
    .toSorted((a, b) => distance(a.atoms) - distance(b.atoms))
  const [nearest] = wanted
  return nearest === undefined
    ? `no rule of \`${ladder.code}\` gives ${expected}`
    : lack(nearest.name, nearest.atoms)
}
