/** `rules show` explains one factor or typology in plain English; `policies show` explains a policy set or one of its rules. */

import { Effect, Result, Schema } from "effect"
import { Argument } from "effect/cli"
import { factorCategories, policyEffects, severities } from "../../domain/Opinion.ts"
import { basename, join } from "node:path"
import { type Read, readEvery } from "../../rules/Finding.ts"
import { readPolicySuite } from "../../rules/cases/Case.ts"
import {
  casesSummary,
  catalogueCodes,
  type CataloguedPolicy,
  cataloguePolicies,
  describeEffect,
  describePolicyCondition,
  describeSet,
  type ExpectingCases,
  type RuleFileDetails,
  ruleFileDetails
} from "../../rules/explain/catalogue.ts"
import { describeCondition } from "../../rules/explain/describeCondition.ts"
import { FactorCasesFile, MatchCasesFile } from "../../rules/files/caseFiles.ts"
import { decodeFile } from "../../rules/files/decodeFile.ts"
import { listJson, packageRoot, readSource } from "../../rules/files/readTree.ts"
import { Lifecycle } from "../../rules/files/vocabulary.ts"
import { listPolicyVersions } from "../../rules/policies/loadPolicySet.ts"
import { currentTerminal } from "../Terminal.ts"
import { shownReleaseFlag, unknownName } from "./rulebooks.ts"
import { renderRuleFile, renderPolicyRule, renderPolicySet, type ShownSet } from "./showView.ts"
import { openVersion, policySetArgument, readOrRefuse, readRulesOf } from "./subject.ts"
import { verb } from "../verb.ts"

const whenFields = {
  name: Schema.String,
  when: Schema.String.annotate({ description: "The condition in plain English." }),
  conditions: Schema.Json.annotate({ description: "The condition as the file spells it." })
}

const ruleCasesSchema = Schema.NullOr(
  Schema.Struct({
    file: Schema.String,
    total: Schema.Int,
    expecting: Schema.Record(Schema.String, Schema.Int).annotate({
      description: "How many expect each outcome."
    })
  })
).annotate({ description: "The working cases next to it; null where there are none." })

const shownFields = {
  version: Schema.String.annotate({ description: "The release, or draft." }),
  code: Schema.String,
  file: Schema.String,
  lifecycle: Lifecycle,
  why: Schema.String,
  misses: Schema.String.annotate({ description: "The risks that it cannot see." }),
  message: Schema.String.annotate({ description: "With facts in braces." }),
  cases: ruleCasesSchema,
  releases: Schema.Array(
    Schema.Struct({
      version: Schema.String,
      same: Schema.Boolean.annotate({ description: "Whether it has the same content there." })
    })
  ).annotate({ description: "The frozen releases that have it, oldest first." })
}

export const rulesShowSchema = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("factor"),
    ...shownFields,
    category: Schema.Literals(factorCategories),
    recommendations: Schema.Array(Schema.String),
    rules: Schema.Array(
      Schema.Struct({
        ...whenFields,
        severity: Schema.Literals(severities),
        hazard_bp: Schema.Int.annotate({ description: "The hazard that it adds, in basis points." })
      })
    )
  }),
  Schema.Struct({
    kind: Schema.Literal("typology"),
    ...shownFields,
    title: Schema.String,
    floor: Schema.Int,
    rules: Schema.Array(Schema.Struct(whenFields))
  })
])

export const policiesShowSchema = Schema.Struct({
  set: Schema.String,
  version: Schema.String.annotate({ description: "The version that the files state." }),
  owner: Schema.String,
  description: Schema.String,
  frozen: Schema.Array(Schema.String).annotate({ description: "Frozen versions of the set, oldest first." }),
  rules: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      file: Schema.String,
      owner: Schema.String,
      description: Schema.String,
      why: Schema.String,
      misses: Schema.optionalKey(Schema.String).annotate({ description: "The risks that it cannot see." }),
      effect: Schema.Literals(policyEffects),
      asks_for: Schema.String.annotate({ description: "The effect where the rule holds, in plain English." }),
      ...whenFields,
      cases: ruleCasesSchema
    })
  ).annotate({ description: "The named rule, or all rules." })
})

const code = Argument.String("code").pipe(
  Argument.withDescription("A factor's code or a typology's name, as rules list prints them")
)

const casesFiles = { factors: FactorCasesFile, typologies: MatchCasesFile }

/** The working cases of one rule: the whole suite is a hundred files. */
const readCasesOf = (code: string): Read<ReadonlyArray<ExpectingCases>> =>
  readEvery(
    (["factors", "typologies"] as const).flatMap((folder) =>
      listJson(join(packageRoot, "rules", folder))
        .filter((path) => basename(path) === `${code}.cases.json`)
        .map((path) =>
          Result.gen(function* () {
            const source = yield* readSource(packageRoot, path)
            const { cases } = yield* decodeFile(casesFiles[folder], source)
            return { of: code, file: source.file, cases }
          })
        )
    )
  )

