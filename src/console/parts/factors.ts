/** Why an opinion says what it says: the factors, each with the condition of its rule and the values that it saw, and near misses. */

import type { AssessmentResponse } from "../../api/AssessmentResponse.ts"
import { severities, type Severity } from "../../domain/Opinion.ts"
import { type Markup, markup, prose } from "../../markup.ts"
import type { CallExplanation } from "../../evidence/recorded/reconsider.ts"
import { describeAtom, shortText } from "../../rules/explain/describeCondition.ts"
import {
  type AtomTrace,
  byNearness,
  type ExplainedRule,
  lacking,
  type Trace
} from "../../rules/explain/explainRules.ts"
import { renderFigure } from "../../scoring/renderMessage.ts"
import { levelDot } from "./level.ts"
import { said, spaced } from "./said.ts"

type Factor = AssessmentResponse["risk_factors"][number]

const sign = (holds: boolean): Markup =>
  holds
    ? markup`<span class="sign" aria-hidden="true">✓</span><span class="visually-hidden">holds: </span>`
    : markup`<span class="sign" aria-hidden="true">✗</span><span class="visually-hidden">does not hold: </span>`

const line = (holds: boolean, text: string, saw: Markup | null): Markup =>
  markup`<div class="atom ${holds ? "yes" : "no"}">${sign(holds)}<span>${text}</span><span class="saw">${saw}</span></div>`

const sawOf = ({ actual, assumed, atom, shortBy }: AtomTrace): Markup =>
  markup`${said(renderFigure(atom.fact, actual))}${assumed === true ? markup` <span class="assumed">assumed</span>` : null}${shortBy === undefined ? null : markup` <span class="short">${shortText(atom.fact, shortBy)}</span>`}`

const branch = (tree: Trace): Markup =>
  tree.kind === "atom"
    ? markup`<li>${line(tree.result, describeAtom(tree.atom), sawOf(tree))}</li>`
    : markup`<li>${line(tree.result, tree.kind === "all" ? "all of" : "any of", null)}<ul>${tree.terms.map(branch)}</ul></li>`

/** The outermost `all` is left out, because every condition has it. */
const conditionTree = (tree: Trace): Markup =>
  markup`<div class="tree"><ul class="top">${tree.kind === "all" ? tree.terms.map(branch) : branch(tree)}</ul></div>`

const folded = (summary: Markup, inside: Markup): Markup =>
  markup`<li><details><summary>${summary}</summary><div class="why">${inside}</div></details></li>`

/** Without a severity where a rule gives another thing. */
const headOf = (severity: Severity | undefined, code: string, message: Markup, more: Markup): Markup =>
  markup`${severity === undefined ? markup`<span class="dot"></span>` : levelDot(severity)}<code>${code}</code><span class="msg">${message}</span><span class="more">${more}</span>`

const severityWord = (severity: Severity): Markup =>
  markup`<span class="sev t-${severity}">${severity}</span>`

/** The pages of rules. */
export interface RulePaths {
  /** Of a factor or a typology. */
  readonly release: (code: string) => string
  /** Of a rule of the organization's policies. */
  readonly policy: (rule: string) => string
}

const ruleLink = ({ code, kind }: ExplainedRule, paths: RulePaths): Markup =>
  markup`<a href="${kind === "policy" ? paths.policy(code) : paths.release(code)}">its words and its history</a>`

const asked = (rule: ExplainedRule, paths: RulePaths | null): Markup =>
  markup`<p class="soft small">What ${rule.kind === "policy" ? "the policy" : "the rule"} <code>${rule.name}</code> asks, and what it saw${paths === null ? null : markup`; ${ruleLink(rule, paths)}`}:</p>${conditionTree(rule.tree)}`

const ofPolicies = "CUSTOMER_POLICY_MATCH"

/** The rule that gave the factor its severity; of the organization's policies all that hold, because any of them may have. */
const rulesBehind = (
  { code, severity }: Factor,
  { rules }: CallExplanation
): ReadonlyArray<ExplainedRule> => {
  const held = rules.filter(({ tree }) => tree.result)
  return code === ofPolicies
    ? held.filter(({ kind }) => kind === "policy")
    : held.filter((rule) => rule.code === code && rule.gives === severity).slice(0, 1)
}

const texts = (code: string, explanation: CallExplanation): Markup | null => {
  const own = explanation.texts.get(code)
  if (own === undefined) return null
  return markup`<p>${prose(own.why)}</p>${own.expects === undefined ? null : markup`<p><b>What to do</b> ${prose(own.expects)}</p>`}<p class="soft"><b>It cannot see</b> ${prose(own.misses)}</p>`
}

const factorItem =
  (explanation: CallExplanation | null, paths: RulePaths | null) =>
  (factor: Factor): Markup => {
    const { assumed, code, message, severity } = factor
    const more = markup`${assumed === true ? markup`<span class="assumed">assumed</span>` : null}${severityWord(severity)}`
    const head = headOf(severity, code, said(message), more)
    const rules = explanation === null ? [] : rulesBehind(factor, explanation)
    if (explanation === null || rules.length === 0) return markup`<li><div class="plain">${head}</div></li>`
    return folded(head, markup`${texts(code, explanation)}${rules.map((rule) => asked(rule, paths))}`)
  }

/** Where a rule of the release holds without a factor of its own in the answer, the answer tells another of the same subject. */
export const factorsCard = (
  factors: ReadonlyArray<Factor>,
  explanation: CallExplanation | null,
  paths: RulePaths | null
): Markup => {
  const rules = explanation?.rules ?? []
  const held = rules.filter(({ tree }) => tree.result).length
  const counted = explanation === null ? "" : `; ${held} of ${rules.length} rules hold`
  return markup`<section class="card" aria-labelledby="factors"><h2 id="factors">Why <span class="soft">${factors.length} ${factors.length === 1 ? "factor" : "factors"}${counted}</span></h2>
${factors.length === 0 ? markup`<p class="soft">No factor was raised.</p>` : markup`<ul class="factors">${factors.map(factorItem(explanation, paths))}</ul>`}</section>`
}

const nearItem = (rule: ExplainedRule): Markup => {
  const [only] = lacking(rule.tree)
  const severity = severities.find((one) => one === rule.gives)
  const short = only?.shortBy === undefined ? "" : shortText(only.atom.fact, only.shortBy)
  const head = headOf(
    severity,
    rule.name,
    markup`${only === undefined ? "" : describeAtom(only.atom)}`,
    markup`<span class="short">${short}</span>${severity === undefined ? null : severityWord(severity)}`
  )
  return folded(head, conditionTree(rule.tree))
}

export const nearMissesCard = ({ rules }: CallExplanation): Markup | null => {
  const near = rules.filter((rule) => rule.near && !rule.tree.result).toSorted(byNearness)
  return near.length === 0
    ? null
    : markup`<section class="card" aria-labelledby="near"><h2 id="near">Near misses <span class="soft">rules that were almost true</span></h2><ul class="factors">${near.map(nearItem)}</ul></section>`
}

/** The typologies that hold, which set the least score of an answer. */
export const typologiesCard = ({ rules }: CallExplanation, paths: RulePaths | null): Markup | null => {
  const held = rules.filter(({ kind, tree }) => kind === "typology" && tree.result)
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
