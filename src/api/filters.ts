/** The filters of the lists of actions and reviews: their query parameters as the contract states them. */

import { Schema } from "effect"
import { actionCategories, environments } from "../domain/Action.ts"
import { actionRiskLevels } from "../domain/Opinion.ts"
import { actionTypeMax, agentIdMax } from "../limits.ts"

const several = (names: ReadonlyArray<string>, description: string) =>
  Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(new RegExp(`^(${names.join("|")})(,(${names.join("|")}))*$`, "u"))
    ).annotate({ description: `${description} One of ${names.join(", ")}, or several with commas.` })
  )

const instant = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))

/** `things`: the noun for the listed items, in the plural. */
export const filterParameters = (things: string) => ({
  level: several(actionRiskLevels, `Only ${things} whose action risk has this level.`),
  assessment_status: Schema.optionalKey(
    Schema.Literals(["complete", "incomplete"]).annotate({
      description: `Only ${things} whose opinion is complete, or only those whose opinion is not.`
    })
  ),
  environment: several(environments, `Only ${things} in this environment.`),
  category: several(actionCategories, `Only ${things} of this action_category.`),
  agent_id: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(agentIdMax)).annotate({
      description: `Only ${things} of this agent, as it was stated.`
    })
  ),
  action_type: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(actionTypeMax)).annotate({
      description: `Only ${things} of this action_type, as it was stated.`
    })
  ),
  factor: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^[A-Z][A-Z0-9_]*$/u)).annotate({
      description: `Only ${things} for which the risk factor of this code was raised.`
    })
  ),
  from: instant(
    `Only ${things} assessed at this date-time or later; a date alone stands for its first instant, in UTC.`
  ),
  to: instant(
    `Only ${things} assessed before this date-time; a date alone stands for the end of that day, in UTC.`
  )
})

/** What a client that pages through a filtered list must know. */
export const filteredPages =
  "A filtered page looks at a bounded number of rows: it may hold fewer items than asked for, even none, while has_more is true, and goes on with next_cursor. Filters know an assessment about a second after its answer."
