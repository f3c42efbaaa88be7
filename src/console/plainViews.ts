/** Turns the screens' data about rules, evidence and history into plain views for the pages. */

import type { OwnBacktest } from "../assessment/OwnHistory.ts"
import type { CallExplanation } from "../evidence/recorded/reconsider.ts"
import { describeAtom, shortText } from "../rules/explain/describeCondition.ts"
import { byNearness, lacking, type Trace } from "../rules/explain/explainRules.ts"
import type { Condition } from "../rules/language/Rule.ts"
import type { DescribedRule, DescribedVersion } from "../rules/library/describeReleases.ts"
import type { ReleaseComparison } from "../rules/library/RuleLibrary.ts"
import { byPoints, moveBetween, type ScoreAndControl } from "../rules/ScoreAndControl.ts"
import { renderFigure } from "../scoring/renderMessage.ts"
import type { StoredEvidence } from "../storage/assessments/AssessmentRecord.ts"
import { hex } from "../storage/sha256.ts"
import type { ConditionView } from "./parts/conditions.ts"
import type { ComparisonView } from "./pages/comparePage.ts"
import type { ReleaseView, RuleTextView } from "./pages/rulesPages.ts"
import type { ExplanationView, ToldPart } from "./parts/factors.ts"
import type { OwnHistoryResult } from "./parts/ownHistory.ts"
import type { EvidenceRecord } from "./parts/records.ts"

/** Omits the outermost `all`, because every condition has it. */
const withoutRoot = (tree: ConditionView): ReadonlyArray<ConditionView> =>
  tree.terms !== undefined && tree.text === "all of" ? tree.terms : [tree]

const traced = (tree: Trace): ConditionView => {
  if (tree.kind !== "atom")
    return {
      text: tree.kind === "all" ? "all of" : "any of",
      holds: tree.result,
      terms: tree.terms.map(traced)
    }
  const { actual, assumed = false, atom, result, shortBy } = tree
  const short = shortBy === undefined ? null : shortText(atom.fact, shortBy)
  return {
    text: describeAtom(atom),
    holds: result,
    saw: { text: renderFigure(atom.fact, actual), assumed, short }
  }
}

/** The view of a condition that was not evaluated. */
const stated = (condition: Condition): ConditionView => {
  if ("all" in condition) return { text: "all of", terms: condition.all.map(stated) }
  if ("any" in condition) return { text: "any of", terms: condition.any.map(stated) }
  return { text: describeAtom(condition) }
}

const nearOf = (tree: Trace): { readonly about: string; readonly short: string } => {
  const [only] = lacking(tree)
  return {
    about: only === undefined ? "" : describeAtom(only.atom),
    short: only?.shortBy === undefined ? "" : shortText(only.atom.fact, only.shortBy)
  }
}

const toldPart = ({
  class: own,
  counts,
  field,
  impact,
  line,
  lowers,
  said
}: CallExplanation["evidence"][number]): ToldPart => ({
  where: field,
  said,
  effect: [lowers ? "lowers it to" : "", impact ?? "", own ?? ""].filter((word) => word !== "").join(" "),
  impact: lowers ? null : (impact ?? null),
  line,
  counts
})

/** Near misses come last, closest first; the other rules keep their order. */
export const explanationView = ({
  evidence,
  firstScores,
  rules,
  texts
}: CallExplanation): ExplanationView => {
  const isNear = ({ near, tree }: CallExplanation["rules"][number]) => near && !tree.result
  return {
    told: evidence.map(toldPart),
    firstScores,
    texts,
    rules: [...rules.filter((rule) => !isNear(rule)), ...rules.filter(isNear).toSorted(byNearness)].map(
      (rule) => ({
        kind: rule.kind,
        code: rule.code,
        name: rule.name,
        gives: rule.gives,
        holds: rule.tree.result,
        near: isNear(rule) ? nearOf(rule.tree) : null,
        conditions: withoutRoot(traced(rule.tree))
      })
    )
  }
}

export const evidenceRecord = (stored: StoredEvidence): EvidenceRecord => ({
  seal: stored.seal && {
    sequence: stored.seal.sequence,
    sealedAt: stored.seal.sealedAt.toISOString(),
    previousDigest: hex(stored.seal.previousDigest),
    entryDigest: hex(stored.seal.entryDigest)
  },
  digests: {
    request: hex(stored.inputDigest),
    answer: hex(stored.resultDigest),
    rules: hex(stored.rulesDigest),
    policies: hex(stored.policyDigest)
  },
  history:
    stored.behaviorSnapshot === null
      ? "It could not be read."
      : JSON.stringify(JSON.parse(Buffer.from(stored.behaviorSnapshot).toString()), null, 2)
})

export const ruleText = ({ branches, ...rule }: DescribedRule): RuleTextView => ({
  ...rule,
  branches: branches.map(({ condition, ...branch }) => ({
    ...branch,
    conditions: withoutRoot(stated(condition))
  }))
})

export const releaseView = ({ rules, ...version }: DescribedVersion): ReleaseView => ({
  ...version,
  rules: rules.map(ruleText)
})

interface Compared {
  readonly from: ScoreAndControl
  readonly to: ScoreAndControl
}

const moved = <A extends Compared>(compared: A) => ({
  ...compared,
  ...moveBetween(compared.from, compared.to)
})

const noMove = { points: 0, steps: 0 }

/** Deepest fall first, because a reviewer must see it. */
export const comparisonView = (comparison: ReleaseComparison | null): ComparisonView | null => {
  if (comparison?.state !== "done") return comparison
  const changes = comparison.diff.changes.map(({ risingWitness, witness, ...change }) => ({
    ...change,
    witnesses: [witness, risingWitness].flatMap((one) => (one === undefined ? [] : [moved(one)]))
  }))
  return {
    state: "done",
    changes: changes.toSorted((a, b) => byPoints(a.witnesses[0] ?? noMove, b.witnesses[0] ?? noMove))
  }
}

export const ownHistoryResult = (own: OwnBacktest | null): OwnHistoryResult | null => {
  if (own?.state !== "done") return own
  const { actions, counts, transitions } = own.backtest
  return {
    state: "done",
    isAll: own.isAll,
    backtest: {
      counts,
      transitions,
      actions: actions.map(({ largest, ...action }) => ({ ...action, largest: moved(largest) }))
    }
  }
}
