/** `rules/ruleset.json` and `rules/currencies.json`: the version and every number of the model, and the value of each currency. */

import { Schema, SchemaTransformation } from "effect"
import { actionCategories, dataClassifications, environments, reversibilities } from "../../domain/Action.ts"
import { levels, severities } from "../../domain/Opinion.ts"
import { factKinds } from "../../scoring/Facts.ts"
import type { Currencies, Currency } from "../../scoring/Model.ts"
import { wholeBp } from "../../scoring/arithmetic.ts"
import type { Completion } from "../../scoring/edition1/Model.ts"
import { edition1Classes } from "../../scoring/edition1/NormalizedAction.ts"
import {
  BasisPoints,
  DataClassificationName,
  fileStruct,
  IsoDate,
  Percent,
  Points,
  Quantity,
  ReversibilityName,
  SemVer,
  Sentence,
  SeverityName,
  SmallQuantity
} from "./vocabulary.ts"

const pairwise = <A>(values: ReadonlyArray<A>, inOrder: (a: A, b: A) => boolean): boolean =>
  values.every((value, i) => {
    const next = values[i + 1]
    return next === undefined || inOrder(value, next)
  })

/** The points of a scale: strictly ascending in x, never falling in basis points. */
export const AnchorsFile = Schema.Array(Schema.Tuple([Quantity, BasisPoints])).check(
  Schema.isMinLength(2),
  Schema.makeFilter(
    (anchors: ReadonlyArray<readonly [number, number]>) =>
      pairwise(anchors, ([x, bp], [nextX, nextBp]) => x < nextX && bp <= nextBp) ||
      "expected anchors that ascend in both columns"
  )
)

/** Strictly ascending thresholds, at most as many as the rank of the facts that count them. */
export const StepsFile = Schema.Array(Quantity).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(factKinds.cumulative_entities_step.max),
  Schema.makeFilter(
    (steps: ReadonlyArray<number>) => pairwise(steps, (a, b) => a < b) || "expected ascending steps"
  )
)

/** Checks a record over ranked names: no figure may fall as the rank rises. */
export const neverFalling = <Name extends string, A>(
  names: ReadonlyArray<Name>,
  figures: (value: A) => ReadonlyArray<number>
) =>
  Schema.makeFilter((record: Readonly<Record<Name, A>>) => {
    const rows = names.map((name) => figures(record[name]))
    return (
      pairwise(rows, (a, b) => a.every((figure, i) => figure <= (b[i] ?? figure))) ||
      `expected figures that never fall from \`${names[0] ?? ""}\` to \`${names.at(-1) ?? ""}\``
    )
  })

/** The values that a request of one action class gets for the fields that it leaves out. */
const CompletionFile = fileStruct({
  entities: Quantity,
  records: Quantity,
  usd: Quantity,
  dataClassification: DataClassificationName,
  reversibility: ReversibilityName,
  privilegeChange: Schema.Boolean,
  productionImpact: Schema.Boolean
})

/** The fields of a completion as ranks, so that two completions can be compared. */
const ranks = (completion: Completion): ReadonlyArray<readonly [field: string, rank: number]> => [
  ["entities", completion.entities],
  ["records", completion.records],
  ["usd", completion.usd],
  ["data_classification", dataClassifications.indexOf(completion.dataClassification)],
  ["reversibility", reversibilities.indexOf(completion.reversibility)],
  ["privilege_change", Number(completion.privilegeChange)],
  ["production_impact", Number(completion.productionImpact)]
]

/** The first field in which `upper` is below `lower`. */
const fieldBelow = (upper: Completion, lower: Completion): string | undefined => {
  const lowerRanks = new Map(ranks(lower))
  return ranks(upper).find(([field, rank]) => rank < (lowerRanks.get(field) ?? 0))?.[0]
}

