/** A request as a case states it: the wire's spelling of an action. */

import { Schema } from "effect"
import { dataClassifications, environments, reversibilities } from "../../domain/Action.ts"
import { fileStruct } from "./fileStruct.ts"

const Text = Schema.optionalKey(Schema.String.check(Schema.isNonEmpty()))
const HowMany = Schema.optionalKey(
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
)

export const RequestFile = fileStruct({
  actionType: Schema.String.check(Schema.isNonEmpty()),
  environment: Schema.Literals(environments),
  agentId: Text,
  targetSystem: Text,
  targetResource: Text,
  actionDescription: Text,
  entitiesAffected: HowMany,
  recordsAffected: HowMany,
  financialValue: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))),
  currency: Text,
  destination: Text,
  dataClassification: Schema.optionalKey(Schema.Literals([...dataClassifications, "unknown"])),
  reversibility: Schema.optionalKey(Schema.Literals([...reversibilities, "unknown"])),
  privilegeChange: Schema.optionalKey(Schema.Boolean),
  productionImpact: Schema.optionalKey(Schema.Boolean)
})
