/** Handlers of rules: the lists, one rule, and comparisons of releases. */

import { Effect, Result } from "effect"
import {
  AssessmentUnavailable,
  type Failure,
  NotFound,
  type Problem,
  RateLimited
} from "../../api/Failures.ts"
import {
  type RuleComparison,
  RuleComparisonRequest,
  type RuleDetails,
  type RuleList
} from "../../api/Rules.ts"
import { objectReader, problemsOf, validationFailed } from "../../api/validation.ts"
import { AppConfig } from "../../config.ts"
import type { Caller } from "../../domain/Caller.ts"
import type { Json } from "../../json/json.ts"
import { comparisonRetrySeconds } from "../../limits.ts"
import type { Witness } from "../../rules/counterexample/findWitness.ts"
import type { Change } from "../../rules/diff/Diff.ts"
import { describeCondition } from "../../rules/explain/describeCondition.ts"
import type {
  DescribedLibrary,
  DescribedRule,
  DescribedVersion
} from "../../rules/library/describeReleases.ts"
import { type ReleaseComparison, RuleLibrary } from "../../rules/library/RuleLibrary.ts"
import { type Call, jsonResponse } from "../Exchange.ts"
import { enumCheck, readBody, readJson, readListQuery } from "../requestInput.ts"

const stillReading = () =>
  new AssessmentUnavailable({ message: "the rules are still being read; send the request again" })

const versionOf = ({ digest, edition, version }: DescribedVersion) => ({ version, digest, edition })

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

/** An organization sees its own policies alone. */
const policiesOf = ({ policySet }: Caller, { policySets }: DescribedLibrary) => policySets[policySet] ?? []

/** The release that the query names, else the served one. */
const releaseIn = (
  query: string,
  { releases }: DescribedLibrary,
  served: string
): Result.Result<DescribedVersion | undefined, ReadonlyArray<Problem>> =>
  Result.map(readListQuery(query, { version: enumCheck(releases.map(({ version }) => version)) }), (read) =>
    releases.find(({ version }) => version === (read.version ?? served))
  )

const witnessOf = (witness: Witness | undefined) => {
  if (witness === undefined) return null
  const { fromScore, history, request, toScore } = witness
  return {
    request: request as unknown as Readonly<Record<string, Json>>,
    ...(history === undefined ? {} : { history: history as unknown as Json }),
    from_score: fromScore,
    to_score: toScore
  }
}

const changeOf = ({ code, details, kind, risingWitness, summary, witness }: Change) => ({
  code,
  kind,
  summary,
  details,
  witness: witnessOf(witness),
  rising_witness: witnessOf(risingWitness)
})

interface Pair {
  readonly from: string
  readonly to: string
}

const comparisonBody = (
  { caller, exchange }: Call,
  { from, to }: Pair,
  comparison: ReleaseComparison
): RuleComparison => ({
  api_version: "v1",
  environment_mode: caller.mode,
  comparison_id: `${from}...${to}`,
  from,
  to,
  state: comparison.state,
  problem: comparison.state === "failed" ? comparison.reason : null,
  changes: comparison.state === "done" ? comparison.diff.changes.map(changeOf) : [],
  request_id: exchange.id
})

/** Every problem of a pair: a release that is not installed, and one compared with itself. */
const pairProblems = ({ from, to }: Pair, versions: ReadonlyArray<string>): ReadonlyArray<Problem> => {
  const known = enumCheck(versions)
  const unknown = Object.entries({ from, to }).flatMap(([field, version]) => {
    const message = known(version)
    return message === undefined ? [] : [{ field, message }]
  })
  return from === to ? [...unknown, { field: "to", message: "must be another release than from" }] : unknown
}

const readComparison = objectReader(RuleComparisonRequest)

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

  return { listRules, getRule, ...comparisonHandlers(library) }
})

const comparisonHandlers = (library: RuleLibrary["Service"]) => {
  const compareRules = Effect.fnUntraced(function* (call: Call) {
    const bytes = yield* readBody(call.exchange)
    const { holdsNul, value } = yield* Effect.fromResult(readJson(call.exchange.request, bytes))
    const asked = readComparison(value, holdsNul)
    if (Result.isFailure(asked)) return yield* validationFailed(problemsOf(asked))
    const problems = pairProblems(asked.success, yield* library.versions)
    if (problems.length > 0) return yield* validationFailed(problems)
    const { from, to } = asked.success
    const comparison = yield* library.compare(from, to)
    if (comparison === null) return yield* new RateLimited({ retryAfterSeconds: comparisonRetrySeconds })
    return jsonResponse(comparisonBody(call, { from, to }, comparison), 202)
  })

  const getRuleComparison = Effect.fnUntraced(function* (call: Call) {
    const [from = "", to = ""] = (call.params.comparison_id ?? "").split("...")
    const comparison = yield* library.compared(from, to)
    if (comparison === null) return yield* new NotFound()
    return jsonResponse(comparisonBody(call, { from, to }, comparison))
  })

  return { compareRules, getRuleComparison }
}