/** Invariant: least ≤ reference ≤ ceiling in every field; theorem T2 depends on it. */
const ordered = Schema.makeFilter(
  (file: {
    readonly references: { readonly production: Completion; readonly other: Completion }
    readonly ceilings: Completion
  }) => {
    const below = (upper: Completion, lower: Completion, path: string, than: string) => {
      const field = fieldBelow(upper, lower)
      return field === undefined ? [] : [{ path: [path], issue: `\`${field}\` stands below ${than}` }]
    }
    return [
      ...below(file.ceilings, file.references.production, "ceilings", "its reference in production"),
      ...below(file.ceilings, file.references.other, "ceilings", "its reference outside production"),
      ...below(file.references.production, file.references.other, "references", "the one outside production")
    ]
  }
)

const ClassFile = fileStruct({
  category: Schema.Literals(actionCategories),
  egress: Schema.Boolean,
  dataLeaves: Schema.Boolean,
  countsGoTogether: Schema.Boolean,
  reversibilityFloor: ReversibilityName,
  alwaysChangesPrivilege: Schema.Boolean,
  entityEffectBp: BasisPoints,
  sensitivityLiftsEntityEffect: Schema.Boolean,
  dataEffectBp: BasisPoints,
  operationalWeightBp: BasisPoints,
  addedPrivilegeBp: BasisPoints,
  references: fileStruct({ production: CompletionFile, other: CompletionFile }),
  ceilings: CompletionFile
}).check(ordered)

const SingleFile = fileStruct({ entities: Quantity, records: Quantity })

const itself = (figure: number): ReadonlyArray<number> => [figure]

export const RulesetFile = fileStruct({
  version: SemVer,
  classes: Schema.Record(Schema.Literals(edition1Classes), ClassFile),
  single: fileStruct({ references: SingleFile, ceilings: SingleFile }),
  anchors: fileStruct({ usd: AnchorsFile, entities: AnchorsFile, records: AnchorsFile }),
  dataClassification: Schema.Record(
    DataClassificationName,
    fileStruct({ baseBp: BasisPoints, sensitivityBp: BasisPoints })
  ).check(neverFalling(dataClassifications, (row) => [row.baseBp, row.sensitivityBp])),
  dataVolumeBp: BasisPoints,
  dataLeavesBp: BasisPoints,
  alsoExportsLeave: Schema.optionalKey(Schema.Boolean),
  environment: Schema.Record(
    Schema.Literals(environments),
    fileStruct({ baseBp: BasisPoints, classFactorBp: BasisPoints })
  ).check(neverFalling(environments, (row) => [row.baseBp, row.classFactorBp])),
  productionImpactBp: BasisPoints,
  privilege: fileStruct({
    unchangedBp: BasisPoints,
    changedBp: BasisPoints,
    changedInProductionBp: BasisPoints,
    entityShareBp: BasisPoints
  }).check(
    Schema.makeFilter(
      (file: {
        readonly unchangedBp: number
        readonly changedBp: number
        readonly changedInProductionBp: number
      }) =>
        (file.unchangedBp <= file.changedBp && file.changedBp <= file.changedInProductionBp) ||
        "expected unchanged ≤ changed ≤ changed in production"
    )
  ),
  reversibility: Schema.Record(ReversibilityName, BasisPoints).check(neverFalling(reversibilities, itself)),
  blastRadius: fileStruct({ otherDimensionsBp: BasisPoints, reversibilityBp: BasisPoints }),
  actionRisk: fileStruct({
    blastRadiusBp: BasisPoints,
    hazardBaseBp: BasisPoints,
    hazardBlastRadiusBp: BasisPoints,
    scoreMin: Points
  }).check(
    Schema.makeFilter(
      (file: { readonly hazardBaseBp: number; readonly hazardBlastRadiusBp: number }) =>
        // A noisy-or over more than the whole falls when its parts rise.
        file.hazardBaseBp + file.hazardBlastRadiusBp <= wholeBp ||
        `expected hazard_base_bp and hazard_blast_radius_bp of at most ${wholeBp} together`
    )
  ),
  severityFloors: Schema.Record(SeverityName, Points).check(neverFalling(severities, itself)),
  gates: Schema.Array(fileStruct({ highFrom: Points, productionOnly: Schema.Boolean, floor: Points })),
  levels: Schema.Record(Schema.Literals(levels), Points).check(neverFalling(levels, itself)),
  confidence: fileStruct({
    percentMin: Percent,
    percentMax: Percent,
    contradictionPercent: Percent,
    incompletePercentMax: Percent,
    sufficientPercent: Percent
  }),
  incompleteScoreMin: Points,
  behavior: fileStruct({
    windowDays: SmallQuantity,
    baselineUnitsMin: SmallQuantity,
    velocityDaysMin: SmallQuantity,
    velocityHoursMin: SmallQuantity,
    establishedDaysMin: SmallQuantity,
    establishedHoursMin: SmallQuantity,
    stepUpMultiple: SmallQuantity,
    stepUpEntitiesMin: Quantity,
    stepUpUsdMin: Quantity
  }),
  cumulativeSteps: fileStruct({ entities: StepsFile, usd: StepsFile })
})

