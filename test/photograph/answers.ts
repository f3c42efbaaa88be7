/** The answers to calls by the working rules: how each call was read, what history keeps of it, and the opinion. */

import { createHash } from "node:crypto"
import type { Opinion } from "../../src/domain/Opinion.ts"
import { canonicalForm } from "../../src/json/canonical.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { loadPolicySet } from "../../src/rules/policies/loadPolicySet.ts"
import { historyRecord } from "../../src/scoring/HistoryRecord.ts"
import { readCall } from "../../src/scoring/reading/readCall.ts"
import { score } from "../../src/scoring/score.ts"
import { model } from "../support/draft.ts"
import type { Call } from "./calls.ts"

/** The parts of an answer, from the first that is made to the last. */
export const parts = ["reading", "history", "score", "opinion"] as const
export type Part = (typeof parts)[number]

export interface Answer extends Readonly<Record<Part, unknown>> {
  readonly score: ReturnType<typeof scoreOf>
  readonly opinion: Opinion
}

const policySets = {
  none: loadPolicySet(packageRoot, "none").policySet,
  starter: loadPolicySet(packageRoot, "starter").policySet
}

/** The figures of an opinion, without its texts. */
const scoreOf = ({ actionRisk, blastRadius, complete, recommendedControl, riskFactors }: Opinion) => ({
  complete,
  ...actionRisk,
  blastRadius: blastRadius.score,
  control: recommendedControl.type,
  factors: riskFactors.map(({ code, severity }) => `${code} ${severity}`)
})

export const answerTo = ({ action, behavior, policies }: Call): Answer => {
  const opinion = score(action, behavior, model, policySets[policies])
  return {
    reading: readCall(action, model.lexicon),
    history: historyRecord(action, model),
    score: scoreOf(opinion),
    opinion
  }
}

export type GroupDigests = Readonly<Record<"calls" | Part, string>>

const digestOfAll = (values: ReadonlyArray<unknown>): string => {
  const hash = createHash("sha256")
  for (const value of values) hash.update(canonicalForm(value)).update("\n")
  return hash.digest("hex").slice(0, 16)
}

/** For the calls and for each part of their answers: SHA-256 of the canonical forms in their order, its first 16 hexadecimal digits. */
export const digestsOf = (calls: ReadonlyArray<Call>): GroupDigests => {
  const answers = calls.map(answerTo)
  const of = (part: Part): string => digestOfAll(answers.map((answer) => answer[part]))
  return {
    calls: digestOfAll(calls),
    reading: of("reading"),
    history: of("history"),
    score: of("score"),
    opinion: of("opinion")
  }
}
