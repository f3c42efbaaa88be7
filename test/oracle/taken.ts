/** A call with a value for every field: at its references, at its mildest and at its worst plausible completion. */

import { dataClassifications, reversibilities } from "../../src/domain/Action.ts"
import { amountWorth, isKnownCurrency } from "./money.ts"
import { extentOrder, impactOrder, type Question } from "./Question.ts"
import { classRows, numbers } from "./files.ts"

/** How a destination or an agent is known: by history, or as the bounds suppose. */
export type Supposed = "history" | "spotless" | "new" | "new and alike" | "tried and alike" | "strange"

export interface Taken {
  readonly entities: number
  readonly records: number
  /** A decimal number of units of `currency`, exact. */
  readonly amount: string
  /** Undefined: the most valuable. */
  readonly currency: string | undefined
  readonly classification: number
  readonly reversibility: number
  readonly privilegeChange: boolean
  readonly productionImpact: boolean
  readonly destination: Supposed
  readonly agent: Supposed
}

export const countMax = Number.MAX_SAFE_INTEGER

/** A call that does several things, once with each of them first. */
export const eachInFront = (question: Question): ReadonlyArray<Question> => {
  const all = [question.words, ...question.words.others]
  return all.map((done) => {
    const { reversibility: _, ...words } = question.words
    const { class: own, impact, reversibility, soft = false } = done
    return {
      ...question,
      words: {
        ...words,
        class: own,
        impact,
        soft,
        others: all.filter((other) => other !== done),
        ...(reversibility === undefined ? {} : { reversibility })
      }
    }
  })
}

/** Exported data leaves, even if a riskier verb sets the class. */
export const ownRowOf = ({ words }: Question) => {
  const row = classRows[words.class]
  return words.alsoExports ? { ...row, egress: true, data_leaves: true } : row
}

/** The figures of the first deed. The deeds together decide what the call asks of its fields. */
export const rowOf = (question: Question) => {
  const rows = eachInFront(question).map(ownRowOf)
  const floors = rows.map((row) => reversibilities.indexOf(row.reversibility_floor))
  return {
    ...ownRowOf(question),
    harmless: rows.every(({ harmless }) => harmless),
    egress: rows.some(({ egress }) => egress),
    data_leaves: rows.some((row) => row.data_leaves),
    counts_go_together: rows.some((row) => row.counts_go_together),
    always_changes_privilege: rows.some((row) => row.always_changes_privilege),
    reversibility_floor: reversibilities[Math.max(...floors)] ?? "irreversible"
  }
}

const isSeen = (name: string | undefined): boolean =>
  name !== undefined && !/^[\s\p{Default_Ignorable_Code_Point}]*$/u.test(name)

/** The stated fields. `unknown`, blanks and invisible characters count as not stated. */
export const statedOf = ({ action }: Question) => ({
  entities: action.entitiesAffected,
  records: action.recordsAffected,
  amount: action.financialValue === undefined ? undefined : String(action.financialValue),
  currency: isKnownCurrency(action.currency) ? action.currency : undefined,
  saysCurrency: action.currency !== undefined,
  classification:
    action.dataClassification === undefined || action.dataClassification === "unknown"
      ? undefined
      : dataClassifications.indexOf(action.dataClassification),
  reversibility:
    action.reversibility === undefined || action.reversibility === "unknown"
      ? undefined
      : reversibilities.indexOf(action.reversibility),
  privilegeChange: action.privilegeChange,
  productionImpact: action.productionImpact,
  destination: isSeen(action.destination),
  agent: isSeen(action.agentId)
})

const clamp = (rank: number): number => Math.max(0, Math.min(4, rank))

/** `figure · part / whole`, rounded up, in whole numbers. */
const share = (figure: number, part: number, whole: number): number => {
  const up = (BigInt(figure) * BigInt(part) + BigInt(whole) - 1n) / BigInt(whole)
  return Number(up < BigInt(countMax) ? up : BigInt(countMax))
}

