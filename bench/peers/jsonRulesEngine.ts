/** json-rules-engine as its documentation uses it, one Engine per run because a shared one loses overlapping runs. */

import { Engine, type RuleProperties } from "json-rules-engine"
import type { Peer, PeerRule } from "./Peer.ts"

export const jsonRulesEngine = (rules: ReadonlyArray<PeerRule>): Peer => {
  const properties = rules.map(({ condition, name }): RuleProperties => ({
    name,
    // A lone atom is no condition of that library; `all` of one means the same.
    conditions: JSON.parse(JSON.stringify("fact" in condition ? { all: [condition] } : condition)),
    event: { type: name }
  }))
  return {
    name: "json-rules-engine",
    match: async (facts) => {
      const { results } = await new Engine(properties).run(facts)
      return results.map((result) => result.name).toSorted()
    }
  }
}
