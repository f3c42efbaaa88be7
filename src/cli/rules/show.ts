/** `rules show` explains one factor or typology in plain English; `policies show` explains a policy set or one of its rules. */

import { Effect, Result, Schema } from "effect"
import { Argument } from "effect/cli"
import { basename, join } from "node:path"
import { factorCategories, policyEffects, severities } from "../../domain/Opinion.ts"
import { type Read, readEvery } from "../../rules/Finding.ts"
import { type CaseFile, readPolicySuite } from "../../rules/cases/Case.ts"
import {
  casesSummary,
  catalogueCodes,
  type CataloguedPolicy,
  cataloguePolicies,
  describeEffect,
  describePolicyCondition,
  describeSet,
  type ExpectingCases,
  hazardsOf,
  type RuleFileDetails,
  ruleFileDetails
} from "../../rules/explain/catalogue.ts"
import { describeCondition } from "../../rules/explain/describeCondition.ts"
import { FactorCasesFile, MatchCasesFile } from "../../rules/files/caseFiles.ts"
import { decodeFile } from "../../rules/files/decodeFile.ts"
import type { PolicySetFile } from "../../rules/files/policyFiles.ts"
import { listJson, packageRoot, readSource } from "../../rules/files/readTree.ts"
import { Lifecycle } from "../../rules/files/vocabulary.ts"
import { listPolicyVersions } from "../../rules/policies/loadPolicySet.ts"
import { levelStyle, type Row, table, type Terminal, wrap } from "../Terminal.ts"
import { bool, int, list, members, nullOr, objects, optionalKey, string } from "../jsonShapes.ts"
import { elseNull } from "../flags.ts"
import { verb } from "../verb.ts"
import { hazardText } from "./list.ts"
import {
  openVersion,
  policySetArgument,
  readOrRefuse,
  readRulesOf,
  shownReleaseFlag,
  unknownName
} from "./subject.ts"

const whenFields = {
  name: Schema.String,
  when: string("The condition in plain English."),
  conditions: Schema.Json.annotate({ description: "The condition as the file spells it." })
}

const ruleCasesSchema = nullOr(
  Schema.Struct({
    file: Schema.String,
    total: Schema.Int,
    expecting: Schema.Record(Schema.String, Schema.Int).annotate({
      description: "How many expect each outcome."
    })
  }),
  "The working cases next to it; null if there are none."
)

const shownFields = {
  version: string("The release, or draft."),
  code: Schema.String,
  file: Schema.String,
  lifecycle: Lifecycle,
  why: Schema.String,
  misses: string("The risks that it cannot see."),
  message: string("With facts in braces."),
  cases: ruleCasesSchema,
  releases: objects("The frozen releases that have it, oldest first.", {
    version: Schema.String,
    same: bool("Whether its content is the same there.")
  })
}

const rulesShowShape = Schema.Union([
  members({
    kind: Schema.Literal("factor"),
    ...shownFields,
    category: Schema.Literals(factorCategories),
    recommendations: Schema.Array(Schema.String),
    rules: objects(null, {
      ...whenFields,
      severity: Schema.Literals(severities),
      hazardBp: int("The hazard that it adds, in basis points.")
    })
  }),
  members({
    kind: Schema.Literal("typology"),
    ...shownFields,
    title: Schema.String,
    floor: Schema.Int,
    rules: Schema.Array(members(whenFields))
  })
])

const policiesShowShape = members({
  set: Schema.String,
  version: string("The version that the files state."),
  owner: Schema.String,
  description: Schema.String,
  frozen: list(Schema.String, "Frozen versions of the set, oldest first."),
  rules: objects("The named rule, or all rules.", {
    id: Schema.String,
    file: Schema.String,
    owner: Schema.String,
    description: Schema.String,
    why: Schema.String,
    misses: optionalKey(Schema.String, "The risks that it cannot see."),
    effect: Schema.Literals(policyEffects),
    asksFor: string("The effect where the rule holds, in plain English."),
    ...whenFields,
    cases: ruleCasesSchema
  })
})

const code = Argument.String("code").pipe(
  Argument.withDescription("A factor's code or a typology's name, as rules list prints them")
)

const casesFiles = { factors: FactorCasesFile, typologies: MatchCasesFile }

/** Reads the working cases of only one rule, because the whole suite has a hundred files. */
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
  about: "Explain one factor or typology in plain English: when it holds, why, and what it misses",
  takes: { code, rules: shownReleaseFlag },
  prints: rulesShowShape,
  fails: "the rule files cannot be used",
  examples: {
    HIGH_ENTITY_COUNT: "As in the working files",
    "sensitive-export-to-novel-destination --rules 1.0.0 --json": "A typology of a release, for scripts"
  },
  run: Effect.fnUntraced(function* (options) {
    const release = yield* readRulesOf(options.rules, options.code)
    const suite = yield* readOrRefuse(readCasesOf(options.code))
    const details = ruleFileDetails(packageRoot, release, suite, options.code)
    if (details === null) {
      const known = catalogueCodes(yield* readRulesOf(options.rules))
      return yield* unknownName("code", options.code, known, "rules list")
    }
    return {
      json: () => ruleDocument(options.rules, details),
      text: (screen) => renderRuleFile(screen, details)
    }
  })
})

const whenOf = ({ condition, name }: RuleFileDetails["rules"][number]) => ({
  name,
  when: describeCondition(condition),
  conditions: condition as Schema.Json
})

const ruleDocument = (version: string, one: RuleFileDetails): typeof rulesShowShape.Type => {
  if (one.kind === "typology") return { ...one.described, ...one, version, rules: one.rules.map(whenOf) }
  const rules = one.rules.map((rule) => ({ ...whenOf(rule), ...rule.match }))
  return { ...one.described, ...one, version, rules }
}

