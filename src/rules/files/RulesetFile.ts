/** `ruleset.json`: the version and every number of the model. */

import { Schema } from "effect"
import { actionCategories, dataClassifications, environments, reversibilities } from "../../domain/Action.ts"
import { levels, severities } from "../../domain/Opinion.ts"
import type { ClassNumbers, Numbers } from "../../scoring/Numbers.ts"
import { wholeBp } from "../../scoring/arithmetic.ts"
import { extents, impacts } from "../../scoring/reading/Act.ts"
import { objectKinds } from "../../scoring/reading/Vocabulary.ts"
import { ClassName, ImpactName } from "./providerFiles.ts"
import {
  AnchorsFile,
  BasisPoints,
  Code,
  DataClassificationName,
  fileStruct,
  type Issue,
  neverFalling,
  pairwise,
  Percent,
  Points,
  Quantity,
  ReversibilityName,
  SemVer,
  SeverityName,
  SmallQuantity,
  someOf,
  StepsFile
} from "./vocabulary.ts"

const itself = (figure: number): ReadonlyArray<number> => [figure]

/** The maximum confidence by score, in percent. Scores start at 1 and ascend. */
const SureAtScore = Schema.Array(Schema.Tuple([Points, Percent])).check(
  Schema.isMinLength(2),
  Schema.makeFilter(
    (anchors: ReadonlyArray<readonly [number, number]>) =>
      pairwise(anchors, ([score], [next]) => score < next) || "expected ascending scores"
  )
)

const EnvironmentName = Schema.Literals(environments)
const ExtentName = Schema.Literals(extents)

/** One figure per impact, none lower than that of a lower impact. */
const perImpact = <S extends typeof BasisPoints | typeof Quantity>(figure: S) =>
  Schema.Record(ImpactName, figure).check(neverFalling(impacts, itself))

/** Environments in ascending order of risk: figures stated by environment must not fall along either path. */
const waysToProduction = [
  ["development", "staging", "production"],
  ["sandbox", "staging", "production"]
] as const

const [fromDevelopment, fromSandbox] = waysToProduction

const perEnvironment = Schema.Record(EnvironmentName, BasisPoints).check(
  neverFalling(fromDevelopment, itself),
  neverFalling(fromSandbox, itself)
)

const rankOf = (name: (typeof reversibilities)[number]): number => reversibilities.indexOf(name)

const ReferencesFile = fileStruct({
  usd: perImpact(Quantity),
  recordsMin: Quantity,
  reversibility: Schema.Record(ImpactName, ReversibilityName).check(
    neverFalling(impacts, (name: (typeof reversibilities)[number]) => [rankOf(name)])
  ),
  softReversibility: ReversibilityName,
  productionImpactFrom: Schema.optionalKey(ImpactName),
  liftsClassification: Schema.Boolean
})

/** A harmless class sends nothing out, and the assumed reversibility is never easier than the easiest that a caller may claim. */
const classIssues = (file: ClassNumbers): ReadonlyArray<Issue> => {
  const floor = rankOf(file.reversibilityFloor)
  return [
    ...(file.harmless && file.egress
      ? [{ path: ["egress"], issue: "a class that is harmless sends nothing out" }]
      : []),
    ...(file.dataLeaves && !file.egress
      ? [{ path: ["dataLeaves"], issue: "data leaves only with a class of `egress`" }]
      : []),
    ...impacts
      .filter((impact) => rankOf(file.references.reversibility[impact]) < floor)
      .map((impact) => ({
        path: ["references", "reversibility", impact],
        issue: `is easier than \`${file.reversibilityFloor}\`, the floor of the class`
      })),
    ...impacts
      .filter((impact) => (file.undoneWeightBp?.[impact] ?? 0) > file.weightBp[impact])
      .map((impact) => ({
        path: ["undoneWeightBp", impact],
        issue: "is above `weight_bp`: a reversible act would count more than an irreversible one"
      }))
  ]
}

const ClassRulesetFile = fileStruct({
  category: Schema.Literals(actionCategories),
  harmless: Schema.Boolean,
  egress: Schema.Boolean,
  dataLeaves: Schema.Boolean,
  countsGoTogether: Schema.Boolean,
  reversibilityFloor: ReversibilityName,
  alwaysChangesPrivilege: Schema.Boolean,
  entityEffectBp: BasisPoints,
  dataEffectBp: BasisPoints,
  moneyEffectBp: BasisPoints,
  askedMoneyEffectBp: Schema.optionalKey(BasisPoints),
  weightBp: perImpact(BasisPoints),
  undoneWeightBp: Schema.optionalKey(perImpact(BasisPoints)),
  privilegeBp: perImpact(BasisPoints),
  /** An environment that is absent here uses its general figure. */
  factorBp: Schema.optionalKey(someOf(environments, BasisPoints)),
  references: ReferencesFile
}).check(Schema.makeFilter((file: ClassNumbers) => [...classIssues(file)]))

const PlausibleFile = fileStruct({
  times: SmallQuantity,
  steps: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: reversibilities.length - 1 })),
  flags: Schema.Boolean
})

const plausibleOrder = Schema.makeFilter(
  ({ cautious, harmless }: Numbers["plausible"]) =>
    (harmless.times <= cautious.times &&
      harmless.steps <= cautious.steps &&
      (!harmless.flags || cautious.flags)) ||
    "expected bounds of `harmless` within those of `cautious`"
)

