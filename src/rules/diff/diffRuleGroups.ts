/** Factors, typologies and policy rules that were added, removed or changed: for which facts they raise more or less, and a request that demonstrates it. */

import { isDeepStrictEqual } from "node:util"
import { controlTypes, severities } from "../../domain/Opinion.ts"
import { byCodeUnit } from "../../json/json.ts"
import {
  policyRuleGroups,
  releaseRuleGroups,
  type Rulebook,
  type RuleGroup,
  scoringWithGroup
} from "../Rulebook.ts"
import type { Box } from "../analysis/Box.ts"
import { all, any, not, type Term, termOf } from "../analysis/Term.ts"
import { possibleFacts } from "../analysis/possibleFacts.ts"
import { isStaged } from "../../scoring/control.ts"
import { confirmationRank, rankOfSeverity, silenceOf, silences } from "../ScoreAndControl.ts"
import { boxesWhere, findFacts } from "../analysis/satisfiability.ts"
import type { Situation } from "../cases/Situation.ts"
import { scoreIn, type SituationScore } from "../counterexample/findWitness.ts"
import type { SourceFile } from "../files/readTree.ts"
import { changeKindOf, type ChangeSearch, type ChangeToShow, moveIn, moves, movesScore } from "./Diff.ts"
import { describeTextChanges } from "./changedPaths.ts"
import { describeGroupChange, describeRule } from "./describeRuleChange.ts"

const entriesOf = ({ policies, release }: Rulebook) => {
  const { factors, typologies } = release.files
  const sources: ReadonlyArray<SourceFile> = [...factors, ...typologies, ...policies.files.rules]
  const jsonOf = new Map(sources.map(({ json, name }) => [name, json]))
  const groups: ReadonlyArray<RuleGroup> = [...releaseRuleGroups(release), ...policyRuleGroups(policies)]
  return new Map(groups.map((group) => [group.code, { group, json: jsonOf.get(group.code) }]))
}

type GroupEntry = ReturnType<typeof entriesOf> extends Map<string, infer Entry> ? Entry : never

const nouns: Readonly<Record<RuleGroup["kind"], string>> = {
  factor: "factor",
  typology: "typology",
  policy: "policy rule"
}

const noTexts = { phrases: [], details: [] }

const lines = (label: string, group: RuleGroup | undefined): ReadonlyArray<string> =>
  group === undefined ? [] : group.rules.map((rule) => `${label} ${describeRule(rule)}`)

const canRaise = ({ rules }: RuleGroup): boolean => rules.some((rule) => !isSame(gradeOf(rule), noGrade))

const rulesOf = ({ rules }: RuleGroup): string => rules.map(describeRule).join("; ")

/** How the rules changed, in plain words; empty if only texts changed. */
const phrasesOf = (from: RuleGroup | undefined, to: RuleGroup | undefined): ReadonlyArray<string> => {
  if (from !== undefined && to !== undefined) return describeGroupChange(from, to)
  if (to !== undefined) return [`new ${nouns[to.kind]}: ${rulesOf(to)}`]
  return from === undefined ? [] : [`${nouns[from.kind]} removed: was ${rulesOf(from)}`]
}

const changeOf = (
  code: string,
  from: GroupEntry | undefined,
  to: GroupEntry | undefined,
  possible: Term
): ReadonlyArray<ChangeToShow> => {
  const group = to?.group ?? from?.group
  if (group === undefined || isDeepStrictEqual(from?.json, to?.json)) return []
  const comparison = compareRuleGroups(from?.group, to?.group, possible)
  const kind = changeKindOf(comparison.up.length > 0, comparison.down.length > 0)
  const texts = from === undefined || to === undefined ? noTexts : describeTextChanges(from.json, to.json)
  const phrases = phrasesOf(from?.group, to?.group)
  const rewritten = kind === "text" && phrases.length > 0 && canRaise(group)
  const ruleChanges = rewritten ? ["raises the same, written differently"] : phrases
  const rules = [...lines("was", from?.group), ...lines("is", to?.group)]
  const changed = to?.group ?? { ...group, rules: [] }
  return [
    {
      code,
      kind,
      file: group.file,
      summary: [...ruleChanges, ...texts.phrases].join("; ") || "written differently",
      details: [...(phrases.length > 0 ? rules : []), ...texts.details],
      search: kind === "text" ? null : searchRuleGroup(changed, comparison)
    }
  ]
}

