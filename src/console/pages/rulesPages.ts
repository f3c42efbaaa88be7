/** Lists of the rules of a release and of the organization's policies, and the page of one rule with its texts, condition and history. */

import { severities } from "../../domain/Opinion.ts"
import { quoted } from "../../foreignText.ts"
import { quotedTextMax, searchMax } from "../../limits.ts"
import { type Markup, markup, prose } from "../../markup.ts"
import { conditionTree, type ConditionView } from "../parts/conditions.ts"
import { filteredPath } from "../parts/filters.ts"
import { framed, type Visitor } from "../parts/frame.ts"
import { levelDot } from "../parts/level.ts"
import { attribute, said, spaced, thousands } from "../parts/said.ts"

/** A rule as described by its author. */
export interface RuleTextView {
  readonly kind: "factor" | "typology" | "policy"
  /** The code of a factor, the name of a typology, or the id of a policy rule. */
  readonly code: string
  /** The category of a factor, the effect of a policy rule, or `typology`. */
  readonly category: string
  readonly title: string | null
  readonly lifecycle: string | null
  readonly owner: string | null
  readonly why: string
  readonly misses: string | null
  readonly expects: string | null
  /** The message template with `{fact}` placeholders. */
  readonly message: string | null
  readonly recommendations: ReadonlyArray<string>
  readonly branches: ReadonlyArray<{
    /** A severity, a minimum score, or the effect of a policy in words. */
    readonly gives: string
    readonly conditions: ReadonlyArray<ConditionView>
  }>
  /** Hex SHA-256 of the file's canonical form: equal if nothing in it changed. */
  readonly digest: string
}

/** One version of the rules, or of one policy set. */
export interface ReleaseView {
  readonly version: string
  /** In hex. */
  readonly digest: string
  readonly rules: ReadonlyArray<RuleTextView>
}

export interface RulesView {
  readonly visitor: Visitor
  /** Oldest first. */
  readonly releases: ReadonlyArray<Pick<ReleaseView, "version">>
  readonly shown: ReleaseView
  /** The version that scores requests now. */
  readonly served: string
  /** The organization's policy set with the version in force; null if it has none. */
  readonly policies: { readonly set: string; readonly version: ReleaseView } | null
  /** The search text; empty if there is none. */
  readonly q: string
}

const severityOf = ({ gives }: RuleTextView["branches"][number]) =>
  severities.find((severity) => severity === gives)

/** The highest severity that a rule can give. */
const worst = ({ branches }: RuleTextView) =>
  severities.findLast((severity) => branches.some((branch) => severityOf(branch) === severity))

const reach = (rule: RuleTextView): Markup => {
  const top = worst(rule)
  if (rule.kind === "policy") return markup`<span class="soft">${spaced(rule.category)}</span>`
  if (top === undefined) return markup`<span class="soft">${rule.branches[0]?.gives ?? ""}</span>`
  const others = rule.branches.flatMap((branch) => severityOf(branch) ?? []).filter((one) => one !== top)
  const below = others.length === 0 ? null : markup` <span class="soft">from ${others.at(0) ?? ""}</span>`
  return markup`<span class="sev t-${top}">${top}</span>${below}`
}

const dotOf = (rule: RuleTextView): Markup => {
  const top = worst(rule)
  return top === undefined ? markup`<span class="dot"></span>` : levelDot(top)
}

const pathOf = (rule: RuleTextView): string =>
  rule.kind === "policy" ? `policies/${rule.code}` : encodeURIComponent(rule.code)

const row =
  (mode: Visitor["mode"], version: string) =>
  (rule: RuleTextView): Markup => {
    const query = rule.kind === "policy" ? "" : `?version=${encodeURIComponent(version)}`
    return markup`<li class="item rule">${dotOf(rule)}<div class="act"><a href="/${mode}/rules/${pathOf(rule)}${query}"><code>${rule.code}</code></a><div class="soft">${prose(rule.why)}</div></div><span class="reach small">${reach(rule)}</span></li>`
  }

/** Searches the texts shown to people, ignoring case. */
const matches =
  (q: string) =>
  ({ category, code, message, misses, owner, title, why }: RuleTextView): boolean =>
    [code, category, title, owner, why, misses, message].some((text) =>
      (text ?? "").toLowerCase().includes(q.toLowerCase())
    )

const group = (view: RulesView, name: string, rules: ReadonlyArray<RuleTextView>): Markup =>
  markup`<section class="group" id="in-${name}"><h2>${name} <span class="soft small">${rules.length}</span></h2><ol class="list">${rules.map(row(view.visitor.mode, view.shown.version))}</ol></section>`

