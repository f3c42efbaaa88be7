import { isDeepStrictEqual } from "node:util"
import { describe } from "vitest"
import { normalizeAction } from "../../src/scoring/lexicon/normalize.ts"
import { type ScoreSummary, scoreSummary } from "../../src/scoring/scoreSummary.ts"
import { question } from "../support/arbitrary/question.ts"
import { model } from "../support/draft.ts"
import { type Asked, opine } from "../support/opine.ts"
import { policySetOf } from "../support/policySetOf.ts"
import { theorems } from "../support/theorem.ts"

/** In no order, because an opinion lists its factors by severity. */
const raised = (factors: ReadonlyArray<{ readonly code: string; readonly severity: string }>) =>
  factors.map(({ code, severity }) => `${code} ${severity}`).toSorted()

const gist = (
  { action, behavior, policies }: Asked,
  words = normalizeAction(action, model.lexicon)
): ScoreSummary => scoreSummary(action, behavior, model, policySetOf(policies), words)

describe("the gist of an opinion", () => {
  theorems(question(), (asked) => ({ gist: gist(asked), opinion: opine(asked) }), {
    "has the opinion's score, level and completeness": ({ gist, opinion }) =>
      gist.score === opinion.actionRisk.score &&
      gist.level === opinion.actionRisk.level &&
      gist.complete === opinion.complete,
    "has the opinion's factors with their severities": ({ gist, opinion }) =>
      isDeepStrictEqual(raised(gist.factors), raised(opinion.riskFactors)),
    "has the opinion's control and category": ({ gist, opinion }) =>
      gist.control === opinion.recommendedControl.type && gist.category === opinion.actionCategory,
    "is the same whether the words were read before or not": ({ gist }, asked) =>
      isDeepStrictEqual(gist, scoreSummary(asked.action, asked.behavior, model, policySetOf(asked.policies)))
  })
})
