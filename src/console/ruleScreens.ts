/** The screens about rules: a release with its rules, one rule, and a comparison with another release. */

import { Clock, Effect } from "effect"
import { NotFound } from "../api/Failures.ts"
import { Figures, lastDays } from "../assessment/Figures.ts"
import { AppConfig } from "../config.ts"
import { OwnHistory } from "../assessment/OwnHistory.ts"
import { tenantKey } from "../evenShare.ts"
import { consoleReloadSeconds, ownHistoryDays, searchMax } from "../limits.ts"
import type { DescribedLibrary, DescribedRule, DescribedVersion } from "../rules/library/describeReleases.ts"
import { type ReleaseComparison, RuleLibrary } from "../rules/library/RuleLibrary.ts"
import type { ScreenWith, Visit } from "./consoleEdge.ts"
import { comparePage } from "./pages/comparePage.ts"
import { readingPage, rulePage, rulesPage } from "./pages/rulesPages.ts"
import { comparisonView, ownHistoryResult, releaseView, ruleText } from "./plainViews.ts"
import { ownHistoryPart } from "./parts/ownHistory.ts"
import { pageResponse } from "./respond.ts"

/** A page that waits for a thread reloads itself, even without a script. */
const soonAgain = { refresh: String(consoleReloadSeconds) }

const servedVersion = ({ releases }: DescribedLibrary) =>
  Effect.map(AppConfig, ({ rulesVersion }) => rulesVersion ?? releases.at(-1)?.version ?? "")

/** An organization sees only its own policy set. */
const policiesOf = ({ caller }: Visit, { policySets }: DescribedLibrary): ReadonlyArray<DescribedVersion> =>
  policySets[caller.policySet] ?? []

/** The version named in the address. Undefined if it is not installed, so that the page never shows a different one. */
const statedOr = (
  { query }: Visit,
  versions: ReadonlyArray<DescribedVersion>,
  otherwise: string | undefined
) => {
  const version = query.get("version") ?? otherwise
  return versions.find((one) => one.version === version)
}

const wanted = (visit: Visit, { releases }: DescribedLibrary, served: string) =>
  statedOr(visit, releases, served)

const listRules = Effect.fnUntraced(function* (visit: Visit) {
  const { caller, query } = visit
  const library = yield* RuleLibrary.use(({ described }) => described)
  if (library === null) return pageResponse(readingPage(caller), 200, soonAgain)
  const served = yield* servedVersion(library)
  const shown = wanted(visit, library, served)
  if (shown === undefined) return yield* new NotFound()
  const inForce = policiesOf(visit, library).at(-1)
  return pageResponse(
    rulesPage({
      visitor: caller,
      releases: library.releases,
      shown: releaseView(shown),
      served,
      policies: inForce === undefined ? null : { set: caller.policySet, version: releaseView(inForce) },
      q: (query.get("q") ?? "").replaceAll("\0", "").slice(0, searchMax).trim()
    })
  )
})

const findRule = ({ rules }: DescribedVersion, code: string): DescribedRule | undefined =>
  rules.find((rule) => rule.code === code)

const pastOf = (versions: ReadonlyArray<DescribedVersion>, code: string) =>
  versions.map((version) => ({
    version: version.version,
    digest: findRule(version, code)?.digest ?? null
  }))

/** How many of the organization's recent assessments have the factor; null for rules that are not counted by name. */
const raisedOf = Effect.fnUntraced(function* ({ caller }: Visit, { code, kind }: DescribedRule) {
  if (kind !== "factor" || !caller.scopes.includes("read")) return null
  const span = lastDays(yield* Clock.currentTimeMillis, ownHistoryDays)
  const { factor } = yield* Figures.use(({ names }) => names(caller, span, ["factor"]))
  const count = factor.find((row) => row.factor === code)?.count ?? 0
  return { count, days: ownHistoryDays, from: span.from }
})

