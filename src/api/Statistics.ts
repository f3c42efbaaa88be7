/** Schema and operation for counts of assessments over a range of days. */

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { actionCategories, environments } from "../domain/Action.ts"
import { actionRiskLevels } from "../domain/Opinion.ts"
import { statisticsDaysMax, statisticsNamesMax } from "../limits.ts"
import { Authorization, RequiredScope } from "./Authorization.ts"
import { errorValidationFailed, operationErrors } from "./Failures.ts"
import { answerHead, Count, IsoMillis, RequestId } from "./Scalars.ts"

const Day = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/u)).annotate({
  format: "date",
  description: "A day in UTC."
})

const nameOf = (description: string) =>
  Schema.optionalKey(Schema.NullOr(Schema.String).annotate({ description }))

const together = "Null: all that are too many to be counted apart on their days."

const StatisticsRow = Schema.Struct({
  day: Schema.optionalKey(Day),
  level: Schema.optionalKey(Schema.Literals(actionRiskLevels)),
  category: Schema.optionalKey(Schema.Literals(actionCategories)),
  environment: Schema.optionalKey(Schema.Literals(environments)),
  assessment_status: Schema.optionalKey(Schema.Literals(["complete", "incomplete"])),
  agent_id: nameOf(`As it was stated. ${together}`),
  action_type: nameOf(`As it was stated. ${together}`),
  factor: nameOf(`The code of a risk factor that was raised. ${together}`),
  count: Count,
  reviewed: Count.annotate({
    description: "How many of these opened a review: at level high or critical, or incomplete."
  })
}).annotate({ identifier: "StatisticsRow" })

export const Statistics = Schema.Struct({
  ...answerHead,
  from: Day,
  to: Day,
  by: Schema.Array(Schema.String),
  counted_to: Schema.NullOr(IsoMillis).annotate({
    description:
      "When the newest counted assessment was made; later ones are counted within seconds. Null where none is."
  }),
  data: Schema.Array(StatisticsRow).annotate({
    description: "Each row has the fields that `by` names. Rows with nothing to count are left out."
  }),
  request_id: RequestId
}).annotate({ identifier: "Statistics" })
export type Statistics = typeof Statistics.Encoded

/** The worked example. */
export const exampleStatistics = {
  api_version: "v1",
  environment_mode: "test",
  from: "2026-11-19",
  to: "2026-11-20",
  by: ["day", "level"],
  counted_to: "2026-11-20T09:30:00.000Z",
  data: [
    { day: "2026-11-19", level: "low", count: 212, reviewed: 1 },
    { day: "2026-11-19", level: "high", count: 3, reviewed: 3 },
    { day: "2026-11-20", level: "low", count: 97, reviewed: 0 },
    { day: "2026-11-20", level: "critical", count: 1, reviewed: 1 }
  ],
  request_id: "req_01KAFT6N3P4Q5R6S7T8V9W0X1Y"
} as const satisfies Statistics

const getStatistics = HttpApiEndpoint.get("getStatistics", "/api/v1/statistics", {
  query: {
    from: Schema.optionalKey(
      Day.annotate({ description: "The first day, in UTC; 29 days before the last one unless given." })
    ),
    to: Schema.optionalKey(
      Day.annotate({
        description: `The last day, in UTC; today unless given. At most ${statisticsDaysMax} days are counted.`
      })
    ),
    by: Schema.optionalKey(
      Schema.String.annotate({
        description: `One or two of day, level, category, environment, assessment_status, with a comma between them; or one of agent_id, action_type, factor, of which the ${statisticsNamesMax} most frequent are given. Level unless given.`
      })
    )
  },
  success: Statistics,
  error: [...operationErrors, errorValidationFailed]
})
  .annotate(RequiredScope, "read")
  .annotateMerge(
    OpenApi.annotations({
      identifier: "getStatistics",
      summary: "Count assessments",
      description:
        "How many assessments the organization had in the mode of the key, by day, level, category, environment, status, agent, action or risk factor. Erased assessments are not counted any more."
    })
  )

export const StatisticsGroup = HttpApiGroup.make("statistics")
  .add(getStatistics)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Statistics", description: "Counts of assessments over days." })
  )