/** `rules/currencies.json`: the value of a unit of each currency on one date. */
const fractionDigits = 9

/** Dollars per unit as a decimal text, `"1.0834"`, so that no floating-point number lies between the file and a score. */
const UsdPerUnit = Schema.String.check(
  Schema.isPattern(/^(0|[1-9]\d{0,5})(\.\d{1,9})?$/u, {
    message: "expected dollars per unit as a decimal text with at most 9 places"
  }),
  Schema.makeFilter((text: string) => /[1-9]/.test(text) || "expected a rate above zero")
)

const UsdNanos = UsdPerUnit.pipe(
  Schema.decodeTo(
    Schema.BigInt,
    SchemaTransformation.transform({
      decode: (text: string) => {
        const [integer = "", fraction = ""] = text.split(".")
        return BigInt(integer + fraction.padEnd(fractionDigits, "0"))
      },
      encode: (nanos: bigint) => {
        const digits = nanos.toString().padStart(fractionDigits + 1, "0")
        const fraction = digits.slice(-fractionDigits).replace(/0+$/, "")
        return digits.slice(0, -fractionDigits) + (fraction === "" ? "" : `.${fraction}`)
      }
    })
  )
)

const CurrencyCode = Schema.String.check(
  Schema.isPattern(/^[A-Z]{3}$/u, { message: "expected an ISO 4217 code" })
)

const RowFile = fileStruct({
  exponent: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4 })),
  usdPerUnit: UsdNanos,
  /** A metal or a unit of account: stated amounts are converted, but a missing currency is never assumed to be it. */
  notCirculating: Schema.optionalKey(Schema.Literal(true))
})

export const CurrenciesFile = fileStruct({
  asOf: IsoDate,
  source: Sentence,
  currencies: Schema.Record(CurrencyCode, RowFile).check(
    Schema.makeFilter(
      (rows: Readonly<Record<string, { readonly usdPerUnit: bigint }>>) =>
        rows["USD"]?.usdPerUnit === 10n ** BigInt(fractionDigits) || "expected USD at exactly 1"
    )
  )
})

/** The table, and the dearest and cheapest circulating currency: the bounds for an amount without a currency. */
export const toCurrencies = (file: typeof CurrenciesFile.Type): Currencies => {
  const table = new Map<string, Currency>(
    Object.entries(file.currencies).map(([code, row]) => [
      code,
      { exponent: row.exponent, usdNanos: row.usdPerUnit }
    ])
  )
  const ascending = Object.entries(file.currencies)
    .filter(([, row]) => row.notCirculating !== true)
    .toSorted(([, a], [, b]) => (a.usdPerUnit < b.usdPerUnit ? -1 : 1))
  return {
    asOf: file.asOf,
    table,
    dearest: ascending.at(-1)?.[0] ?? "USD",
    cheapest: ascending[0]?.[0] ?? "USD"
  }
}