const showRule = Effect.fnUntraced(function* (visit: Visit) {
  const library = yield* RuleLibrary.use(({ described }) => described)
  if (library === null) return pageResponse(readingPage(visit.caller), 200, soonAgain)
  const version = wanted(visit, library, yield* servedVersion(library))
  const rule = version === undefined ? undefined : findRule(version, visit.id)
  if (version === undefined || rule === undefined) return yield* new NotFound()
  const raised = yield* raisedOf(visit, rule)
  const past = pastOf(library.releases, rule.code)
  return pageResponse(
    rulePage({
      visitor: visit.caller,
      rule: ruleText(rule),
      label: `release ${version.version}`,
      past,
      shown: version.version,
      raised
    })
  )
})

const showPolicy = Effect.fnUntraced(function* (visit: Visit) {
  const library = yield* RuleLibrary.use(({ described }) => described)
  if (library === null) return pageResponse(readingPage(visit.caller), 200, soonAgain)
  // Shows nothing of a set that the organization had earlier, because the current set may have a rule of the same name.
  const set = visit.query.get("set") ?? visit.caller.policySet
  const versions = set === visit.caller.policySet ? policiesOf(visit, library) : []
  const version = statedOr(visit, versions, versions.at(-1)?.version)
  const rule = version === undefined ? undefined : findRule(version, visit.id)
  if (version === undefined || rule === undefined) return yield* new NotFound()
  const label = `policy set ${visit.caller.policySet}, ${version.version}`
  const past = pastOf(versions, rule.code)
  return pageResponse(
    rulePage({
      visitor: visit.caller,
      rule: ruleText(rule),
      label,
      past,
      shown: version.version,
      raised: null
    })
  )
})

/** Starts after the comparison, so that two threads never open releases at once. Null for a key that may not read assessments. */
const ownHistoryOf = Effect.fnUntraced(function* (
  { caller }: Visit,
  pair: { readonly from: string; readonly to: string },
  comparison: ReleaseComparison | null
) {
  if (comparison?.state !== "done" || !caller.scopes.includes("read")) return null
  const result = yield* OwnHistory.use(({ backtest }) => backtest(caller, pair))
  const span = lastDays(yield* Clock.currentTimeMillis, ownHistoryDays)
  const data = yield* Figures.use(({ tallies }) => tallies(caller, span, ["assessment_status"]))
  return {
    visitor: caller,
    query: `from=${pair.from}&to=${pair.to}`,
    result: ownHistoryResult(result),
    stored: data.reduce((sum, { count }) => sum + count, 0)
  }
})

const compareReleases = Effect.fnUntraced(function* (visit: Visit) {
  const { caller, exchange, query } = visit
  const library = yield* RuleLibrary
  const versions = yield* library.versions
  const chosen = (name: string, otherwise = "") => query.get(name) ?? otherwise
  const [from, to] = [chosen("from", versions.at(-2) ?? versions.at(-1)), chosen("to", versions.at(-1))]
  // A link to a release that is not installed must not show a different pair.
  if (![from, to].every((version) => versions.includes(version))) return yield* new NotFound()
  const comparison = from === to ? null : yield* library.compare(tenantKey(caller), from, to)
  const own = yield* ownHistoryOf(visit, { from, to }, comparison)
  if (exchange.request.headers["svc-part"] === "own-history" && own !== null)
    return pageResponse(ownHistoryPart(own))
  const page = comparePage({
    visitor: caller,
    nowMs: yield* Clock.currentTimeMillis,
    versions: versions.toReversed(),
    from,
    to,
    comparison: comparisonView(comparison),
    own
  })
  const isUnderWay = from !== to && (comparison === null || comparison.state === "running")
  // Reloads its own address without the fragment: with it, a browser would only scroll and send no request.
  const again = `${soonAgain.refresh};url=?from=${from}&to=${to}`
  return pageResponse(page, 200, isUnderWay ? { refresh: again } : {})
})

export const ruleScreens: ReadonlyArray<ScreenWith<AppConfig | Figures | OwnHistory | RuleLibrary>> = [
  { method: "GET", path: /^rules$/, scope: "rules", show: listRules },
  { method: "GET", path: /^rules\/compare$/, scope: "rules", show: compareReleases },
  { method: "GET", path: /^rules\/policies\/(?<id>[\w-]+)$/, scope: "rules", show: showPolicy },
  { method: "GET", path: /^rules\/(?!compare$)(?<id>[\w-]+)$/, scope: "rules", show: showRule }
]
