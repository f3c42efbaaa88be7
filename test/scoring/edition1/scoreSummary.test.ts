/** A score summary has the figures and codes of the opinion. */

import { isDeepStrictEqual } from "node:util"
import { describe } from "vitest"
import type { ScoreSummary } from "../../../src/scoring/Edition.ts"
import { question } from "../../support/arbitrary/question.ts"
import { edition } from "../../support/edition1.ts"
import { type Asked, opine } from "../../support/opine.ts"
import { policySetOf } from "../../support/policySetOf.ts"
import { theorems } from "../../support/theorem.ts"

/** In no order, because an opinion lists its factors by severity. */
const raised = (factors: ReadonlyArray<{ readonly code: string; readonly severity: string }>) =>
  factors.map(({ code, severity }) => `${code} ${severity}`).toSorted()

const summaryOf = ({ action, behavior, policies }: Asked, words = edition.read(action)): ScoreSummary =>
  edition.summarize(action, behavior, policySetOf(policies), words)

describe("the summary of a score", () => {
  theorems(question(), (asked) => ({ summary: summaryOf(asked), opinion: opine(asked) }), {
    "has the opinion's score, level and completeness": ({ summary, opinion }) =>
      summary.score === opinion.actionRisk.score &&
      summary.level === opinion.actionRisk.level &&
      summary.complete === opinion.complete,
    "has the opinion's factors with their severities": ({ summary, opinion }) =>
      isDeepStrictEqual(raised(summary.factors), raised(opinion.riskFactors)),
    "has the opinion's control and category": ({ summary, opinion }) =>
      summary.control === opinion.recommendedControl.type && summary.category === opinion.actionCategory,
    "is the same with words that were read before": ({ summary }, asked) =>
      isDeepStrictEqual(summary, edition.summarize(asked.action, asked.behavior, policySetOf(asked.policies)))
  })
})
