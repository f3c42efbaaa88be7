/**
 * How long does the rule set alone take, next to other rule engines?
 *
 * Method: the rules of the served release are translated for each peer. Before anything is measured, every peer is asked about
 * every record of facts and must name the same rules. Then all are measured in turn on the same records, by one process.
 * json-rules-engine runs one Engine for each run, because a shared one loses overlapping runs.
 * Goals: ≥ 100 × json-rules-engine, ≥ 30 × the fastest other.
 */

import { deepStrictEqual } from "node:assert/strict"
import { compileRules } from "../src/rules/language/compile.ts"
import { referenceRules } from "../src/rules/language/reference.ts"
import type { Facts } from "../src/scoring/Facts.ts"
import type { Question } from "./Question.ts"
import { measure } from "./measure.ts"
import type { Peer } from "./peers/Peer.ts"
import { cedar } from "./peers/cedar.ts"
import { jsonRulesEngine } from "./peers/jsonRulesEngine.ts"
import { zen } from "./peers/zen.ts"
import { recordedFacts, rules } from "./situations.ts"

const timesJsonRulesEngineMin = 100
const timesFastestOtherMin = 30

const all = [...rules.factors, ...rules.typologies]
const compiled = compileRules(rules)

/** Every peer names the same rules, and the compiled evaluator answers what json-rules-engine's rules come to. */
const assertSameMatches = async (peers: ReadonlyArray<Peer>): Promise<void> => {
  const reference = referenceRules(rules)
  for (const facts of recordedFacts) {
    deepStrictEqual(compiled(facts), await reference(facts))
    const [first, ...others] = await Promise.all(peers.map(({ match }) => match(facts)))
    for (const other of others) deepStrictEqual(other, first)
  }
}

const inTurn = <A>(match: (facts: Facts) => A) => {
  let at = 0
  return (): A | undefined => {
    const facts = recordedFacts[at++ % recordedFacts.length]
    return facts && match(facts)
  }
}

/** A clock reads in tens of nanoseconds: the fast subject is measured by the lot. */
const lot = 1_000

const byTheLot = (run: () => unknown) => () => {
  for (let i = 0; i < lot; i++) run()
}

export const rulesQuestion: Question = {
  name: "rules",
  asks: "The rule set alone, next to other rule engines",
  answer: async () => {
    const peers = [jsonRulesEngine(all), zen(all), cedar(all)]
    await assertSameMatches(peers)
    const rows = await measure([
      { subject: "action-risk, compiled", run: byTheLot(inTurn(compiled)), each: lot },
      ...peers.map(({ match, name }) => ({ subject: name, run: inTurn(match), each: 1 }))
    ])
    const [own, reference, ...others] = rows.map(({ medianUs }) => medianUs)
    if (own === undefined || reference === undefined) throw new Error("nothing was measured")
    const times = (theirs: number) => theirs / own
    return {
      rows,
      notes: [
        `${all.length} rules, ${recordedFacts.length} records of facts, every engine names the same rules`,
        ...rows.slice(1).map(({ medianUs, subject }) => `${times(medianUs).toFixed(0)} × ${subject}`)
      ],
      goals: [
        {
          says: `≥ ${timesJsonRulesEngineMin} × json-rules-engine`,
          met: times(reference) >= timesJsonRulesEngineMin
        },
        {
          says: `≥ ${timesFastestOtherMin} × the fastest other`,
          met: times(Math.min(...others)) >= timesFastestOtherMin
        }
      ]
    }
  }
}
