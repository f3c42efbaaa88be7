import { isDeepStrictEqual } from "node:util"
import { describe } from "vitest"
import { type Gist, gistOf } from "../../src/scoring/gist.ts"
import { readWords } from "../../src/scoring/Words.ts"
import { question } from "../support/arbitrary/question.ts"
import { model } from "../support/draft.ts"
import { type Asked, opine } from "../support/opine.ts"
import { policySetOf } from "../support/policySetOf.ts"
import { theorems } from "../support/theorem.ts"

/** In no order, because an opinion lists its factors by severity. */
const raised = (factors: ReadonlyArray<{ readonly code: string; readonly severity: string }>) =>
  factors.map(({ code, severity }) => `${code} ${severity}`).toSorted()

const gist = ({ action, behavior, policies }: Asked, words = readWords(action, model.lexicon)): Gist =>
  gistOf(action, behavior, model, policySetOf(policies), words)

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
      isDeepStrictEqual(gist, gistOf(asked.action, asked.behavior, model, policySetOf(asked.policies)))
  })
})
