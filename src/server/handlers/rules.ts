/** Handlers for rules: the lists, and one rule. */

import { Effect, Result } from "effect"
import { AssessmentUnavailable, type Failure, NotFound, type Problem } from "../../api/Failures.ts"
import type { RuleDetails, RuleList } from "../../api/Rules.ts"
import { validationFailed } from "../../api/validation.ts"
import { AppConfig } from "../../config.ts"
import type { Caller } from "../../domain/Caller.ts"
import type { Json } from "../../json/json.ts"
import { describeCondition } from "../../rules/explain/describeCondition.ts"
import type {
  DescribedLibrary,
  DescribedRule,
  DescribedVersion
} from "../../rules/library/describeReleases.ts"
import { RuleLibrary } from "../../rules/library/RuleLibrary.ts"
import { type Call, jsonResponse } from "../Exchange.ts"
import { enumCheck, readListQuery } from "../requestInput.ts"
import { ruleComparisonHandlers } from "./ruleComparisons.ts"

const stillReading = () =>
  new AssessmentUnavailable({ message: "the rules are still being read; send the request again" })

const versionOf = ({ digest, version }: DescribedVersion) => ({ version, digest })

const headOf = ({ category, code, digest, kind, title, why }: DescribedRule) => ({
  kind,
  code,
  category,
  title,
  why,
  digest
})

const detailsOf = (rule: DescribedRule): RuleDetails["rule"] => ({
  ...headOf(rule),
  lifecycle: rule.lifecycle,
  owner: rule.owner,
  misses: rule.misses,
  expects: rule.expects,
  message: rule.message,
  recommendations: rule.recommendations,
  conditions: rule.branches.map(({ condition, gives, name }) => ({
    name,
    gives,
    when: describeCondition(condition),
    condition: condition as unknown as Json
  }))
})

/** An organization sees only its own policies. */
const policiesOf = ({ policySet }: Caller, { policySets }: DescribedLibrary) => policySets[policySet] ?? []

/** The release named in the query, or the served one. */
const releaseIn = (
  query: string,
  { releases }: DescribedLibrary,
  served: string
): Result.Result<DescribedVersion | undefined, ReadonlyArray<Problem>> =>
  Result.map(readListQuery(query, { version: enumCheck(releases.map(({ version }) => version)) }), (read) =>
    releases.find(({ version }) => version === (read.version ?? served))
  )

const describedBy = (library: RuleLibrary["Service"]) =>
  Effect.fnUntraced(function* (): Effect.fn.Return<DescribedLibrary, Failure> {
    return (yield* library.described) ?? (yield* stillReading())
  })

export const rulesHandlers = Effect.gen(function* () {
  const library = yield* RuleLibrary
  const { rulesVersion } = yield* AppConfig

  const described = describedBy(library)
  const servedOf = ({ releases }: DescribedLibrary) => rulesVersion ?? releases.at(-1)?.version ?? ""

  const listRules = Effect.fnUntraced(function* ({ caller, exchange }: Call) {
    const known = yield* described()
    const served = servedOf(known)
    const release = releaseIn(exchange.query, known, served)
    if (Result.isFailure(release)) return yield* validationFailed(release.failure)
    const shown = release.success ?? known.releases.at(-1)
    if (shown === undefined) return yield* stillReading()
    const policies = policiesOf(caller, known).at(-1)
    return jsonResponse({
      api_version: "v1",
      environment_mode: caller.mode,
      releases: known.releases.map(versionOf),
      served,
      release: versionOf(shown),
      rules: shown.rules.map(headOf),
      policies:
        policies === undefined
          ? null
          : { set: caller.policySet, version: versionOf(policies), rules: policies.rules.map(headOf) },
      request_id: exchange.id
    } satisfies RuleList)
  })

  const getRule = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const known = yield* described()
    const release = releaseIn(exchange.query, known, servedOf(known))
    if (Result.isFailure(release)) return yield* validationFailed(release.failure)
    const own = policiesOf(caller, known)
    for (const [of, versions] of [
      [release.success ?? known.releases.at(-1), known.releases],
      [own.at(-1), own]
    ] as const) {
      const rule = of?.rules.find(({ code }) => code === params.code)
      if (of === undefined || rule === undefined) continue
      return jsonResponse({
        api_version: "v1",
        environment_mode: caller.mode,
        of: versionOf(of),
        rule: detailsOf(rule),
        history: versions.map(({ rules, version }) => ({
          version,
          digest: rules.find(({ code }) => code === rule.code)?.digest ?? null
        })),
        request_id: exchange.id
      } satisfies RuleDetails)
    }
    return yield* new NotFound()
  })

  return { listRules, getRule, ...(yield* ruleComparisonHandlers) }
})
