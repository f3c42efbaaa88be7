/** Lints for the catalogue of a policy set: entries that are expired, have no effect, are milder than intended, or have no case that shows their effect. */

import {
  entriesOfCall,
  keyOfSubject,
  prepareOrganizationCatalogue
} from "../../scoring/knowledge/OrganizationCatalogue.ts"
import { extents, impacts } from "../../scoring/reading/Act.ts"
import { readCall } from "../../scoring/reading/readCall.ts"
import { actionClasses, dataClassifications, reversibilities } from "../../domain/Action.ts"
import { type FileProblem, type Finding, inFile } from "../Finding.ts"
import type { WrittenEntry } from "../files/catalogueFile.ts"
import { snakeCase } from "../files/vocabulary.ts"
import { didYouMean } from "../nearestName.ts"
import type { ExaminedFile } from "./examine.ts"
import type { RiskModel } from "../../scoring/Model.ts"
import { casesFile, noCases } from "./caseLints.ts"

type Said = Exclude<keyof WrittenEntry, "id" | "match" | "owner" | "reviewBy" | "why">

/** How risky an entry's value for each field is; undefined for fields without an order of risk. */
const riskOfSaid: Readonly<Record<Said, ((entry: WrittenEntry) => number | undefined) | undefined>> = {
  class: (entry) => rankIn(actionClasses, entry.class),
  impact: (entry) => rankIn(impacts, entry.impact),
  extent: (entry) => rankIn(extents, entry.extent),
  holds: (entry) => rankIn(dataClassifications, entry.holds),
  environment: ({ environment }) => environment && Number(environment === "production"),
  entitiesAffected: (entry) => entry.entitiesAffected,
  recordsAffected: (entry) => entry.recordsAffected,
  financialValue: (entry) => entry.financialValue,
  currency: undefined,
  destination: undefined,
  dataClassification: (entry) => rankIn(dataClassifications, entry.dataClassification),
  reversibility: (entry) => rankIn(reversibilities, entry.reversibility),
  privilegeChange: (entry) => rankIn([false, true], entry.privilegeChange),
  productionImpact: (entry) => rankIn([false, true], entry.productionImpact),
  inside: undefined
}

const rankIn = <A>(order: ReadonlyArray<A>, value: A | undefined): number | undefined =>
  value === undefined ? undefined : order.indexOf(value)

/** Whether the first entry states a milder value for a field than the second. Amounts are comparable only in one currency. */
const isMilder = (field: Said, entry: WrittenEntry, other: WrittenEntry): boolean => {
  if (field === "financialValue" && entry.currency !== other.currency) return false
  const [own, theirs] = [riskOfSaid[field]?.(entry), riskOfSaid[field]?.(other)]
  return own !== undefined && theirs !== undefined && own < theirs
}

const saidBy = (entry: WrittenEntry): ReadonlyArray<Said> =>
  (Object.keys(riskOfSaid) as ReadonlyArray<Said>).filter((field) => entry[field] !== undefined)

/** Whether the other entry states everything that this one states, and nothing milder. */
const isCovered = (entry: WrittenEntry, by: WrittenEntry): boolean =>
  entry.reviewBy <= by.reviewBy &&
  saidBy(entry).every((field) =>
    by[field] === entry[field]
      ? field !== "financialValue" || by.currency === entry.currency
      : field !== "financialValue" && isMilder(field, entry, by)
  )

const subjectOf = ({ match }: WrittenEntry): string => `${Object.keys(match)[0]} ${keyOfSubject(match)}`

/** An entry about a system counts for each name that begins with it: `acme` and `acme.conflict`. */
const asPrefix = (entry: WrittenEntry): WrittenEntry => {
  const { targetSystem } = entry.match
  return targetSystem === undefined ? entry : { ...entry, match: { prefix: targetSystem } }
}

/** For each field, an entry for the exact name takes precedence, so a careless one can undo what is stated about the whole system. */
const checkMilder = (
  entries: ReadonlyArray<WrittenEntry>,
  { lexicon: { vocabulary } }: RiskModel
): ReadonlyArray<FileProblem> => {
  const general = prepareOrganizationCatalogue(entries.map(asPrefix))
  return entries.flatMap((entry, at): ReadonlyArray<FileProblem> => {
    const { action } = entry.match
    if (action === undefined) return []
    const broad = entriesOfCall({ actionType: action }, general, vocabulary, undefined)?.broad ?? []
    return entries
      .filter(({ id }) => broad.some((other) => other.id === id))
      .flatMap((other) =>
        saidBy(entry)
          .filter((field) => isMilder(field, entry, other))
          .map((field) => ({
            rule: "milder-than-general" as const,
            path: ["entries", at, snakeCase(field)],
            message: `is milder than \`${other.id}\`, which covers all of it: for this name the milder value counts`
          }))
      )
  })
}

