/** `rules explain` and `policies explain`: show for one request which rules hold, and the value behind every condition. */

import { Effect, Schema } from "effect"
import { AssessmentResponse } from "../../api/AssessmentResponse.ts"
import { unstoredAnswer } from "../../assessment/unstoredAnswer.ts"
import type { Action } from "../../domain/Action.ts"
import { severities } from "../../domain/Opinion.ts"
import type { Rulebook } from "../../rules/Rulebook.ts"
import { defaultNow, type Situation } from "../../rules/cases/Situation.ts"
import { scoreInputOf, traceScore } from "../../rules/cases/tryCase.ts"
import {
  type AtomTrace,
  atomTraces,
  byNearness,
  type ExplainedEntry,
  type ExplainedRule,
  explainEntries,
  explainRules,
  lacking,
  type Trace
} from "../../rules/explain/explainRules.ts"
import { shortText } from "../../rules/explain/describeCondition.ts"
import type { ConditionAtom } from "../../rules/language/Rule.ts"
import type { FactName } from "../../scoring/Facts.ts"
import { explainKnownReading } from "../../scoring/knowledge/explainKnownReading.ts"
import { knowledgeAt } from "../../scoring/knowledge/OrganizationCatalogue.ts"
import { renderFigure } from "../../scoring/renderMessage.ts"
import { levelStyle, paragraph, titled, type Style, table, type Terminal, wrap, lines } from "../Terminal.ts"
import {
  type AskedAction,
  evidenceJson,
  evidenceShape,
  renderBlastRadius,
  renderEvidence,
  renderHeadline,
  renderReading
} from "../assessmentView.ts"
import { elseNull, pathArgument, switchFlag } from "../flags.ts"
import { historyFlag, readHistoryFile } from "../operatorFiles.ts"
import { bool, members, objects, optionalKey, string } from "../jsonShapes.ts"
import { figure } from "../texts.ts"
import { servedRulebook, workingRulebook } from "./rulebooks.ts"
import {
  type Noun,
  policiesFlag,
  readOrRefuse,
  ruleFiles,
  rulesFlag,
  scoringReleaseFlag,
  subjectArguments
} from "./subject.ts"
import { callFlags, readStatedRequest } from "../statedRequest.ts"
import { verb, type VerbHelp } from "../verb.ts"

const { action_risk, assumptions, blast_radius, reading, risk_factors } = AssessmentResponse.fields

const Value = Schema.Union([Schema.String, Schema.Boolean, Schema.Int])

const explainShape = members({
  action_risk,
  reading,
  evidence: evidenceShape,
  assumptions,
  blast_radius,
  factors: risk_factors,
  rules: objects("Every rule: factors, then typologies, then policy rules.", {
    name: string("The rule's own name, HIGH_ENTITY_COUNT.high."),
    code: string("The factor's code, the typology's name, or the policy rule's id."),
    result: bool("Whether the rule holds."),
    atoms: objects("In the order of the file.", {
      fact: Schema.String,
      operator: Schema.String,
      value: Schema.Union([Value, Schema.Array(Value)]),
      actual: Value,
      result: Schema.Boolean,
      shortBy: optionalKey(
        Schema.Int,
        "For a comparison that fails: the distance to the threshold, in the unit of the fact."
      )
    })
  }),
  catalogue: objects("Every entry of the set's catalogue that covers the request.", {
    entry: Schema.String,
    expired: bool("Past its review date, so it does not count."),
    reading: bool("Whether the class of the act comes from this entry."),
    fills: objects("The fields that it fills in, or makes riskier than stated.", {
      field: Schema.String,
      assumed: Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])
    })
  })
})

const explainFlags = {
  file: elseNull(
    pathArgument("file.json"),
    "An assessment request as the API accepts it; - reads standard input"
  ),
  ...callFlags,
  history: historyFlag,
  all: switchFlag("all", "Also show the rules that neither hold nor came near")
}

/** Policy commands already name a policy set, so only rule commands have a flag for it. */
const releaseFlags: Readonly<
  Record<Noun, { rules: typeof scoringReleaseFlag; policies?: typeof policiesFlag }>
> = {
  rules: {
    rules: rulesFlag("The release (default: RULES_VERSION, or the newest)", null),
    policies: policiesFlag
  },
  policies: { rules: scoringReleaseFlag }
}

const help: Readonly<Record<Noun, VerbHelp>> = {
  rules: {
    about: "Show which rules hold for a request and which came near, with the values that each one saw",
    fails: "the request or the history cannot be read or is not valid",
    reads: "`RULES_VERSION`",
    examples: {
      "examples/requests/salesforce-export.json": "Rules that hold, and near misses",
      "--shell 'git push --force origin main'": "For a command that a shell runs",
      "request.json --rules draft --history history.json --all":
        "Every rule of the working files, for an organization that has asked before"
    }
  },
  policies: {
    about:
      "Show which rules of a working policy set hold for a request and which came near, with the values that each one saw",
    fails: "the request or the history cannot be read or is not valid, or the set cannot be used",
    reads: "`RULES_VERSION`",
    examples: {
      "starter examples/requests/stripe-payout.json": "Rules that hold, and near misses",
      "starter request.json --history history.json --all":
        "Every rule of the set, for an organization that has asked before"
    }
  }
}