export const diffRuleGroups = (from: Rulebook, to: Rulebook): ReadonlyArray<ChangeToShow> => {
  const [before, after] = [entriesOf(from), entriesOf(to)]
  const possible = possibleInEither(from, to)
  return [...new Set([...before.keys(), ...after.keys()])]
    .toSorted(byCodeUnit)
    .flatMap((code) => changeOf(code, before.get(code), after.get(code), possible))
}

/** The facts that are possible under either rulebook. */
const possibleInEither = (from: Rulebook, to: Rulebook): Term => {
  const [one, other] = [possibleFacts(to.release.model.numbers), possibleFacts(from.release.model.numbers)]
  return one === other ? one : any(one, other)
}

/** The facts for which one grade became another. */
interface GradeShift {
  readonly from: Grade
  readonly to: Grade
  readonly where: Term
}

/** Each grade with the facts for which it applies: a rule of this grade holds, and no stronger one does. */
const gradeRegions = (group: RuleGroup | undefined) => {
  const rules = (group?.rules ?? []).map((rule) => ({ grade: gradeOf(rule), term: termOf(rule.condition) }))
  const strongestFirst = [...rules, { grade: noGrade, term: all() }].toSorted((a, b) =>
    byGrade(a.grade, b.grade)
  )
  return strongestFirst.map(({ grade, term }, i) => ({
    grade,
    where: all(term, ...strongestFirst.slice(0, i).map((stronger) => not(stronger.term)))
  }))
}

/** Whether the term holds for some possible facts, or may hold because the analysis ran out of steps. */
const isSomewhere = (term: Term, possible: Term): boolean => findFacts(all(term, possible)) !== "none"

/** All shifts between two groups of rules over all possible facts: those that raise some part of the grade, and those that lower one. */
const compareRuleGroups = (from: RuleGroup | undefined, to: RuleGroup | undefined, possible: Term) => {
  const shifts = gradeRegions(from).flatMap((before) =>
    gradeRegions(to).flatMap((after): ReadonlyArray<GradeShift> => {
      if (isSame(before.grade, after.grade)) return []
      const where = all(before.where, after.where)
      return isSomewhere(where, possible) ? [{ from: before.grade, to: after.grade, where }] : []
    })
  )
  return {
    up: shifts.filter((shift) => risesAnywhere(shift.from, shift.to)),
    down: shifts.filter((shift) => risesAnywhere(shift.to, shift.from))
  }
}

type GroupComparison = ReturnType<typeof compareRuleGroups>

/** How much a rule raises if it holds, as numbers for which higher is riskier. */
interface Grade {
  /** 0 for none, then the severities in ascending order. */
  readonly severity: number
  readonly hazardBp: number
  /** In points. */
  readonly floor: number
  /** 0 for none, then the controls, weakest first. */
  readonly control: number
  /** 0 if the rule replaces the confirmation of a moderate level by staged execution, otherwise 1. */
  readonly firmness: number
  /** For how many acts it counts even if it rests on an assumption. 0 for none, and if no rule holds. */
  readonly counts: number
}

/** The grade if no rule holds, and the grade of a rule that only annotates or recommends. */
const noGrade: Grade = { severity: 0, hazardBp: 0, floor: 0, control: 0, firmness: 1, counts: 0 }

const gradeOf = ({ match }: Pick<RuleGroup["rules"][number], "match">): Grade => {
  if ("code" in match) {
    const eases = isStaged(match) && rankOfSeverity(match.severity) < confirmationRank
    return {
      ...noGrade,
      severity: severities.indexOf(match.severity) + 1,
      hazardBp: match.hazardBp,
      firmness: eases ? 0 : 1,
      counts: silences.length - silences.indexOf(silenceOf(match))
    }
  }
  if ("name" in match) return { ...noGrade, floor: match.floor }
  return {
    ...noGrade,
    severity: match.factor === undefined ? 0 : severities.indexOf(match.factor.severity) + 1,
    floor: match.floor ?? 0,
    control: match.control === undefined ? 0 : controlTypes.indexOf(match.control) + 1
  }
}