const factorIssues = (file: Numbers): ReadonlyArray<Issue> =>
  Object.entries(file.classes).flatMap(([name, { factorBp }]): ReadonlyArray<Issue> => {
    if (factorBp === undefined) return []
    const falls = waysToProduction.some((way) => {
      const figures = way.map((place) => factorBp[place] ?? file.environment[place].factorBp)
      return figures.some((figure, at) => figure < (figures[at - 1] ?? 0))
    })
    const issue = "falls on the way to production, with the environment's own figures where it has none"
    return falls ? [{ path: ["classes", name, "factorBp"], issue }] : []
  })

/** Weakening a safeguard counts at least as much as any other act in the same environment. */
const weakenedIssues = (file: Numbers): ReadonlyArray<Issue> =>
  environments
    .filter((place) => file.weakenedFactorBp[place] < file.environment[place].factorBp)
    .map((place) => ({
      path: ["weakenedFactorBp", place],
      issue:
        "is below `factor_bp` of the environment: weakening a protection would count less than other acts"
    }))

const environmentFigures = (row: Numbers["environment"]["production"]): ReadonlyArray<number> => [
  row.baseBp,
  row.factorBp,
  row.dataBp,
  row.moneyBp
]

export const RulesetFile = fileStruct({
  version: SemVer,
  classes: Schema.Record(ClassName, ClassRulesetFile),
  extents: Schema.Record(ExtentName, fileStruct({ entities: Quantity, records: Quantity })).check(
    neverFalling(extents, (row) => [row.entities, row.records])
  ),
  plausible: fileStruct({ harmless: PlausibleFile, cautious: PlausibleFile }).check(plausibleOrder),
  anchors: fileStruct({ usd: AnchorsFile, entities: AnchorsFile, records: AnchorsFile }),
  dataClassification: Schema.Record(
    DataClassificationName,
    fileStruct({ baseBp: BasisPoints, sensitivityBp: BasisPoints })
  ).check(neverFalling(dataClassifications, (row) => [row.baseBp, row.sensitivityBp])),
  dataVolumeBp: BasisPoints,
  dataLeavesBp: BasisPoints,
  environment: Schema.Record(
    EnvironmentName,
    fileStruct({ baseBp: BasisPoints, factorBp: BasisPoints, dataBp: BasisPoints, moneyBp: BasisPoints })
  ).check(neverFalling(fromDevelopment, environmentFigures), neverFalling(fromSandbox, environmentFigures)),
  weakenedFactorBp: perEnvironment,
  remoteFactorBp: BasisPoints,
  kindBp: Schema.Record(Schema.Literals(objectKinds.filter((kind) => kind !== "claim")), BasisPoints),
  productionImpactBp: BasisPoints,
  undoneEntitiesMax: Quantity,
  privilege: fileStruct({
    changedBp: BasisPoints,
    changedInProductionBp: BasisPoints,
    entityShareBp: BasisPoints
  }).check(
    Schema.makeFilter(
      (file: { readonly changedBp: number; readonly changedInProductionBp: number }) =>
        file.changedBp <= file.changedInProductionBp || "expected changed ≤ changed in production"
    )
  ),
  reversibility: Schema.Record(ReversibilityName, BasisPoints).check(neverFalling(reversibilities, itself)),
  blastRadius: fileStruct({ otherDimensionsBp: BasisPoints, reversibilityBp: BasisPoints }),
  actionRisk: fileStruct({
    hazardBaseBp: BasisPoints,
    hazardBlastRadiusBp: BasisPoints,
    scoreMin: Points
  }).check(
    Schema.makeFilter(
      (file: { readonly hazardBaseBp: number; readonly hazardBlastRadiusBp: number }) =>
        // If the shares exceed the whole, a noisy-or would fall as its parts rise.
        file.hazardBaseBp + file.hazardBlastRadiusBp <= wholeBp ||
        `expected hazard_base_bp and hazard_blast_radius_bp of at most ${wholeBp} together`
    )
  ),
  severityFloors: Schema.Record(SeverityName, Points).check(neverFalling(severities, itself)),
  levels: Schema.Record(Schema.Literals(levels), Points).check(neverFalling(levels, itself)),
  confidence: fileStruct({
    percentMin: Percent,
    contradictionPercent: Percent,
    incompletePercentMax: Percent,
    unreadPercentMax: Percent,
    sufficientPercent: Percent,
    atScore: SureAtScore
  }).check(
    Schema.makeFilter(
      ({ atScore, sufficientPercent }) =>
        // Otherwise an opinion near the edge of a level would always ask for more context.
        atScore.every(([, percent]) => percent >= sufficientPercent) ||
        "expected no percent of `at_score` below `sufficient_percent`"
    )
  ),
  incompleteScoreMin: Points,
  summary: fileStruct({ toldLast: Schema.Array(Code) }),
  behavior: fileStruct({
    windowDays: SmallQuantity,
    baselineUnitsMin: SmallQuantity,
    velocityDaysMin: SmallQuantity,
    velocityHoursMin: SmallQuantity,
    establishedDaysMin: SmallQuantity,
    establishedHoursMin: SmallQuantity,
    stepUpMultiple: SmallQuantity,
    stepUpEntitiesMin: Quantity,
    stepUpUsdMin: Quantity,
    usualDayMultiple: SmallQuantity,
    slicePercentMin: SmallQuantity,
    newPayeeUsdMin: SmallQuantity,
    evidenceHoursMin: SmallQuantity,
    assumedEntitiesMax: SmallQuantity,
    unnamedPercentMax: Percent,
    counterDigitsMax: SmallQuantity
  }),
  cumulativeSteps: fileStruct({ entities: StepsFile, usd: StepsFile })
}).check(Schema.makeFilter((file: Numbers) => [...factorIssues(file), ...weakenedIssues(file)]))