export const explainVerb = (noun: Noun) =>
  verb({
    ...help[noun],
    takes: { ...subjectArguments[noun], ...explainFlags, ...releaseFlags[noun] },
    prints: explainShape,
    isBlocking: true,
    run: Effect.fnUntraced(function* ({ policies = "none", subject = ruleFiles, ...options }) {
      const { action } = yield* readStatedRequest(options.file, options)
      const earlier = yield* readHistoryFile(options.history)
      const [rulebook, only] =
        subject.kind === "rules"
          ? [yield* servedRulebook(options.rules, policies), undefined]
          : [yield* readOrRefuse(yield* workingRulebook(subject, options.rules)), "policy" as const]
      const explanation = explain(rulebook, action, earlier, only)
      return {
        json: () => explanationDocument(explanation),
        text: (screen) => renderExplanation(screen, explanation, options.all)
      }
    })
  })

/** An explanation shows no times or versions, so these stay empty. */
const unstamped = {
  riskEngineVersion: "",
  policyVersion: "",
  mode: "test",
  nowMs: 0,
  timing: { total: 0, validation: 0, behavior: 0, scoring: 0, policy: 0 }
} as const

/** `only`: the one kind of rules to explain; all kinds if absent. */
export const explain = (
  book: Rulebook,
  action: Action,
  earlier: Situation["history"],
  only?: ExplainedRule["kind"]
): Explanation => {
  const { model } = book.release
  const { policySet } = book.policies
  const situation = { request: action, ...(earlier !== undefined && { history: earlier }) }
  const input = scoreInputOf(situation, undefined, model, policySet)
  const { opinion, reported } = traceScore(input, model, policySet)
  const known = knowledgeAt(policySet, Date.parse(earlier?.now ?? defaultNow))
  return {
    asked: { actionType: action.actionType, environment: action.environment },
    response: unstoredAnswer(opinion, unstamped),
    evidence: evidenceJson(explainKnownReading(action, model, known)),
    rules: explainRules(book, reported).filter(({ kind }) => only === undefined || kind === only),
    entries: explainEntries(book, action, opinion, earlier?.now)
  }
}

const explanationDocument = ({ entries, evidence, response, rules }: Explanation) => ({
  ...response,
  evidence,
  factors: response.risk_factors,
  rules: rules.map(({ tree, ...rule }) => ({
    ...rule,
    result: tree.result,
    atoms: atomTraces(tree).map(({ atom, ...trace }) => ({ ...atom, ...trace }))
  })),
  catalogue: entries
})

export interface Explanation {
  readonly asked: AskedAction
  readonly response: AssessmentResponse
  readonly evidence: typeof evidenceShape.Type
  readonly rules: ReadonlyArray<ExplainedRule>
  readonly entries: ReadonlyArray<ExplainedEntry>
}

const effectOf = ({ gives, kind }: ExplainedRule): { text: string; style: Style } => {
  const severity = severities.find((name) => name === gives)
  if (severity !== undefined) return { text: severity, style: levelStyle[severity] }
  if (kind === "typology") return { text: `at least ${gives}`, style: "alarm" }
  return { text: String(gives), style: "cyan" }
}

/** `1 short of the threshold`; empty if the rule did not come close. */
const shortage = ({ near, tree }: ExplainedRule): string => {
  const [only] = lacking(tree)
  return near && only?.shortBy !== undefined
    ? `${shortText(only.atom.fact, only.shortBy)} of the threshold`
    : ""
}

const renderEntry = (
  screen: Terminal,
  { entry, expired, fills, reading }: ExplainedEntry
): ReadonlyArray<string> => {
  const effects = lines(
    reading && "sets the class of the act",
    fills.map(({ assumed, field }) => `${field} is ${String(assumed)}`)
  ).join(", ")
  const text = expired ? "is past its review date and has no effect" : effects
  return [
    `${mark(screen, !expired && effects !== "")} ${screen.color("bold", entry)}`,
    ...paragraph(screen, text || "adds nothing", 4)
  ]
}

const renderRule = (screen: Terminal, rule: ExplainedRule): ReadonlyArray<string> => {
  const { style, text } = effectOf(rule)
  const short = shortage(rule)
  const head = `${mark(screen, rule.tree.result)} ${screen.color("bold", rule.name)}  ${screen.color(style, text)}`
  const fits = `✔ ${rule.name}  ${text}  ${short}`.length <= screen.width
  const aside = short === "" ? "" : `${fits ? "  " : "\n    "}${screen.color("yellow", short)}`
  return [`${head}${aside}`, ...conditionTree(screen, rule.tree, 4)]
}

