/** The scorer asked a random question under the first edition. */

import type { Opinion } from "../../src/domain/Opinion.ts"
import type { Edition } from "../../src/scoring/Edition.ts"
import type { Question } from "../oracle/Question.ts"
import { edition } from "./edition1.ts"
import { policySetOf } from "./policySetOf.ts"

export type Asked = Pick<Question, "action" | "behavior" | "policies">

export const opine = ({ action, behavior, policies }: Asked, rules: Edition = edition): Opinion =>
  rules.score(action, behavior, policySetOf(policies))
