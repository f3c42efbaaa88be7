/** A running service whose policy files change. */

import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import type { AssessmentResponse } from "../../src/api/AssessmentResponse.ts"
import { Scorer } from "../../src/assessment/Scorer.ts"
import { ListeningServer } from "../../src/server/HttpServer.ts"
import { freezePolicies, freezeRules } from "../support/freezeIn.ts"
import { fullService, newKey, newOrganization } from "../support/fullService.ts"
import { rulesFolder } from "../support/rulesFolder.ts"
import { policySetsAt } from "../../src/rules/policies/policyRegistry.ts"
import { ruleReleasesAt } from "../../src/rules/ruleReleases.ts"

const folder = rulesFolder()
const policy = "policies/starter/policy.json"
const rule = "policies/starter/bulk-deletion-in-production.json"
folder.setVersion(policy, "1.0.0")
freezeRules(folder.root)
freezePolicies(folder.root, "starter")

const lookMs = 30
const scorer = Scorer.layer.pipe(
  Layer.provide([ruleReleasesAt(folder.root), policySetsAt(folder.root, lookMs)])
)

const body = JSON.stringify({
  action_type: "record.delete",
  environment: "production",
  records_affected: 4_500,
  entities_affected: 10
})

interface Seen {
  readonly version: string
  readonly isComplete: boolean
  readonly hasMatched: boolean
}

describe("a running service", () => {
  it.live(
    "serves a new policy version without a restart, and the last good one while the newest is broken",
    () =>
      Effect.gen(function* () {
        const { url } = yield* ListeningServer
        const key = yield* newKey(yield* newOrganization("reloaded"))
        const seen: Array<Seen> = []
        const ask = Effect.promise(async () => {
          const response = await fetch(`${url}/api/v1/actions/assess`, {
            method: "POST",
            headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
            body
          })
          const answer = (await response.json()) as AssessmentResponse
          seen.push({
            version: answer.policy_version.replace(/\+.*/, ""),
            isComplete: !answer.risk_factors.some(({ code }) => code === "POLICY_EVALUATION_INCOMPLETE"),
            hasMatched: answer.policy_context.some((match) => match.rule === "bulk-deletion-in-production")
          })
        })
        /** Asked all the time: whatever happens to the files, every answer uses one complete set. */
        const asking = yield* Effect.forkChild(Effect.forever(ask))
        const until = (version: string) =>
          Effect.promise(() => expect.poll(() => seen.at(-1)?.version, { timeout: 20_000 }).toBe(version))
        const isMatched = { "starter@1.0.0": false, "starter@1.1.0": true }

        yield* until("starter@1.0.0")
        folder.setVersion(policy, "1.1.0")
        folder.edit(rule, "5000", "4500")
        freezePolicies(folder.root, "starter")
        yield* until("starter@1.1.0")

        folder.setVersion(policy, "1.2.0")
        const broken = freezePolicies(folder.root, "starter")
        folder.edit(broken, '"value":4500', '"value":9500')
        yield* Effect.sleep(10 * lookMs)
        const asked = seen.length
        yield* Effect.promise(() =>
          expect.poll(() => seen.length, { timeout: 20_000 }).toBeGreaterThan(asked + 3)
        )
        expect(seen.at(-1)?.version).toBe("starter@1.1.0")
        yield* Fiber.interrupt(asking)

        expect(seen).toEqual(
          seen.map(({ version }) => ({
            version: expect.stringMatching(/^starter@1\.[01]\.0$/),
            isComplete: true,
            hasMatched: isMatched[version as keyof typeof isMatched]
          }))
        )
      }).pipe(Effect.provide(fullService({}, scorer)))
  )
})
