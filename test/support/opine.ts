/** The scorer asked a random question under the working rules. */

import type { Opinion } from "../../src/domain/Opinion.ts"
import type { Model } from "../../src/scoring/Model.ts"
import { score } from "../../src/scoring/edition1/score.ts"
import type { Question } from "../oracle/Question.ts"
import { model } from "./draft.ts"
import { policySetOf } from "./policySetOf.ts"

export type Asked = Pick<Question, "action" | "behavior" | "policies">

export const opine = ({ action, behavior, policies }: Asked, rules: Model = model): Opinion =>
  score(action, behavior, rules, policySetOf(policies))