const tab = ({ served, shown, visitor }: RulesView, { version }: Pick<ReleaseView, "version">): Markup =>
  markup`<a href="/${visitor.mode}/rules?version=${encodeURIComponent(version)}"${attribute(version === shown.version, "aria-current")}>${version}${version === served ? markup` <span class="tag">served</span>` : null}</a>`

const tools = (view: RulesView): Markup => {
  const { q, releases, shown, visitor } = view
  return markup`<div class="tools"><nav class="tabs" aria-label="Releases">${releases.map((release) => tab(view, release))}</nav><form method="get" role="search"><input type="hidden" name="version" value="${shown.version}"><label class="visually-hidden" for="q">Code or words</label><input id="q" type="search" name="q" value="${q}" placeholder="Code or words" maxlength="${searchMax}"><button class="button">Search</button></form>${releases.length < 2 ? null : markup`<a class="button" href="/${visitor.mode}/rules/compare">Compare releases</a>`}</div>`
}

const none = (q: string): Markup =>
  markup`<div class="list empty"><p>No rule of this release holds ${said(quoted(q, quotedTextMax))}.</p><p class="soft">The search looks in codes, categories and what authors wrote.</p></div>`

const policiesOf = ({ policies, q, visitor }: RulesView): Markup => {
  if (policies === null)
    return markup`<section class="group"><h2>Policies</h2><div class="list empty"><p>This organization has no policies of its own.</p><p class="soft">A policy set adds an organization’s own rules: <code>action-risk policies new</code>.</p></div></section>`
  const { set, version } = policies
  const found = version.rules.filter(matches(q))
  return markup`<section class="group" id="in-policies"><h2>Policies <span class="soft small">${set}, ${version.version}, <span class="mono">${version.digest.slice(0, 8)}</span></span></h2>${
    found.length === 0
      ? markup`<div class="list empty"><p>${version.rules.length === 0 ? "The set has no rules." : "None of them matches."}</p></div>`
      : markup`<ol class="list">${found.map(row(visitor.mode, version.version))}</ol>`
  }</section>`
}

export const rulesPage = (view: RulesView): Markup => {
  const { q, shown, visitor } = view
  const found = shown.rules.filter(matches(q))
  const groups = [
    ...Map.groupBy(found, ({ category }) => (category === "typology" ? "typologies" : category))
  ]
  const factors = shown.rules.filter(({ kind }) => kind === "factor").length
  return framed({
    title: `Rules ${shown.version}`,
    visitor,
    at: "rules",
    body: markup`<h1>Rules</h1>
${tools(view)}
<p class="facts"><span>release <b>${shown.version}</b></span><span><b>${factors}</b> factors</span><span><b>${shown.rules.length - factors}</b> typologies</span><span>digest <b class="mono" title="${shown.digest}">${shown.digest.slice(0, 16)}</b></span></p>
${found.length === 0 ? none(q) : markup`<ul class="jumps">${groups.map(([name, rules]) => markup`<li><a href="#in-${name}">${name} <span class="soft">${rules.length}</span></a></li>`)}</ul>${groups.map(([name, rules]) => group(view, name, rules))}`}
${policiesOf(view)}
<p class="foot">A release never changes. The result of a rule is combined with everything else that holds, so a single severity is not a score.</p>`
  })
}

const branchCard = (branch: RuleTextView["branches"][number]): Markup => {
  const severity = severityOf(branch)
  const gives =
    severity === undefined
      ? markup`<b>${branch.gives}</b>`
      : markup`${levelDot(severity)} <b class="t-${severity}">${severity}</b>`
  return markup`<section class="branch"><h3>${gives} <span class="soft">where</span></h3>${conditionTree(branch.conditions)}</section>`
}

/** A rule in one earlier version. */
export interface RuleInVersion {
  readonly version: string
  /** Null if that version does not contain the rule. */
  readonly digest: string | null
}

export interface RuleView {
  readonly visitor: Visitor
  readonly rule: RuleTextView
  /** The release, or the policy set with its version. */
  readonly label: string
  /** Oldest first. */
  readonly past: ReadonlyArray<RuleInVersion>
  readonly shown: string
  /** Null if that is not counted, or not shown for this key. */
  readonly raised: { readonly count: number; readonly days: number; readonly from: string } | null
}

