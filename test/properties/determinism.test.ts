/** The same question always gets the same opinion. */

import fc from "fast-check"
import { execFileSync } from "node:child_process"
import { isDeepStrictEqual } from "node:util"
import { expect, it } from "vitest"
import type { Action } from "../../src/domain/Action.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { compilePolicies, compileRules } from "../../src/rules/language/compile.ts"
import { loadPolicySet } from "../../src/rules/policies/loadPolicySet.ts"
import { question } from "../support/arbitrary/question.ts"
import { seed } from "../support/depth.ts"
import { model, rules } from "../support/draft.ts"
import { digestOfOpinions } from "./opinionsDigest.ts"
import { theorems } from "../support/theorem.ts"
import { score } from "../../src/scoring/score.ts"

const reversed = <A extends object>(value: A): A =>
  Object.fromEntries(Object.entries(value).toReversed()) as A

it("a fresh process gives the same opinions", { timeout: 60_000 }, () => {
  const script = new URL("./opinionsDigest.ts", import.meta.url)
  const there = execFileSync(process.execPath, [script.pathname, String(seed), "500"], { encoding: "utf8" })
  expect(there).toBe(digestOfOpinions(seed, 500))
})

/** A fixed rotation and reversal, so that every rule moves. */
const shuffled = <A>(list: ReadonlyArray<A>, by: number): ReadonlyArray<A> =>
  [...list.slice(by % list.length), ...list.slice(0, by % list.length)].toReversed()

const starter = loadPolicySet(packageRoot, "starter")

const orders = [1, 7, 23, 41].map((by) => ({
  model: {
    ...model,
    match: compileRules({ factors: shuffled(rules.factors, by), typologies: shuffled(rules.typologies, by) })
  },
  policies: { ...starter.policySet, match: compilePolicies(shuffled(starter.rules, by)) }
}))

theorems(
  fc.tuple(question(), fc.constantFrom(...orders)),
  ([{ action, behavior }]) => score(action, behavior, model, starter.policySet),
  {
    "asked again, as JSON with its keys in another order, the opinion is the same": (
      opinion,
      [{ action, behavior }]
    ) =>
      isDeepStrictEqual(
        opinion,
        score(reversed(JSON.parse(JSON.stringify(action)) as Action), behavior, model, starter.policySet)
      ),

    "rules and policies in another order give the same opinion": (opinion, [{ action, behavior }, other]) =>
      isDeepStrictEqual(opinion, score(action, behavior, other.model, other.policies))
  }
)
