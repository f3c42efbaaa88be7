/** Schemas and operations for the rules of this installation and for comparing releases. None of them affects opinions. */

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { actionRiskLevels, controlTypes } from "../domain/Opinion.ts"
import { ownHistoryMax } from "../limits.ts"
import { Authorization, RequiredScope } from "./Authorization.ts"
import { bodyErrors, errorNotFound, errorValidationFailed, operationErrors } from "./Failures.ts"
import { answerHead, Count, Digest, RequestId, Score } from "./Scalars.ts"

const RulesVersion = Schema.Struct({
  version: Schema.String,
  digest: Digest
}).annotate({ identifier: "RulesVersion" })

const ruleHead = {
  kind: Schema.Literals(["factor", "typology", "policy"]),
  code: Schema.String.annotate({
    description: "A factor's code, a typology's name, or the id of a policy rule."
  }),
  category: Schema.String.annotate({
    description: "The category of a factor, the effect of a policy rule, or typology."
  }),
  title: Schema.NullOr(Schema.String),
  why: Schema.String.annotate({ description: "The risk, in the words of the rule's author." }),
  digest: Digest.annotate({
    description: "The digest of the rule's file: equal in two versions if nothing in it changed."
  })
}

export const RuleList = Schema.Struct({
  ...answerHead,
  releases: Schema.Array(RulesVersion).annotate({ description: "Installed releases, oldest first." }),
  served: Schema.String.annotate({ description: "The release that scores now." }),
  release: RulesVersion.annotate({ description: "The release whose rules follow." }),
  rules: Schema.Array(Schema.Struct(ruleHead)),
  policies: Schema.NullOr(
    Schema.Struct({
      set: Schema.String,
      version: RulesVersion,
      rules: Schema.Array(Schema.Struct(ruleHead))
    })
  ).annotate({ description: "The organization's own rules in force; null where it has none." }),
  request_id: RequestId
}).annotate({ identifier: "RuleList" })
export type RuleList = typeof RuleList.Encoded

export const RuleDetails = Schema.Struct({
  ...answerHead,
  of: RulesVersion.annotate({ description: "The release, or the version of the policy set." }),
  rule: Schema.Struct({
    ...ruleHead,
    lifecycle: Schema.NullOr(Schema.String),
    owner: Schema.NullOr(Schema.String),
    misses: Schema.NullOr(Schema.String).annotate({ description: "Its known gaps." }),
    expects: Schema.NullOr(Schema.String).annotate({
      description: "The step that the reader of the answer should take."
    }),
    message: Schema.NullOr(Schema.String).annotate({
      description: "The message in answers, with facts in braces."
    }),
    recommendations: Schema.Array(Schema.String),
    conditions: Schema.Array(
      Schema.Struct({
        name: Schema.String,
        gives: Schema.String.annotate({
          description: "A severity, or what a typology or a policy rule gives, in words."
        }),
        when: Schema.String.annotate({ description: "The condition in words." }),
        condition: Schema.Json.annotate({ description: "The condition as the file has it." })
      })
    )
  }),
  history: Schema.Array(Schema.Struct({ version: Schema.String, digest: Schema.NullOr(Digest) })).annotate({
    description: "Every installed version, oldest first; null where it does not have the rule."
  }),
  request_id: RequestId
}).annotate({ identifier: "RuleDetails" })
export type RuleDetails = typeof RuleDetails.Encoded

const control = Schema.Literals(controlTypes)

const Reported = Schema.Struct({ score: Score, control })

const Witness = Schema.Struct({
  request: Schema.Record(Schema.String, Schema.Json),
  history: Schema.optionalKey(Schema.Json).annotate({
    description: "Earlier requests, as a file of cases spells them."
  }),
  from: Reported,
  to: Reported
}).annotate({ identifier: "RuleWitness" })

export const RuleComparisonRequest = Schema.Struct({
  from: Schema.String.annotate({ message: "must be a string", description: "An installed release." }),
  to: Schema.String.annotate({ message: "must be a string", description: "Another one." })
}).annotate({ identifier: "RuleComparisonRequest" })

const level = Schema.Literals(actionRiskLevels)

const byLevel = <Value extends Schema.Top>(value: Value) =>
  Schema.Struct({ low: value, moderate: value, high: value, critical: value })

const Scored = Schema.Struct({ score: Score, level, control })

