/** Lints over the catalogue of a policy set: entries past their date, without effect, milder than meant, or without a case that shows what they do. */

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

/** The other things that the lints need. */
export interface CatalogueContext {
  /** Null if the working rules cannot be read. */
  readonly model: RiskModel | null
  /** ISO date; null: dates of review are not checked. */
  readonly today: string | null
}

type Said = Exclude<keyof WrittenEntry, "id" | "match" | "owner" | "reviewBy" | "why">

/** How risky what an entry says of a field is; undefined where no value is riskier than another. */
const riskOfSaid: Readonly<Record<Said, (entry: WrittenEntry) => number | undefined>> = {
  class: (entry) => rankIn(actionClasses, entry.class),
  impact: (entry) => rankIn(impacts, entry.impact),
  extent: (entry) => rankIn(extents, entry.extent),
  holds: (entry) => rankIn(dataClassifications, entry.holds),
  environment: ({ environment }) =>
    environment === undefined ? undefined : Number(environment === "production"),
  entitiesAffected: (entry) => entry.entitiesAffected,
  recordsAffected: (entry) => entry.recordsAffected,
  financialValue: (entry) => entry.financialValue,
  currency: () => undefined,
  destination: () => undefined,
  dataClassification: (entry) => rankIn(dataClassifications, entry.dataClassification),
  reversibility: (entry) => rankIn(reversibilities, entry.reversibility),
  privilegeChange: (entry) =>
    entry.privilegeChange === undefined ? undefined : Number(entry.privilegeChange),
  productionImpact: (entry) =>
    entry.productionImpact === undefined ? undefined : Number(entry.productionImpact),
  inside: () => undefined
}

const rankIn = <A extends string>(order: ReadonlyArray<A>, value: A | undefined): number | undefined =>
  value === undefined ? undefined : order.indexOf(value)

const saidBy = (entry: WrittenEntry): ReadonlyArray<Said> =>
  (Object.keys(riskOfSaid) as ReadonlyArray<Said>).filter((field) => entry[field] !== undefined)

/** Whether everything that an entry says is said by the other one too, and never milder. */
const isCovered = (entry: WrittenEntry, by: WrittenEntry): boolean =>
  entry.reviewBy <= by.reviewBy &&
  saidBy(entry).every((field) => {
    if (by[field] === entry[field]) return field !== "financialValue" || by.currency === entry.currency
    const [own, theirs] = [riskOfSaid[field](entry), riskOfSaid[field](by)]
    return field !== "financialValue" && own !== undefined && theirs !== undefined && theirs > own
  })

const subjectOf = ({ match }: WrittenEntry): string => `${Object.keys(match)[0]} ${keyOfSubject(match)}`

/** What is said of all of a system counts as said of each name that begins with it: `acme` and `acme.conflict`. */
const asPrefix = (entry: WrittenEntry): WrittenEntry => {
  const { targetSystem } = entry.match
  return targetSystem === undefined ? entry : { ...entry, match: { prefix: targetSystem } }
}

/** The entry for the exact name counts first, field by field, so a careless one takes back what is said of all of a system. */
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
          .filter((field) => {
            if (field === "financialValue" && entry.currency !== other.currency) return false
            const [own, theirs] = [riskOfSaid[field](entry), riskOfSaid[field](other)]
            return own !== undefined && theirs !== undefined && own < theirs
          })
          .map((field) => ({
            rule: "milder-than-general" as const,
            path: ["entries", at, snakeCase(field)],
            message: `is milder than \`${other.id}\`, which speaks of the whole of it: for this name the milder value counts`
          }))
      )
  })
}

/** Reads zero as "moves no money", though who writes it often means "no amount is known". */
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

/** Of equally special entries the riskier value counts, so one that says nothing riskier never decides anything. */
const checkShadowed = (entries: ReadonlyArray<WrittenEntry>): ReadonlyArray<FileProblem> =>
  entries.flatMap((entry, at) => {
    const rival = entries.find(
      (other, place) =>
        other !== entry &&
        subjectOf(other) === subjectOf(entry) &&
        isCovered(entry, other) &&
        // Of two that say the same the later one is in excess.
        (place < at || !isCovered(other, entry))
    )
    if (rival === undefined) return []
    const message = `never decides anything: \`${rival.id}\` matches the same and says as much`
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
            message: `the entry counts for nothing since ${reviewBy}: look at it again, and give it a new date`
          }
        ]
  )

/** What an entry about one name says of the act, and what the words of the name let it say. */
const checkSteps = (
  entries: ReadonlyArray<WrittenEntry>,
  { lexicon }: RiskModel
): ReadonlyArray<FileProblem> =>
  entries.flatMap((entry, at): ReadonlyArray<FileProblem> => {
    const { action } = entry.match
    if (action === undefined) return []
    const bare = { actionType: action, environment: "production" } as const
    const [read, known] = [readCall(bare, lexicon), readCall(bare, lexicon, entry)]
    const problems: Array<FileProblem> = []
    const tooFar = (field: "class" | "impact"): void => {
      const message = `has no effect: the name is read as ${read.class} with impact ${read.impact}, and an entry changes that by one step down at most`
      problems.push({ rule: "class-too-far", path: ["entries", at, field], message })
    }
    if (entry.class !== undefined && known.class !== entry.class) tooFar("class")
    else if (entry.impact !== undefined && known.impact !== entry.impact) tooFar("impact")
    return problems
  })

const checkCurrencies = (
  entries: ReadonlyArray<WrittenEntry>,
  { currencies }: RiskModel
): ReadonlyArray<FileProblem> =>
  entries.flatMap(({ currency }, at): ReadonlyArray<FileProblem> => {
    if (currency === undefined || currencies.table.has(currency)) return []
    const { hint, suggested } = didYouMean(currency, [...currencies.table.keys()])
    const message = `unknown currency \`${currency}\`${hint}: the entry says no amount`
    return [{ rule: "unknown-code", path: ["entries", at, "currency"], message, ...suggested }]
  })

const checkCases = (
  file: string,
  entries: ReadonlyArray<WrittenEntry>,
  examined: ReadonlyArray<ExaminedFile>
): ReadonlyArray<Finding> => {
  const casesFile = file.replace(/\.json$/, ".cases.json")
  const beside = examined.find((other) => other.file === casesFile)
  if (beside === undefined)
    return [{ rule: "no-cases", file, path: [], message: `no cases stand beside it: write ${casesFile}` }]
  const { entriesInCases } = beside
  if (entriesInCases === undefined) return []
  return entries
    .filter(({ id }) => !entriesInCases.has(id))
    .map(({ id }) => ({
      rule: "no-must-case",
      file: casesFile,
      path: ["cases"],
      message: `no case says where \`${id}\` must count`
    }))
}

export const catalogueFindings = (
  examined: ReadonlyArray<ExaminedFile>,
  { model, today }: CatalogueContext
): ReadonlyArray<Finding> =>
  examined.flatMap(({ entries, file }) => {
    if (entries === undefined) return []
    return [
      ...inFile(file, [
        ...checkShadowed(entries),
        ...(today === null ? [] : checkDates(entries, today)),
        ...(model === null
          ? []
          : [
              ...checkSteps(entries, model),
              ...checkMilder(entries, model),
              ...checkPayments(entries, model),
              ...checkCurrencies(entries, model)
            ])
      ]),
      ...checkCases(file, entries, examined)
    ]
  })
