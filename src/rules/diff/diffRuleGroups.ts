/** Factors, typologies and policy rules that were added, removed or changed: where they raise more or less, exactly, and how to show it. */

import { isDeepStrictEqual } from "node:util"
import { controlTypes, severities } from "../../domain/Opinion.ts"
import { byCodeUnit } from "../../json/json.ts"
import type { Numbers } from "../../scoring/Model.ts"
import type { Matches } from "../../scoring/actionRisk.ts"
import { policyRuleGroups, releaseRuleGroups, type Rulebook, type RuleGroup } from "../Rulebook.ts"
import type { Box } from "../analysis/Box.ts"
import { all, any, not, type Term, termOf } from "../analysis/Term.ts"
import { possibleFacts } from "../analysis/possibleFacts.ts"
import { boxesWhere, findFacts } from "../analysis/satisfiability.ts"
import type { Situation } from "../cases/Situation.ts"
import type { SourceFile } from "../files/readTree.ts"
import type { Rule } from "../language/Rule.ts"
import { compilePolicies, compileRules } from "../language/compile.ts"
import { changeKindOf, type ChangeSearch, type ChangeToShow } from "./Diff.ts"
import { describeTextChanges } from "./changedPaths.ts"
import { describeGroupChange, describeRule } from "./describeRuleChange.ts"

interface GroupEntry {
  readonly ladder: RuleGroup
  readonly json: unknown
}
type Entries = ReadonlyMap<string, GroupEntry>

const entriesOf = ({ policies, release }: Rulebook): Entries => {
  const { factors, typologies } = release.files
  const sources: ReadonlyArray<SourceFile> = [...factors, ...typologies, ...policies.files.rules]
  const jsonOf = new Map(sources.map(({ json, name }) => [name, json]))
  const ladders: ReadonlyArray<RuleGroup> = [...releaseRuleGroups(release), ...policyRuleGroups(policies)]
  return new Map(ladders.map((ladder) => [ladder.code, { ladder, json: jsonOf.get(ladder.code) }]))
}

const nouns: Readonly<Record<RuleGroup["kind"], string>> = {
  factor: "factor",
  typology: "typology",
  policy: "policy rule"
}

const noTexts = { phrases: [], details: [] }

const lines = (label: string, ladder: RuleGroup | undefined): ReadonlyArray<string> =>
  ladder === undefined ? [] : ladder.rules.map((rule) => `${label} ${describeRule(rule)}`)

const canRaise = ({ rules }: RuleGroup): boolean => rules.some((rule) => !isSame(gradeOf(rule), noGrade))

const rulesOf = ({ rules }: RuleGroup): string => rules.map(describeRule).join("; ")

/** What became of the rules, in plain words; nothing where only words changed. */
const phrasesOf = (from: RuleGroup | undefined, to: RuleGroup | undefined): ReadonlyArray<string> => {
  if (from !== undefined && to !== undefined) return describeGroupChange(from, to)
  if (to !== undefined) return [`new ${nouns[to.kind]}: ${rulesOf(to)}`]
  return from === undefined ? [] : [`${nouns[from.kind]} removed: was ${rulesOf(from)}`]
}

const changeOf = (
  code: string,
  from: GroupEntry | undefined,
  to: GroupEntry | undefined,
  numbers: ReadonlyArray<Numbers>
): ReadonlyArray<ChangeToShow> => {
  const ladder = to?.ladder ?? from?.ladder
  if (ladder === undefined || isDeepStrictEqual(from?.json, to?.json)) return []
  const comparison = compareRuleGroups(from?.ladder, to?.ladder, numbers)
  const kind = changeKindOf(comparison.up.length > 0, comparison.down.length > 0)
  const texts = from === undefined || to === undefined ? noTexts : describeTextChanges(from.json, to.json)
  const phrases = phrasesOf(from?.ladder, to?.ladder)
  const rewritten = kind === "text" && phrases.length > 0 && canRaise(ladder)
  const told = rewritten ? ["raises the same, written differently"] : phrases
  const rules = [...lines("was", from?.ladder), ...lines("is", to?.ladder)]
  return [
    {
      code,
      kind,
      file: ladder.file,
      summary: [...told, ...texts.phrases].join("; ") || "written differently",
      details: [...(phrases.length > 0 ? rules : []), ...texts.details],
      search: kind === "text" ? null : searchRuleGroup(ladder, comparison)
    }
  ]
}