const gradeParts = ["severity", "hazardBp", "floor", "control", "firmness", "counts"] as const

const risesAnywhere = (from: Grade, to: Grade): boolean => gradeParts.some((name) => to[name] > from[name])

const isSame = (a: Grade, b: Grade): boolean => gradeParts.every((name) => a[name] === b[name])

/** Strongest first, in the order of an opinion: severity, then hazard. */
const byGrade = (a: Grade, b: Grade): number =>
  b.severity - a.severity || b.hazardBp - a.hazardBp || b.floor - a.floor || b.control - a.control

const boxesPerShiftMax = 40

/** Boxes of facts for which the two groups of rules differ. */
function* boxesIn(shifts: ReadonlyArray<GradeShift>): Generator<Box> {
  for (const { where } of shifts) {
    let remaining = boxesPerShiftMax
    for (const box of boxesWhere(where)) {
      if (box !== null) yield box
      if (--remaining <= 0) break
    }
  }
}

type ShiftDirection = "up" | "down" | "any"

const isShift = (direction: ShiftDirection, from: Grade, to: Grade): boolean => {
  if (direction === "any") return !isSame(from, to)
  return direction === "up" ? risesAnywhere(from, to) : risesAnywhere(to, from)
}

/** `changed`: the group in the second rulebook; without rules if it was removed. */
const searchRuleGroup = (changed: RuleGroup, { down, up }: GroupComparison): ChangeSearch => ({
  shows: (context, towards) => {
    const { from, to } = context
    const direction = towards === "lower" ? "down" : "up"
    const gradeIn = (book: Rulebook, situation: Situation) =>
      raisedGrade(scoreIn(book, situation).matches, changed.code)
    const shifts = (situation: Situation, way: ShiftDirection) =>
      isShift(way, gradeIn(from, situation), gradeIn(to, situation))
    const move = moveIn(context)
    const moveAlone = moveIn({ from, to: withRuleGroup(from, changed) })
    const tellsOtherwise = (situation: Situation) =>
      scoreIn(from, situation).told !== scoreIn(to, situation).told
    const shows = (goes: typeof moves) => [
      (situation: Situation) =>
        shifts(situation, direction) && goes(move(situation), towards) && goes(moveAlone(situation), towards),
      (situation: Situation) => shifts(situation, direction) && goes(move(situation), towards)
    ]
    return [
      ...shows(movesScore),
      ...shows(moves),
      (situation) => shifts(situation, "any") && move(situation).points !== 0,
      // An opinion reports only one of several factors about one subject, so a shift need not be visible.
      (situation) => shifts(situation, direction) && tellsOtherwise(situation),
      (situation) => shifts(situation, "any") && tellsOtherwise(situation),
      (situation) => shifts(situation, direction),
      (situation) => shifts(situation, "any")
    ]
  },
  known: ({ samples }) => samples,
  boxes: (towards) => boxesIn(towards === "lower" ? [...down, ...up] : [...up, ...down])
})

/** The grade with which the factor, typology or policy rule `code` matched, or `noGrade` if it did not match. */
const raisedGrade = ({ policies, rules }: SituationScore["matches"], code: string): Grade => {
  const match =
    rules.factors.find((factor) => factor.code === code) ??
    rules.typologies.find(({ name }) => name === code) ??
    policies.matched.find(({ rule }) => rule === code)
  return match === undefined ? noGrade : gradeOf({ match })
}

/** The rulebook with one group of rules replaced, to show that this change alone moves the score. */
const withRuleGroup = (book: Rulebook, group: RuleGroup): Rulebook => {
  const { policies, release } = book
  const { model, policySet } = scoringWithGroup(
    { model: release.model, policySet: policies.policySet },
    group
  )
  return { ...book, release: { ...release, model }, policies: { ...policies, policySet } }
}
