/** Where one ladder of rules raises more, or less, than another: exactly, over all facts that a score can ask. */

import type { Numbers } from "../../scoring/Model.ts"
import { findFacts } from "../analysis/findFacts.ts"
import { possible } from "../analysis/possible.ts"
import { all, any, not, type Term, termOf } from "../analysis/Term.ts"
import type { Ladder } from "../ladders.ts"
import { byGrade, type Grade, gradeOf, isSame, nothing, risesAnywhere } from "./grade.ts"

interface Rung {
  readonly grade: Grade
  /** Exactly where this grade counts: no stronger one holds there. */
  readonly where: Term
}

export interface Shift {
  readonly from: Grade
  readonly to: Grade
  readonly where: Term
}

export interface Comparison {
  /** Where something rises; a shift may do both. */
  readonly up: ReadonlyArray<Shift>
  readonly down: ReadonlyArray<Shift>
}

/** Of no ladder at all: one rung that always holds and raises nothing. */
const rungsOf = (ladder: Ladder | undefined): ReadonlyArray<Rung> => {
  const rules = (ladder?.rules ?? []).map((rule) => ({ grade: gradeOf(rule), term: termOf(rule.condition) }))
  const strongestFirst = [...rules, { grade: nothing, term: all() }].toSorted((a, b) =>
    byGrade(a.grade, b.grade)
  )
  return strongestFirst.map(({ grade, term }, i) => ({
    grade,
    where: all(term, ...strongestFirst.slice(0, i).map((stronger) => not(stronger.term)))
  }))
}

/** Whatever either score can ask; where that cannot be decided in time, there could be something. */
const isSomewhere = (term: Term, numbers: ReadonlyArray<Numbers>): boolean =>
  findFacts(all(term, any(...numbers.map(possible)))) !== "none"

export const compareLadders = (
  from: Ladder | undefined,
  to: Ladder | undefined,
  numbers: ReadonlyArray<Numbers>
): Comparison => {
  const shifts = rungsOf(from).flatMap((before) =>
    rungsOf(to).flatMap((after): ReadonlyArray<Shift> => {
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
