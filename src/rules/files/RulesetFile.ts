/** `rules/ruleset.json`: the version and every number of the model. */

import { Schema } from "effect"
import { dataClassifications, environments, reversibilities } from "../../domain/Action.ts"
import { actionClasses } from "../../domain/ActionType.ts"
import { levels } from "../../domain/Level.ts"
import { severities } from "../../domain/RiskFactor.ts"
import { whole } from "../../scoring/basisPoints.ts"
import { fileStruct } from "./fileStruct.ts"
import { AnchorsFile, neverFalling, StepsFile } from "./RulesetFile/ascending.ts"
import { ClassFile } from "./RulesetFile/ClassFile.ts"
import {
  BasisPoints,
  Count,
  DataClassificationName,
  Few,
  Percent,
  Points,
  ReversibilityName,
  SemVer,
  SeverityName
} from "./vocabulary.ts"

const SingleFile = fileStruct({ entities: Count, records: Count })

const itself = (figure: number): ReadonlyArray<number> => [figure]

export const RulesetFile = fileStruct({
  version: SemVer,
  classes: Schema.Record(Schema.Literals(actionClasses), ClassFile),
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
        // Beyond the whole a noisy-or falls as its parts rise.
        file.hazardBaseBp + file.hazardBlastRadiusBp <= whole ||
        `expected hazard_base_bp and hazard_blast_radius_bp of at most ${whole} together`
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
    windowDays: Few,
    baselineUnitsMin: Few,
    velocityDaysMin: Few,
    velocityHoursMin: Few,
    establishedDaysMin: Few,
    establishedHoursMin: Few,
    stepUpMultiple: Few,
    stepUpEntitiesMin: Count,
    stepUpUsdMin: Count
  }),
  cumulativeSteps: fileStruct({ entities: StepsFile, usd: StepsFile })
})
