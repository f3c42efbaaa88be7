/** `ruleset.json` of the first edition: the version and every number of the model. */

import { Schema } from "effect"
import { actionCategories, dataClassifications, environments, reversibilities } from "../../domain/Action.ts"
import { levels, severities } from "../../domain/Opinion.ts"
import { wholeBp } from "../../scoring/arithmetic.ts"
import type { Completion } from "../../scoring/edition1/Model.ts"
import { edition1Classes } from "../../scoring/edition1/NormalizedAction.ts"
import {
  AnchorsFile,
  BasisPoints,
  DataClassificationName,
  fileStruct,
  neverFalling,
  Percent,
  Points,
  Quantity,
  ReversibilityName,
  SemVer,
  SeverityName,
  SmallQuantity,
  StepsFile
} from "../files/vocabulary.ts"

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

export const FirstRulesetFile = fileStruct({
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
