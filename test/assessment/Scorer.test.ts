/** The scorer on the reference engine: an opinion of the compiled rules that json-rules-engine has confirmed, or none. */

import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Logger, References } from "effect"
import { Scorer } from "../../src/assessment/Scorer.ts"
import { AppConfig } from "../../src/config.ts"
import type { Action } from "../../src/domain/Action.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { policySetsAt } from "../../src/rules/policies/policyRegistry.ts"
import { type Prepared } from "../../src/rules/release/loadRelease.ts"
import { PolicySets, RuleReleases } from "../../src/rules/servedRules.ts"
import type { Facts } from "../../src/scoring/Facts.ts"
import type { RuleMatches } from "../../src/scoring/Model.ts"
import { caller } from "../support/assessCall.ts"
import { newestRelease } from "../support/newestRelease.ts"
import { assess, noRows, rowsOf, useCase } from "../support/useCase.ts"
import { score } from "../../src/scoring/score.ts"

const release = newestRelease()

/** Everything but the agent is stated: each missing field takes several evaluations. */
const action: Action = {
  actionType: "customer.export",
  environment: "production",
  destination: "s3://backup",
  entitiesAffected: 50_000,
  recordsAffected: 50_000,
  financialValue: 0,
  currency: "USD",
  dataClassification: "confidential",
  reversibility: "irreversible",
  privilegeChange: false,
  productionImpact: false
}

/** The scorer on the reference engine, on the newest release with compiled matches as `change` makes them. */
const scorerWith = (change: (matches: RuleMatches, facts: Facts) => RuleMatches = (matches) => matches) => {
  const { model } = release
  const changed: Prepared = {
    ...release,
    model: { ...model, match: (facts) => change(model.match(facts), facts) }
  }
  return Scorer.layer.pipe(
    Layer.provide([
      Layer.succeed(RuleReleases, { root: packageRoot, open: () => Effect.succeed(changed) }),
      policySetsAt(packageRoot),
      AppConfig.layerFrom({ RULE_ENGINE: "reference" })
    ]),
    Layer.orDie
  )
}

const opinionOf = (scorer: ReturnType<typeof scorerWith>) =>
  Effect.gen(function* () {
    // A busy machine can take longer than an opinion may; then there is none, and the test asks again.
    const { opinion } = yield* (yield* Scorer)
      .score(action, "unavailable", "starter")
      .pipe(Effect.retry({ while: ({ reason }) => reason.includes("took longer") }))
    const { policySet } = (yield* PolicySets).get("starter")
    return { opinion, compiled: score(action, "unavailable", release.model, policySet) }
  }).pipe(Effect.provide([scorer, policySetsAt(packageRoot)]))

const withoutAgentFactor = ({ factors, typologies }: RuleMatches): RuleMatches => ({
  factors: factors.filter(({ code }) => code !== "AGENT_UNIDENTIFIED"),
  typologies
})

const disagreement = "the compiled and the reference evaluator differ on AGENT_UNIDENTIFIED"

describe("the scorer on the reference engine", () => {
  it.live("gives the opinion of the compiled rules where json-rules-engine agrees", () =>
    Effect.gen(function* () {
      const { compiled, opinion } = yield* opinionOf(scorerWith())
      expect(opinion).toEqual(compiled)
    })
  )

  it.live("gives no opinion where the compiled rules miss one factor", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(opinionOf(scorerWith(withoutAgentFactor)))
      expect(failure).toMatchObject({ _tag: "ScoringFailed", reason: disagreement })
    })
  )

  it.live("gives no opinion where the compiled rules miss the factor only in the last match", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(
        opinionOf(
          scorerWith((matches, facts) => {
            // Only the last match knows that history could not be read.
            return facts.assessment_degraded ? withoutAgentFactor(matches) : matches
          })
        )
      )
      expect(failure).toMatchObject({ _tag: "ScoringFailed", reason: disagreement })
    })
  )
})

it.live(
  "a disagreement of the engines is ASSESSMENT_UNAVAILABLE, an error in the log, and nothing is stored",
  () => {
    const logged: Array<unknown> = []
    const logger = Logger.make(({ fiber, logLevel, message }) => {
      logged.push([logLevel, message, fiber.getRef(References.CurrentLogAnnotations)])
    })
    return Effect.gen(function* () {
      const asking = caller()
      const failure = yield* Effect.flip(assess({ caller: asking }))
      expect(failure._tag).toBe("AssessmentUnavailable")
      expect(logged).toEqual([["Error", ["no opinion could be produced"], { reason: disagreement }]])
      expect(yield* rowsOf(asking.organizationId)).toEqual(noRows)
    }).pipe(Effect.provide([useCase(scorerWith(withoutAgentFactor)), Logger.layer([logger])]))
  }
)
