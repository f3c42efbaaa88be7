/** One rule as json-rules-engine reads it; its conditions are read by the dialect, not by this schema. */

import { Schema } from "effect"
import { fileStruct } from "./fileStruct.ts"
import { BasisPoints, Code, Sentence, SeverityName } from "./vocabulary.ts"

/** A rule whose event only says that it matched. */
export const PlainRuleFile = fileStruct({
  name: Sentence,
  conditions: Schema.Unknown,
  event: fileStruct({ type: Code })
})

/** A rule of a factor: its event carries the severity, and the hazard where it is not the factor's. */
export const FactorRuleFile = fileStruct({
  name: Sentence,
  conditions: Schema.Unknown,
  event: fileStruct({
    type: Code,
    params: fileStruct({ severity: SeverityName, hazardBp: Schema.optionalKey(BasisPoints) })
  })
})
