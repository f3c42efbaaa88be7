/** `action-risk policies show <set> [rule]`: a policy set, or one rule of it, in plain English. */

import { Console, Effect, type Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { casesSummary } from "../../../rules/catalogue/casesSummary.ts"
import {
  asksFor,
  type CataloguedPolicy,
  cataloguePolicies,
  describeSet,
  whenOf
} from "../../../rules/catalogue/policyCatalogue.ts"
import { readPolicySuite } from "../../../rules/cases/readSuite.ts"
import { packageRoot } from "../../../rules/packageRoot.ts"
import { listPolicyVersions } from "../../../rules/policies/loadPolicySet.ts"
import { json } from "../../options/json.ts"
import { policySet } from "../../options/policySet.ts"
import { renderPolicyRule, renderPolicySet, type ShownSet } from "../../render/policies/show.ts"
import { terminal } from "../../render/Sheet.ts"
import { policyRulebook, whatIs } from "../../rulebook.ts"
import type { policiesShowShape } from "../../shapes/policies/show.ts"
import { unknownName } from "../../unknownName.ts"

const rule = Argument.String("rule").pipe(
  Argument.withDescription("One rule of the set, by its id"),
  Argument.withDefault(null)
)

export const showPolicy = Command.make(
  "show",
  { set: policySet, rule, json },
  Effect.fnUntraced(function* (options) {
    const { policies } = yield* policyRulebook(options.set, "draft")
    const shown: ShownSet = {
      described: yield* whatIs(describeSet(policies)),
      frozen: listPolicyVersions(packageRoot, options.set),
      rules: cataloguePolicies(policies),
      suite: yield* whatIs(readPolicySuite(packageRoot, options.set))
    }
    const rules = yield* chosen(shown.rules, options)
    const [only] = rules
    if (options.json) return yield* Console.log(JSON.stringify(policyJson({ ...shown, rules }), null, 2))
    yield* Console.log(
      options.rule === null || only === undefined
        ? renderPolicySet(terminal(), shown)
        : renderPolicyRule(terminal(), only, shown.suite)
    )
  })
).pipe(
  Command.withDescription("Tell a policy set, or one rule of it, in plain English"),
  Command.withExamples([
    { command: "action-risk policies show starter", description: "Every rule of a set" },
    {
      command: "action-risk policies show starter new-payees-are-called-back --json",
      description: "One rule, for scripts"
    }
  ])
)

const chosen = (
  all: ReadonlyArray<CataloguedPolicy>,
  { rule, set }: { readonly rule: string | null; readonly set: string }
) => {
  if (rule === null) return Effect.succeed(all)
  const found = all.filter(({ code }) => code === rule)
  return found.length > 0
    ? Effect.succeed(found)
    : Effect.fail(
        unknownName({
          command: "policies show",
          argument: "rule",
          written: rule,
          known: all.map(({ code }) => code),
          list: `policies show ${set}`
        })
      )
}

export const policyJson = ({
  described,
  frozen,
  rules,
  suite
}: ShownSet): typeof policiesShowShape.Encoded => ({
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
      asks_for: asksFor(match),
      name,
      when: whenOf(policy),
      conditions: condition as Schema.Json,
      cases: casesSummary(suite, policy.code)
    }))
  )
})