export const diffRuleGroups = (from: Rulebook, to: Rulebook): ReadonlyArray<ChangeToShow> => {
  const [before, after] = [entriesOf(from), entriesOf(to)]
  const [a, b] = [from.release.model.numbers, to.release.model.numbers]
  const numbers = isDeepStrictEqual(a, b) ? [b] : [b, a]
  return [...new Set([...before.keys(), ...after.keys()])]
    .toSorted(byCodeUnit)
    .flatMap((code) => changeOf(code, before.get(code), after.get(code), numbers))
}

/** Where one ladder of rules raises more, or less, than another: exactly, over all facts that a score can ask. */
interface GradeRegion {
  readonly grade: Grade
  /** Exactly where this grade counts: no stronger one holds there. */
  readonly where: Term
}

interface GradeShift {
  readonly from: Grade
  readonly to: Grade
  readonly where: Term
}

interface GroupComparison {
  /** Where something rises; a shift may do both. */
  readonly up: ReadonlyArray<GradeShift>
  readonly down: ReadonlyArray<GradeShift>
}

/** Of no ladder at all: one rung that always holds and raises nothing. */
const gradeRegions = (ladder: RuleGroup | undefined): ReadonlyArray<GradeRegion> => {
  const rules = (ladder?.rules ?? []).map((rule) => ({ grade: gradeOf(rule), term: termOf(rule.condition) }))
  const strongestFirst = [...rules, { grade: noGrade, term: all() }].toSorted((a, b) =>
    byGrade(a.grade, b.grade)
  )
  return strongestFirst.map(({ grade, term }, i) => ({
    grade,
    where: all(term, ...strongestFirst.slice(0, i).map((stronger) => not(stronger.term)))
  }))
}

/** Whatever either score can ask; where that cannot be decided in time, there could be something. */
const isSomewhere = (term: Term, numbers: ReadonlyArray<Numbers>): boolean =>
  findFacts(all(term, any(...numbers.map(possibleFacts)))) !== "none"

const compareRuleGroups = (
  from: RuleGroup | undefined,
  to: RuleGroup | undefined,
  numbers: ReadonlyArray<Numbers>
): GroupComparison => {
  const shifts = gradeRegions(from).flatMap((before) =>
    gradeRegions(to).flatMap((after): ReadonlyArray<GradeShift> => {
      if (isSame(before.grade, after.grade)) return []
      const where = all(before.where, after.where)
      return isSomewhere(where, numbers) ? [{ from: before.grade, to: after.grade, where }] : []
    })
  )
  return {
    up: shifts.filter((shift) => risesAnywhere(shift.from, shift.to)),
    down: shifts.filter((shift) => risesAnywhere(shift.to, shift.from))
  }
}

/** How much a rule raises where it holds, as figures that can each only be more or less. */
interface Grade {
  /** 0 for none, then the severities from low on. */
  readonly severity: number
  readonly hazardBp: number
  /** Points. */
  readonly floor: number
  /** 0 for none, then the controls from the weakest on. */
  readonly control: number
}

/** Where nothing holds, or what holds only annotates or recommends. */
const noGrade: Grade = { severity: 0, hazardBp: 0, floor: 0, control: 0 }

const gradeOf = ({ match }: Pick<RuleGroup["rules"][number], "match">): Grade => {
  if ("code" in match) {
    return { ...noGrade, severity: severities.indexOf(match.severity) + 1, hazardBp: match.hazardBp }
  }
  if ("name" in match) return { ...noGrade, floor: match.floor }
  return {
    ...noGrade,
    severity: match.factor === undefined ? 0 : severities.indexOf(match.factor.severity) + 1,
    floor: match.floor ?? 0,
    control: match.control === undefined ? 0 : controlTypes.indexOf(match.control) + 1
  }
}

const gradeParts = ["severity", "hazardBp", "floor", "control"] as const

const risesAnywhere = (from: Grade, to: Grade): boolean => gradeParts.some((name) => to[name] > from[name])

