/** What the ruleset says of one action class. */

import { Schema } from "effect"
import { dataClassifications, reversibilities } from "../../../domain/Action.ts"
import { actionCategories } from "../../../domain/ActionType.ts"
import type { Completion } from "../../../scoring/Model.ts"
import { fileStruct } from "../fileStruct.ts"
import { BasisPoints, Count, DataClassificationName, ReversibilityName } from "../vocabulary.ts"

const CompletionFile = fileStruct({
  entities: Count,
  records: Count,
  usd: Count,
  dataClassification: DataClassificationName,
  reversibility: ReversibilityName,
  privilegeChange: Schema.Boolean,
  productionImpact: Schema.Boolean
})

/** Fields of a completion as ranks, so that one can be held against another. */
const ranks = (completion: Completion): ReadonlyArray<readonly [field: string, rank: number]> => [
  ["entities", completion.entities],
  ["records", completion.records],
  ["usd", completion.usd],
  ["data_classification", dataClassifications.indexOf(completion.dataClassification)],
  ["reversibility", reversibilities.indexOf(completion.reversibility)],
  ["privilege_change", Number(completion.privilegeChange)],
  ["production_impact", Number(completion.productionImpact)]
]

/** The first field in which `upper` stands below `lower`. */
const fieldBelow = (upper: Completion, lower: Completion): string | undefined => {
  const lowerRanks = new Map(ranks(lower))
  return ranks(upper).find(([field, rank]) => rank < (lowerRanks.get(field) ?? 0))?.[0]
}

/** Invariant: least ≤ reference ≤ ceiling, field by field; theorem T2 rests on it. */
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

export const ClassFile = fileStruct({
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