const rule = elseNull(Argument.String("rule"), "One rule of the set, by its id")

export const showPolicy = verb({
  about: "Explain a policy set, or one rule of it, in plain English",
  takes: { set: policySetArgument, rule },
  prints: policiesShowShape,
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
    const { rule, set } = options
    const rules = shown.rules.filter(({ code }) => rule === null || code === rule)
    const known = shown.rules.map(({ code }) => code)
    if (rule !== null && rules.length === 0)
      return yield* unknownName("rule", rule, known, `policies show ${set}`)
    const [only] = rules
    return {
      json: () => policyDocument({ ...shown, rules }),
      text: (screen) =>
        options.rule === null || only === undefined
          ? renderPolicySet(screen, shown)
          : renderPolicyRule(screen, only, shown.suite)
    }
  })
})

const policyDocument = ({ described, frozen, rules, suite }: ShownSet): typeof policiesShowShape.Type => ({
  ...described,
  set: described.name,
  frozen,
  rules: rules.flatMap((policy) =>
    policy.rules.map(({ condition, match, name }) => ({
      ...policy.described,
      id: policy.code,
      file: policy.file,
      effect: match.effect,
      asksFor: describeEffect(match),
      name,
      when: describePolicyCondition(policy),
      conditions: condition as Schema.Json,
      cases: casesSummary(suite, policy.code)
    }))
  )
})

const releasesText = ({ releases }: RuleFileDetails): string =>
  releases.length === 0
    ? "not released yet"
    : releases.map(({ same, version }) => (same ? version : `${version} (differs)`)).join(", ")

const rulesOf = (one: RuleFileDetails): ReadonlyArray<Row> =>
  one.rules.map(({ condition, match }) => [
    "severity" in match
      ? { text: match.severity, style: levelStyle[match.severity] }
      : { text: `at least ${match.floor}`, style: "alarm" },
    `when ${describeCondition(condition)}`
  ])

export const renderRuleFile = (screen: Terminal, one: RuleFileDetails): string => {
  const { lifecycle, message, misses, why } = one.described
  const hazard = one.kind === "factor" ? hazardText(hazardsOf(one)) : ""
  const recommends = one.kind === "factor" ? one.described.recommendations.join(", ") : ""
  return renderShownFile(screen, {
    name: one.code,
    aside: `${one.kind === "factor" ? one.described.category : "typology"}, ${lifecycle}`,
    sentence: message,
    rules: rulesOf(one),
    notes: {
      why,
      misses,
      recommends,
      hazard,
      cases: casesText(one.cases),
      releases: releasesText(one),
      file: one.file
    }
  })
}

interface ShownSet {
  readonly described: typeof PolicySetFile.Type
  readonly frozen: ReadonlyArray<string>
  readonly rules: ReadonlyArray<CataloguedPolicy>
  readonly suite: ReadonlyArray<CaseFile>
}

const whenAndThen = (policy: CataloguedPolicy): ReadonlyArray<Row> => [
  [{ text: "when", style: "dim" }, describePolicyCondition(policy)],
  ...policy.rules.map(({ match }): Row => [{ text: "then", style: "dim" }, describeEffect(match)])
]

const renderPolicySet = (screen: Terminal, { described, frozen, rules }: ShownSet): string => {
  const { description, name, owner, version } = described
  return [
    `${screen.color("bold", name)}  ${screen.color("dim", `version ${version}, ${owner}`)}`,
    ...wrap(description, screen.width),
    "",
    ...rules.flatMap((rule) => [
      `  ${screen.color("cyan", rule.code)}  ${screen.color("dim", rule.described.owner)}`,
      ...table(screen, whenAndThen(rule), 4)
    ]),
    "",
    screen.color("dim", `frozen: ${frozen.length === 0 ? "none" : frozen.join(", ")}`)
  ].join("\n")
}

const renderPolicyRule = (
  screen: Terminal,
  rule: CataloguedPolicy,
  suite: ReadonlyArray<CaseFile>
): string => {
  const { description, misses, owner, why } = rule.described
  return renderShownFile(screen, {
    name: rule.code,
    aside: owner,
    sentence: description,
    rules: whenAndThen(rule),
    notes: { why, misses: misses ?? "", cases: casesText(casesSummary(suite, rule.code)), file: rule.file }
  })
}

interface ShownFile {
  readonly name: string
  /** A few words next to the name. */
  readonly aside: string
  readonly sentence: string
  /** Each rule's condition and effect. */
  readonly rules: ReadonlyArray<Row>
  /** Keyed by their labels. Empty ones are omitted. */
  readonly notes: Readonly<Record<string, string>>
}

const renderShownFile = (screen: Terminal, { aside, name, notes, rules, sentence }: ShownFile): string =>
  [
    `${screen.color("bold", name)}  ${screen.color("dim", aside)}`,
    ...wrap(sentence, screen.width),
    "",
    ...table(screen, rules),
    "",
    ...table(
      screen,
      Object.entries(notes).flatMap(([label, note]): ReadonlyArray<Row> =>
        note === "" ? [] : [[{ text: label, style: "dim" }, note]]
      )
    )
  ].join("\n")

const casesText = (
  cases: { readonly total: number; readonly expecting: Readonly<Record<string, number>> } | null
): string => {
  if (cases === null) return "none beside it"
  const each = Object.entries(cases.expecting).map(([outcome, count]) => `${count} expecting ${outcome}`)
  return `${cases.total}: ${each.join(", ")}`
}