export const showRule = verb({
  about: "Explain one factor or typology in plain English: when it holds, why, what it misses",
  takes: { code, rules: shownReleaseFlag },
  prints: rulesShowSchema,
  fails: "the rule files cannot be used",
  examples: {
    HIGH_ENTITY_COUNT: "As the working files have it",
    "sensitive-export-to-novel-destination --rules 1.0.0 --json": "A typology of a release, for scripts"
  },
  run: Effect.fnUntraced(function* (options) {
    const release = yield* readRulesOf(options.rules, options.code)
    const suite = yield* readOrRefuse(readCasesOf(options.code))
    const details = ruleFileDetails(packageRoot, release, suite, options.code)
    if (details === null) {
      return yield* unknownName({
        argument: "code",
        written: options.code,
        known: catalogueCodes(yield* readRulesOf(options.rules)),
        list: "rules list"
      })
    }
    return {
      json: () => showJson(options.rules, details),
      text: () => renderRuleFile(currentTerminal(), details)
    }
  })
})

const showJson = (version: string, one: RuleFileDetails): typeof rulesShowSchema.Encoded => {
  const { lifecycle, message, misses, why } = one.described
  const shared = {
    version,
    code: one.code,
    file: one.file,
    lifecycle,
    why,
    misses,
    message,
    cases: one.cases,
    releases: one.releases
  }
  const whenOf = ({ condition, name }: (typeof one.rules)[number]) => ({
    name,
    when: describeCondition(condition),
    conditions: condition as Schema.Json
  })
  if (one.kind === "typology") {
    const { floor, title } = one.described
    return { kind: "typology", ...shared, title, floor, rules: one.rules.map(whenOf) }
  }
  const { category, recommendations } = one.described
  return {
    kind: "factor",
    ...shared,
    category,
    recommendations,
    rules: one.rules.map((rule) => ({
      ...whenOf(rule),
      severity: rule.match.severity,
      hazard_bp: rule.match.hazardBp
    }))
  }
}

const rule = Argument.String("rule").pipe(
  Argument.withDescription("One rule of the set, by its id"),
  Argument.withDefault(null)
)

export const showPolicy = verb({
  about: "Explain a policy set, or one rule of it, in plain English",
  takes: { set: policySetArgument, rule },
  prints: policiesShowSchema,
  fails: "the files of the set cannot be used",
  examples: {
    starter: "Every rule of a set",
    "starter new-payees-are-called-back --json": "One rule, for scripts"
  },
  run: Effect.fnUntraced(function* (options) {
    const { policies } = yield* openVersion({ kind: "policies", set: options.set }, "draft")
    const shown: ShownSet = {
      described: yield* readOrRefuse(describeSet(policies)),
      frozen: listPolicyVersions(packageRoot, options.set),
      rules: cataloguePolicies(policies),
      suite: yield* readOrRefuse(readPolicySuite(packageRoot, options.set))
    }
    const rules = yield* chosenRules(shown.rules, options)
    const [only] = rules
    return {
      json: () => policyJson({ ...shown, rules }),
      text: () =>
        options.rule === null || only === undefined
          ? renderPolicySet(currentTerminal(), shown)
          : renderPolicyRule(currentTerminal(), only, shown.suite)
    }
  })
})

const chosenRules = (
  all: ReadonlyArray<CataloguedPolicy>,
  { rule, set }: { readonly rule: string | null; readonly set: string }
) => {
  if (rule === null) return Effect.succeed(all)
  const found = all.filter(({ code }) => code === rule)
  return found.length > 0
    ? Effect.succeed(found)
    : Effect.fail(
        unknownName({
          argument: "rule",
          written: rule,
          known: all.map(({ code }) => code),
          list: `policies show ${set}`
        })
      )
}

const policyJson = ({ described, frozen, rules, suite }: ShownSet): typeof policiesShowSchema.Encoded => ({
  set: described.name,
  version: described.version,
  owner: described.owner,
  description: described.description,
  frozen,
  rules: rules.flatMap((policy) =>
    policy.rules.map(({ condition, match, name }) => ({
      id: policy.code,
      file: policy.file,
      owner: policy.described.owner,
      description: policy.described.description,
      why: policy.described.why,
      ...(policy.described.misses === undefined ? {} : { misses: policy.described.misses }),
      effect: match.effect,
      asks_for: describeEffect(match),
      name,
      when: describePolicyCondition(policy),
      conditions: condition as Schema.Json,
      cases: casesSummary(suite, policy.code)
    }))
  )
})
