/** A request as a case states it: the wire's spelling of an action. */

import { Schema } from "effect"
import { dataClassifications, environments, reversibilities } from "../../domain/Action.ts"
import {
  actionDescriptionMax,
  actionTypeMax,
  agentIdMax,
  destinationMax,
  targetResourceMax,
  targetSystemMax
} from "../../Limits.ts"
import { fileStruct } from "./fileStruct.ts"

/** As the API bounds it: in code points, so that a case asks nothing that could not be asked. */
const upTo = (max: number) =>
  Schema.String.check(
    Schema.isNonEmpty(),
    Schema.makeFilter((text: string) => [...text].length <= max, {
      message: `expected at most ${max} characters`
    })
  )
const HowMany = Schema.optionalKey(
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
)

export const RequestFile = fileStruct({
  actionType: upTo(actionTypeMax).check(
    Schema.makeFilter((text: string) => text.trim() !== "", { message: "expected more than spaces" })
  ),
  environment: Schema.Literals(environments),
  agentId: Schema.optionalKey(upTo(agentIdMax)),
  targetSystem: Schema.optionalKey(upTo(targetSystemMax)),
  targetResource: Schema.optionalKey(upTo(targetResourceMax)),
  actionDescription: Schema.optionalKey(upTo(actionDescriptionMax)),
  entitiesAffected: HowMany,
  recordsAffected: HowMany,
  financialValue: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))),
  currency: Schema.optionalKey(
    Schema.String.check(
      Schema.isNonEmpty(),
      Schema.makeFilter((text: string) => /^[A-Za-z]{3}$/.test(text), { message: "expected three letters" })
    )
  ),
  destination: Schema.optionalKey(upTo(destinationMax)),
  dataClassification: Schema.optionalKey(Schema.Literals([...dataClassifications, "unknown"])),
  reversibility: Schema.optionalKey(Schema.Literals([...reversibilities, "unknown"])),
  privilegeChange: Schema.optionalKey(Schema.Boolean),
  productionImpact: Schema.optionalKey(Schema.Boolean)
})