export const renderExplanation = (
  screen: Terminal,
  { asked, entries, evidence, response, rules }: Explanation,
  everything: boolean
): string => {
  const shown = (own: ReadonlyArray<ExplainedRule>) => own.flatMap((rule) => renderRule(screen, rule))
  const held = rules.filter(({ tree }) => tree.result)
  const missed = rules.filter(({ tree }) => !tree.result).toSorted(byNearness)
  const [near, far] = [missed.filter((rule) => rule.near), missed.filter((rule) => !rule.near)]
  return [
    ...renderHeadline(screen, asked, response),
    ...titled(screen, {
      "How it was read": renderReading(screen, response.reading),
      "Evidence, strongest first": renderEvidence(screen, evidence),
      "Assumed for fields that were left out": renderAssumptions(screen, response),
      "Entries of the catalogue": entries.flatMap((one) => renderEntry(screen, one)),
      "Blast radius": renderBlastRadius(screen, response.blast_radius),
      "Rules that hold": shown(held),
      "Near misses, nearest first": shown(near),
      "Rules that do not hold, nearest first": everything ? shown(far) : []
    }),
    "",
    screen.color(
      "dim",
      `${held.length} of ${rules.length} rules hold, ${near.length} came near${everything || far.length === 0 ? "" : "; --all shows the others"}`
    )
  ].join("\n")
}

/** The value assumed for each missing field, with thousands separators. */
const renderAssumptions = (screen: Terminal, { assumptions }: AssessmentResponse): ReadonlyArray<string> =>
  table(
    screen,
    assumptions.map(({ assumed, field }) => [
      field,
      typeof assumed === "number" ? figure(assumed) : String(assumed)
    ])
  )

const signs: Readonly<Record<ConditionAtom["operator"], string>> = {
  equal: "=",
  notEqual: "≠",
  in: "in",
  notIn: "not in",
  greaterThan: ">",
  greaterThanInclusive: "≥",
  lessThan: "<",
  lessThanInclusive: "≤"
}

/** The name of a fact without its unit, because the value next to it is shown in words or whole units. */
const nameOf = (fact: FactName): string => fact.replace(/_(?:rank|usd_cents|x100)$/, "")

/** `entities_affected ≥ 1,000` */
const conditionText = ({ fact, operator, value }: ConditionAtom): string =>
  `${nameOf(fact)} ${signs[operator]} ${[value]
    .flat()
    .map((each) => renderFigure(fact, each))
    .join(", ")}`

const actualText = ({ actual, assumed, atom, shortBy }: AtomTrace): string =>
  lines(
    renderFigure(atom.fact, actual),
    assumed === true && "assumed",
    shortBy !== undefined && shortText(atom.fact, shortBy)
  ).join(", ")

interface Line {
  readonly depth: number
  readonly result: boolean
  readonly text: string
  readonly value: string
}

const linesOf = (tree: Trace, depth: number): ReadonlyArray<Line> => {
  if (tree.kind === "atom") {
    return [{ depth, result: tree.result, text: conditionText(tree.atom), value: actualText(tree) }]
  }
  const group = { depth, result: tree.result, text: tree.kind === "all" ? "all of" : "any of", value: "" }
  return [group, ...tree.terms.flatMap((term) => linesOf(term, depth + 1))]
}

const mark = ({ color }: Terminal, result: boolean): string =>
  result ? color("green", "✔") : color("dim", "✘")

const step = 2
const gap = 2
const valueMin = 16

/** The condition wraps before the column of values. */
const renderLine = (screen: Terminal, line: Line, start: number, column: number): ReadonlyArray<string> => {
  const paint = (text: string) => screen.color(line.result ? "plain" : "dim", text)
  const [first = "", ...more] = wrap(line.text, Math.max(valueMin, column - gap - start))
  const space = " ".repeat(Math.max(gap, column - start - first.length))
  const value = screen.color(line.value.endsWith("short") ? "yellow" : "cyan", line.value)
  const head = `${" ".repeat(start - 2)}${mark(screen, line.result)} ${paint(first)}`
  return [
    line.value === "" ? head : `${head}${space}${value}`,
    ...more.map((text) => " ".repeat(start) + paint(text))
  ]
}

/** The tree of a condition, with a mark for every atom. Omits the outermost `all`, because every condition has it. */
const conditionTree = (screen: Terminal, tree: Trace, indent: number): ReadonlyArray<string> => {
  const shown = tree.kind === "all" ? tree.terms.flatMap((term) => linesOf(term, 0)) : linesOf(tree, 0)
  const startOf = ({ depth }: Line) => indent + depth * step + 2
  const widest = Math.max(0, ...shown.map((line) => startOf(line) + line.text.length))
  const valueWidth = Math.max(valueMin, ...shown.map(({ value }) => value.length))
  const column = Math.min(widest + gap, screen.width - valueWidth)
  return shown.flatMap((line) => renderLine(screen, line, startOf(line), column))
}