const raisedFact = ({ raised, rule, visitor }: RuleView): Markup | null => {
  if (raised === null) return null
  const told = raised.count === 1 ? "once" : `${thousands(raised.count)} times`
  const path = filteredPath(`/${visitor.mode}/assessments`, { factor: rule.code, from: raised.from })
  return raised.count === 0
    ? markup`<span>not raised in ${raised.days} days</span>`
    : markup`<span>raised <a href="${path}">${told} in ${raised.days} days</a></span>`
}

const step = ({ rule, shown, visitor }: RuleView, at: RuleInVersion, before: RuleInVersion | undefined) => {
  const { digest, version } = at
  const change =
    digest === null
      ? (before?.digest ?? null) === null
        ? "not there"
        : "taken out"
      : (before?.digest ?? null) === null
        ? "added"
        : before?.digest === digest
          ? "unchanged"
          : "changed"
  const compares = change === "changed" && rule.kind !== "policy" && before !== undefined
  const told = compares
    ? markup`<a href="/${visitor.mode}/rules/compare?from=${before.version}&to=${version}#${rule.code}">${change}</a>`
    : markup`${change}`
  const name =
    digest === null || version === shown
      ? markup`${version}`
      : markup`<a href="?version=${encodeURIComponent(version)}">${version}</a>`
  return markup`<li class="${change === "changed" || change === "added" ? "turn" : ""}${version === shown ? " me" : ""}"><b>${name}</b><span>${told}</span><span class="mono soft small">${digest?.slice(0, 8) ?? ""}</span></li>`
}

const history = (view: RuleView): Markup =>
  markup`<section class="card" aria-labelledby="past"><h2 id="past">Over versions <span class="soft">by the digest of its file</span></h2><ol class="past">${view.past.map((at, i) => step(view, at, view.past[i - 1])).toReversed()}</ol></section>`

const words = ({ expects, message, misses, recommendations, why }: RuleTextView): Markup =>
  markup`<section class="card" aria-labelledby="words"><h2 id="words" class="visually-hidden">In words</h2><p class="said">${prose(why)}</p><dl class="table">${message === null ? null : markup`<div><dt>answers say</dt><dd>${prose(message)}</dd></div>`}${expects === null ? null : markup`<div><dt>what to do</dt><dd>${prose(expects)}</dd></div>`}${misses === null ? null : markup`<div><dt>it cannot see</dt><dd>${prose(misses)}</dd></div>`}</dl>${recommendations.length === 0 ? null : markup`<ul class="tags">${recommendations.map((code) => markup`<li class="tag">${spaced(code).toLowerCase()}</li>`)}</ul>`}</section>`

export const rulePage = (view: RuleView): Markup => {
  const { label, rule, visitor } = view
  const back = rule.kind === "policy" ? "" : `?version=${encodeURIComponent(view.shown)}`
  return framed({
    title: rule.code,
    visitor,
    at: "rules",
    body: markup`<div class="crumbs"><a href="/${visitor.mode}/rules${back}">← Rules</a></div>
<h1><code>${rule.code}</code></h1>
<div class="facts"><span class="tag">${rule.kind}</span><span>of <b>${label}</b></span>${rule.kind === "factor" ? markup`<span>category <b>${rule.category}</b></span>` : null}${rule.title === null ? null : markup`<span>${rule.title}</span>`}${rule.lifecycle === null ? null : markup`<span>${rule.lifecycle}</span>`}${rule.owner === null ? null : markup`<span>owner <b>${rule.owner}</b></span>`}${raisedFact(view)}</div>
<div class="cols"><div class="stack first">${words(rule)}<section class="card" aria-labelledby="when"><h2 id="when">When it holds <span class="soft">of several, the most severe counts</span></h2>${rule.branches.toReversed().map(branchCard)}</section></div>
<div class="side"><div class="stack">${history(view)}<section class="card" aria-labelledby="file"><h2 id="file">File</h2><p class="hash mono soft">${rule.digest}</p><p class="note">SHA-256 of its canonical form (RFC 8785).</p></section></div></div></div>`
  })
}

/** Releases are opened once, in a separate thread. Until then, the page says so and reloads itself. */
export const readingPage = (visitor: Visitor): Markup =>
  framed({
    title: "Rules",
    visitor,
    at: "rules",
    body: markup`<h1>Rules</h1><section class="card waiting" role="status"><p><b>The releases are being read.</b></p><p class="soft">The first view after a start takes a few seconds. This page loads itself again.</p><progress aria-label="Reading the releases"></progress></section>`
  })