const countsOf = (question: Question): { entities: number; records: number } => {
  const { harmless } = rowOf(question)
  const recordsMin = Math.max(...eachInFront(question).map((one) => ownRowOf(one).references.records_min))
  const usual = numbers.extents[question.words.extent]
  const { entities, records } = statedOf(question)
  const separate = harmless || recordsMin > 0
  const follow = (other: number | undefined, own: number, theirs: number, alone: number): number =>
    // An assumption never contradicts what is stated: if one count is zero, the other is, too.
    other === 0 && !harmless ? 0 : other === undefined || separate ? alone : share(other, own, theirs)
  return {
    entities: entities ?? follow(records, usual.entities, usual.records, usual.entities),
    records: records ?? follow(entities, usual.records, usual.entities, Math.max(usual.records, recordsMin))
  }
}

export const atReference = (question: Question): Taken => {
  const { words } = question
  const row = rowOf(question)
  const done = eachInFront(question).map((one) => ({ ...ownRowOf(one), words: one.words }))
  const stated = statedOf(question)
  const wide = extentOrder.indexOf(words.extent) >= 2
  const lifts = done.some((one) => one.references.lifts_classification && (wide || one.data_leaves))
  const lifted = lifts && words.holds === "internal" ? 1 : 0
  const live = words.environment === "production" || words.anywhere
  const disturbs = done.some(({ references: { production_impact_from: from }, words: { impact } }) =>
    from === undefined ? false : impactOrder.indexOf(impact) >= impactOrder.indexOf(from)
  )
  const dollars = Math.max(...done.map(({ references, words: { impact } }) => references.usd[impact]))
  const hardest = done.map(({ references, words: { impact, reversibility, soft } }) =>
    reversibilities.indexOf(
      reversibility ?? (soft ? references.soft_reversibility : references.reversibility[impact])
    )
  )
  // scoring.md 3.1: an amount that is not stated is taken in USD.
  const currency = stated.amount === undefined ? "USD" : stated.currency
  return {
    ...countsOf(question),
    amount: stated.amount ?? amountWorth(dollars, currency),
    currency,
    classification: stated.classification ?? dataClassifications.indexOf(words.holds) + lifted,
    reversibility:
      stated.reversibility ?? Math.max(reversibilities.indexOf(row.reversibility_floor), ...hardest),
    privilegeChange: stated.privilegeChange ?? row.always_changes_privilege,
    productionImpact: stated.productionImpact ?? (live && disturbs),
    destination: !stated.destination && row.egress ? "new" : "history",
    agent: "history"
  }
}

/** A decimal number times or divided by a power of ten; what is divided is rounded down to whole units. */
const scaled = (decimal: string, times: number, towards: -1 | 1): string => {
  const exponent = Math.round(Math.log10(times))
  if (towards < 0) return String(Math.floor(Number(decimal) / times))
  const [digits = "0", own = "0"] = decimal.split("e")
  return `${digits}e${Number(own) + exponent}`
}

export const atPlausible = (question: Question, towards: -1 | 1): Taken => {
  const row = rowOf(question)
  const { flags, steps, times } = numbers.plausible[row.harmless ? "harmless" : "cautious"]
  const stated = statedOf(question)
  const usual = atReference(question)
  const count = (figure: number): number =>
    towards > 0 ? Math.min(countMax, figure * times) : Math.floor(figure / times)
  const worst = towards > 0
  const production = question.words.environment === "production"
  // ADR 2: the least of a missing count, with a positive one stated, is 1 where zero would contradict that one.
  const entitiesAtLeast = row.harmless || !(stated.records ?? count(usual.records)) ? 0 : 1
  const recordsAtLeast =
    row.harmless || !row.counts_go_together || !(stated.entities ?? count(usual.entities)) ? 0 : 1
  return {
    entities: stated.entities ?? Math.max(entitiesAtLeast, count(usual.entities)),
    records: stated.records ?? Math.max(recordsAtLeast, count(usual.records)),
    amount: stated.amount ?? scaled(usual.amount, times, towards),
    currency: usual.currency,
    classification: stated.classification ?? clamp(usual.classification + towards * steps),
    reversibility: stated.reversibility ?? clamp(usual.reversibility + towards * steps),
    privilegeChange: stated.privilegeChange ?? (worst && usual.privilegeChange),
    productionImpact: stated.productionImpact ?? (worst && (usual.productionImpact || (flags && production))),
    destination: !stated.destination && !worst ? "spotless" : usual.destination,
    agent: usual.agent
  }
}