/** A zero is read as "moves no money", although authors often mean "no amount is known". */
const checkPayments = (
  entries: ReadonlyArray<WrittenEntry>,
  { lexicon }: RiskModel
): ReadonlyArray<FileProblem> =>
  entries.flatMap((entry, at): ReadonlyArray<FileProblem> => {
    const { action } = entry.match
    if (entry.financialValue !== 0 || action === undefined) return []
    if (readCall({ actionType: action, environment: "production" }, lexicon, entry).class !== "transact")
      return []
    const message = "says that a payment moves nothing: write the most that it can move, or leave it out"
    return [{ rule: "payment-of-nothing", path: ["entries", at, "financial_value"], message }]
  })

/** Among equally specific entries the riskier value counts, so an entry that states nothing riskier never decides anything. */
const checkShadowed = (entries: ReadonlyArray<WrittenEntry>): ReadonlyArray<FileProblem> =>
  entries.flatMap((entry, at) => {
    const rival = entries.find(
      (other, place) =>
        other !== entry &&
        subjectOf(other) === subjectOf(entry) &&
        isCovered(entry, other) &&
        // If two entries state the same, the later one is superfluous.
        (place < at || !isCovered(other, entry))
    )
    if (rival === undefined) return []
    const message = `never decides anything: \`${rival.id}\` has the same match and the same values`
    return [{ rule: "shadowed", path: ["entries", at], message }]
  })

const checkDates = (entries: ReadonlyArray<WrittenEntry>, today: string): ReadonlyArray<FileProblem> =>
  entries.flatMap(({ reviewBy }, at) =>
    reviewBy >= today
      ? []
      : [
          {
            rule: "expired-entry",
            path: ["entries", at, "review_by"],
            message: `the entry has had no effect since ${reviewBy}: review it, and set a new date`
          }
        ]
  )

/** Reports entries about a name that change the act more than the words of the name allow. */
const checkSteps = (
  entries: ReadonlyArray<WrittenEntry>,
  { lexicon }: RiskModel
): ReadonlyArray<FileProblem> =>
  entries.flatMap((entry, at): ReadonlyArray<FileProblem> => {
    const { action } = entry.match
    if (action === undefined) return []
    const bare = { actionType: action, environment: "production" } as const
    const [read, known] = [readCall(bare, lexicon), readCall(bare, lexicon, entry)]
    const isTooFar = (field: "class" | "impact") =>
      entry[field] !== undefined && known[field] !== entry[field]
    const field = (["class", "impact"] as const).find(isTooFar)
    if (field === undefined) return []
    const message = `has no effect: the name is read as ${read.class} with impact ${read.impact}, and an entry can lower that by one step at most`
    return [{ rule: "class-too-far", path: ["entries", at, field], message }]
  })

const checkCurrencies = (
  entries: ReadonlyArray<WrittenEntry>,
  { currencies }: RiskModel
): ReadonlyArray<FileProblem> =>
  entries.flatMap(({ currency }, at): ReadonlyArray<FileProblem> => {
    if (currency === undefined || currencies.table.has(currency)) return []
    const { hint, suggested } = didYouMean(currency, [...currencies.table.keys()])
    const message = `unknown currency \`${currency}\`${hint}: the entry has no amount`
    return [{ rule: "unknown-code", path: ["entries", at, "currency"], message, ...suggested }]
  })

const checkCases = (
  file: string,
  entries: ReadonlyArray<WrittenEntry>,
  examined: ReadonlyArray<ExaminedFile>
): ReadonlyArray<Finding> => {
  const own = examined.find((other) => other.file === casesFile(file))
  if (own === undefined) return [noCases(file)]
  return entries
    .filter(({ id }) => own.entriesInCases?.has(id) === false)
    .map(({ id }) => ({
      rule: "no-must-case",
      file: casesFile(file),
      path: ["cases"],
      message: `no case says where \`${id}\` must count`
    }))
}

/** `model`: null if the working rules are unreadable. `today`: an ISO date; null skips the check of review dates. */
export const catalogueFindings = (
  examined: ReadonlyArray<ExaminedFile>,
  model: RiskModel | null,
  today: string | null
): ReadonlyArray<Finding> =>
  examined.flatMap(({ entries, file }) => {
    if (entries === undefined) return []
    const ofModel = model === null ? [] : [checkSteps, checkMilder, checkPayments, checkCurrencies]
    return [
      ...inFile(file, [
        ...checkShadowed(entries),
        ...(today === null ? [] : checkDates(entries, today)),
        ...ofModel.flatMap((check) => (model === null ? [] : check(entries, model)))
      ]),
      ...checkCases(file, entries, examined)
    ]
  })