const OwnHistoryComparison = Schema.Struct({
  state: Schema.Literals(["waiting", "running", "done", "failed"]).annotate({
    description:
      "waiting: until the releases are compared, or your organization waits for its share of the histories. Ask again."
  }),
  problem: Schema.NullOr(Schema.String).annotate({ description: "Why it failed; else null." }),
  days: Count.annotate({ description: "The period, counted back from now." }),
  scored: Count.annotate({ description: "Assessments so far, newest first." }),
  complete: Schema.Boolean.annotate({
    description: `Whether these are all of the days; else the newest ${ownHistoryMax.toLocaleString("en-US")}.`
  }),
  unreadable: Count,
  falls: Count.annotate({ description: "Assessments whose level fell; the next one: rose." }),
  rises: Count,
  lowered: Count.annotate({ description: "Assessments whose score fell; the next one: rose." }),
  raised: Count,
  weakened: Count.annotate({
    description: "Assessments whose recommended control got weaker; the next one: stronger."
  }),
  strengthened: Count,
  transitions: byLevel(byLevel(Count)).annotate({
    description: "transitions[from][to]: assessments by level before and after."
  }),
  actions: Schema.Array(
    Schema.Struct({
      action_type: Schema.String,
      environment: Schema.String,
      records: Count,
      assessment_id: Schema.String.annotate({
        description: "The one that moved farthest, with what it had."
      }),
      from: Scored,
      to: Scored
    })
  ).annotate({
    description: "The moves, by action, environment, both levels and both controls; the largest fall first."
  })
}).annotate({ identifier: "OwnHistoryComparison" })
export type OwnHistoryComparison = typeof OwnHistoryComparison.Encoded

export const RuleComparison = Schema.Struct({
  ...answerHead,
  comparison_id: Schema.String.annotate({ description: "The two releases, as `1.0.0...1.1.0`." }),
  from: Schema.String,
  to: Schema.String,
  state: Schema.Literals(["running", "done", "failed"]).annotate({
    description: "A comparison takes some seconds; ask again while it is running."
  }),
  problem: Schema.NullOr(Schema.String).annotate({ description: "Why it failed; else null." }),
  changes: Schema.Array(
    Schema.Struct({
      code: Schema.String,
      kind: Schema.Literals(["looser", "moved", "stricter", "text"]).annotate({
        description:
          "looser and stricter only lower or only raise what rules find, for every possible request; moved does both; text neither."
      }),
      summary: Schema.String,
      details: Schema.Array(Schema.String),
      witness: Schema.NullOr(Witness).annotate({ description: "A request that shows it; null without." }),
      rising_witness: Schema.NullOr(Witness).annotate({
        description:
          "For a change that moves scores both ways: a request that scores higher or gets a stronger control."
      })
    })
  ).annotate({ description: "Ascending by code; empty until it is done." }),
  own_history: Schema.NullOr(OwnHistoryComparison).annotate({
    description:
      "The organization's own assessments of the last days under both releases; null for a key without the scope read."
  }),
  request_id: RequestId
}).annotate({ identifier: "RuleComparison" })
export type RuleComparison = typeof RuleComparison.Encoded

const version = Schema.optionalKey(
  Schema.String.annotate({ description: "An installed release; the served one unless given." })
)

const path = "/api/v1/rules"

const listRules = HttpApiEndpoint.get("listRules", path, {
  query: { version },
  success: RuleList,
  error: [...operationErrors, errorValidationFailed]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "listRules",
    summary: "List the rules of a release",
    description:
      "The factors and typologies of a release, and the rules of the organization's own policies. ASSESSMENT_UNAVAILABLE while they are read after a start, for some seconds."
  })
)

const getRule = HttpApiEndpoint.get("getRule", `${path}/:code`, {
  params: { code: Schema.String },
  query: { version },
  success: RuleDetails,
  error: [...operationErrors, errorNotFound, errorValidationFailed]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "getRule",
    summary: "Get a rule",
    description:
      "One rule with its texts, its conditions, and the versions that have it. A code that the release does not have is looked up in the organization's policies."
  })
)

const compareRules = HttpApiEndpoint.post("compareRules", `${path}/comparisons`, {
  payload: RuleComparisonRequest,
  success: RuleComparison.pipe(HttpApiSchema.status(202)),
  error: [...operationErrors, ...bodyErrors]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "compareRules",
    summary: "Compare two releases",
    description:
      "Starts to look for everything that the second release changes, each with a request that shows it, or gives what was found before. Pairs are compared one after the other, and organizations take turns; RATE_LIMITED where yours waits for its share of them."
  })
)

const getRuleComparison = HttpApiEndpoint.get("getRuleComparison", `${path}/comparisons/:comparison_id`, {
  params: { comparison_id: Schema.String },
  success: RuleComparison,
  error: [...operationErrors, errorNotFound]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "getRuleComparison",
    summary: "Get a comparison of releases",
    description:
      "The progress of a comparison, and its result. NOT_FOUND if it was not requested since the start."
  })
)

export const RulesGroup = HttpApiGroup.make("rules")
  .add(listRules, getRule, compareRules, getRuleComparison)
  .annotateEndpoints(RequiredScope, "rules")
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Rules",
      description: "The rules in words, and the changes of another release."
    })
  )