const isSame = (a: Grade, b: Grade): boolean => gradeParts.every((name) => a[name] === b[name])

/** Strongest first, as an opinion counts them: severity, then hazard. */
const byGrade = (a: Grade, b: Grade): number =>
  b.severity - a.severity || b.hazardBp - a.hazardBp || b.floor - a.floor || b.control - a.control

/** How a request is found that shows what became of one factor, typology or policy rule. */
const boxesPerShiftMax = 40

/** Boxes in which the two ladders differ. */
function* boxesIn(shifts: ReadonlyArray<GradeShift>): Generator<Box> {
  for (const { where } of shifts) {
    let left = boxesPerShiftMax
    for (const box of boxesWhere(where)) {
      if (box !== null) yield box
      if (--left <= 0) break
    }
  }
}

type ShiftDirection = "up" | "down" | "any"

const isShift = (way: ShiftDirection, from: Grade, to: Grade): boolean => {
  if (way === "any") return !isSame(from, to)
  return way === "up" ? risesAnywhere(from, to) : risesAnywhere(to, from)
}

/** A fall is what a reviewer has to see first, so a change that does both shows its fall where it can. */
const searchRuleGroup = ({ code, kind }: RuleGroup, { down, up }: GroupComparison): ChangeSearch => ({
  shows: ({ eyes, from, to }) => {
    const way = down.length > 0 ? "down" : "up"
    const alone = withRuleGroup(from, to, kind, code)
    const gradeIn = (book: Rulebook, situation: Situation) =>
      raisedGrade(eyes(book, situation).matches, kind, code)
    const shifts = (situation: Situation, towards: ShiftDirection) =>
      isShift(towards, gradeIn(from, situation), gradeIn(to, situation))
    const gap = (situation: Situation, then = to) => eyes(then, situation).score - eyes(from, situation).score
    const moves = (situation: Situation, then = to) =>
      way === "up" ? gap(situation, then) > 0 : gap(situation, then) < 0
    return [
      (situation) => shifts(situation, way) && moves(situation) && moves(situation, alone),
      (situation) => shifts(situation, way) && moves(situation),
      (situation) => shifts(situation, "any") && gap(situation) !== 0,
      (situation) => shifts(situation, way),
      (situation) => shifts(situation, "any")
    ]
  },
  known: ({ lifelike }) => lifelike,
  boxes: () => boxesIn([...down, ...up])
})

/** What one factor, typology or policy rule has raised, by the matches of an opinion. */
const raisedGrade = ({ policies, rules }: Matches, kind: RuleGroup["kind"], code: string): Grade => {
  const match =
    kind === "factor"
      ? rules.factors.find((one) => one.code === code)
      : kind === "typology"
        ? rules.typologies.find(({ name }) => name === code)
        : policies.matched.find(({ rule }) => rule === code)
  return match === undefined ? noGrade : gradeOf({ match })
}

/** A rulebook with one factor, typology or policy rule of another's, so that a request can be seen to differ by that alone. */
const replacedRules = <R extends Rule<unknown>>(
  before: ReadonlyArray<R>,
  after: ReadonlyArray<R>,
  isIt: (rule: R) => boolean
): ReadonlyArray<R> => [...before.filter((rule) => !isIt(rule)), ...after.filter(isIt)]

const withRuleGroup = (from: Rulebook, to: Rulebook, kind: RuleGroup["kind"], code: string): Rulebook => {
  const { policies, release } = from
  if (kind === "policy") {
    const rules = replacedRules(policies.rules, to.policies.rules, ({ match }) => match.rule === code)
    const match = compilePolicies(rules)
    return { ...from, policies: { ...policies, rules, policySet: { ...policies.policySet, match } } }
  }
  const { factors, typologies } = to.release.rules
  const rules =
    kind === "factor"
      ? {
          ...release.rules,
          factors: replacedRules(release.rules.factors, factors, ({ match }) => match.code === code)
        }
      : {
          ...release.rules,
          typologies: replacedRules(release.rules.typologies, typologies, ({ match }) => match.name === code)
        }
  return { ...from, release: { ...release, rules, model: { ...release.model, match: compileRules(rules) } } }
}
