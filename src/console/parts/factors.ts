/** The reasons for an opinion: the factors, each with the condition of its rule and the values that it found, and near misses. */

import type { AssessmentResponse } from "../../api/AssessmentResponse.ts"
import { type ActionRiskLevel, severities, type Severity } from "../../domain/Opinion.ts"
import { type Markup, markup, prose } from "../../markup.ts"
import { conditionTree, type ConditionView } from "./conditions.ts"
import { type FirstScores, levelDot } from "./level.ts"
import { said, spaced } from "./said.ts"

type Factor = AssessmentResponse["risk_factors"][number]

/** A rule that was evaluated for the action. */
export interface AskedRule {
  readonly kind: "factor" | "typology" | "policy"
  /** The code of a factor, the name of a typology, or the id of a policy rule. */
  readonly code: string
  readonly name: string
  /** A severity, a minimum score, or the effect of a policy. */
  readonly gives: string | number
  readonly holds: boolean
  /** How much is missing for it to hold; null if it holds or is not close. */
  readonly near: { readonly about: string; readonly short: string } | null
  readonly conditions: ReadonlyArray<ConditionView>
}

/** A part of the request that decided how the action is read. */
export interface ToldPart {
  /** The field of the request, or the path of an argument. */
  readonly where: string
  /** The quoted text. */
  readonly said: string
  /** Such as `high delete`. */
  readonly effect: string
  readonly impact: ActionRiskLevel | null
  /** The lexicon entry that it matches. */
  readonly line: string
  /** False if another part overrides it. */
  readonly counts: boolean
}

/** Near misses are in order: closest first. */
export interface ExplanationView {
  /** Strongest first. */
  readonly told: ReadonlyArray<ToldPart>
  readonly firstScores: FirstScores
  /** The texts written by the authors of factors, by code. */
  readonly texts: ReadonlyMap<
    string,
    { readonly why: string; readonly misses: string; readonly expects?: string | undefined }
  >
  readonly rules: ReadonlyArray<AskedRule>
}

const folded = (summary: Markup, inside: Markup): Markup =>
  markup`<li><details><summary>${summary}</summary><div class="why">${inside}</div></details></li>`

/** `severity` is undefined for a rule that gives something else. */
const headOf = (severity: Severity | undefined, code: string, message: Markup, more: Markup): Markup =>
  markup`${severity === undefined ? markup`<span class="dot"></span>` : levelDot(severity)}<code>${code}</code><span class="msg">${message}</span><span class="more">${more}</span>`

const severityWord = (severity: Severity): Markup =>
  markup`<span class="sev t-${severity}">${severity}</span>`

/** Links to the pages of rules. */
export interface RulePaths {
  /** For a factor or a typology. */
  readonly release: (code: string) => string
  /** For a rule of the organization's policies. */
  readonly policy: (rule: string) => string
}

const ruleLink = ({ code, kind }: AskedRule, paths: RulePaths): Markup =>
  markup`<a href="${kind === "policy" ? paths.policy(code) : paths.release(code)}">its words and its history</a>`

const asked = (rule: AskedRule, paths: RulePaths | null): Markup =>
  markup`<p class="soft small">What ${rule.kind === "policy" ? "the policy" : "the rule"} <code>${rule.name}</code> asks, and what it saw${paths === null ? null : markup`; ${ruleLink(rule, paths)}`}:</p>${conditionTree(rule.conditions)}`

const ofPolicies = "CUSTOMER_POLICY_MATCH"

/** The rule that gave the factor its severity. For policies, every rule that holds, because any of them may have given it. */
const rulesBehind = ({ code, severity }: Factor, { rules }: ExplanationView): ReadonlyArray<AskedRule> => {
  const held = rules.filter(({ holds }) => holds)
  return code === ofPolicies
    ? held.filter(({ kind }) => kind === "policy")
    : held.filter((rule) => rule.code === code && rule.gives === severity).slice(0, 1)
}

const texts = (code: string, explanation: ExplanationView): Markup | null => {
  const own = explanation.texts.get(code)
  if (own === undefined) return null
  return markup`<p>${prose(own.why)}</p>${own.expects === undefined ? null : markup`<p><b>What to do</b> ${prose(own.expects)}</p>`}<p class="soft"><b>It cannot see</b> ${prose(own.misses)}</p>`
}

const factorItem =
  (explanation: ExplanationView | null, paths: RulePaths | null) =>
  (factor: Factor): Markup => {
    const { assumed, code, message, severity } = factor
    const more = markup`${assumed === true ? markup`<span class="assumed">assumed</span>` : null}${severityWord(severity)}`
    const head = headOf(severity, code, said(message), more)
    const rules = explanation === null ? [] : rulesBehind(factor, explanation)
    if (explanation === null || rules.length === 0) return markup`<li><div class="plain">${head}</div></li>`
    return folded(head, markup`${texts(code, explanation)}${rules.map((rule) => asked(rule, paths))}`)
  }

/** A release's rule may hold without its factor being in the answer, which then reports another factor about the same subject. */
export const factorsCard = (
  factors: ReadonlyArray<Factor>,
  explanation: ExplanationView | null,
  paths: RulePaths | null
): Markup => {
  const rules = explanation?.rules ?? []
  const held = rules.filter(({ holds }) => holds).length
  const counted = explanation === null ? "" : `; ${held} of ${rules.length} rules hold`
  return markup`<section class="card" aria-labelledby="factors"><h2 id="factors">Why <span class="soft">${factors.length} ${factors.length === 1 ? "factor" : "factors"}${counted}</span></h2>
${factors.length === 0 ? markup`<p class="soft">No factor was raised.</p>` : markup`<ul class="factors">${factors.map(factorItem(explanation, paths))}</ul>`}</section>`
}

const nearItem = (rule: AskedRule): Markup => {
  const severity = severities.find((one) => one === rule.gives)
  const head = headOf(
    severity,
    rule.name,
    markup`${rule.near?.about ?? ""}`,
    markup`<span class="short">${rule.near?.short ?? ""}</span>${severity === undefined ? null : severityWord(severity)}`
  )
  return folded(head, conditionTree(rule.conditions))
}

export const nearMissesCard = ({ rules }: ExplanationView): Markup | null => {
  const near = rules.filter((rule) => rule.near !== null)
  return near.length === 0
    ? null
    : markup`<section class="card" aria-labelledby="near"><h2 id="near">Near misses <span class="soft">rules that were almost true</span></h2><ul class="factors">${near.map(nearItem)}</ul></section>`
}

/** The typologies that hold, which set the minimum score. */
export const typologiesCard = ({ rules }: ExplanationView, paths: RulePaths | null): Markup | null => {
  const held = rules.filter(({ holds, kind }) => kind === "typology" && holds)
  return held.length === 0
    ? null
    : markup`<section class="card" aria-labelledby="patterns"><h2 id="patterns">Patterns <span class="soft">combinations that set a least score</span></h2><ul class="factors">${held.map(
        (rule) =>
          folded(
            markup`<span class="dot"></span><code>${spaced(rule.code)}</code><span class="msg">The score is at least ${Number(rule.gives)}.</span><span class="more"></span>`,
            asked(rule, paths)
          )
      )}</ul></section>`
}
